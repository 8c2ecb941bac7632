/** The rules that check every version, in order. */
import { addressSwap } from './behaviour/address-swap.ts';
import { agentInstructions } from './agent/agent-instructions.ts';
import type { Rule } from '../rule.ts';
import { credentialTheft } from './behaviour/credential-theft.ts';
import { cryptoMining } from './behaviour/crypto-mining.ts';
import { dataExfiltration } from './behaviour/data-exfiltration.ts';
import { decodeExecute } from './behaviour/decode-execute.ts';
import { destructive } from './behaviour/destructive.ts';
import { dnsExfiltration } from './behaviour/dns-exfiltration.ts';
import { env } from './quality/env.ts';
import { installTime } from './behaviour/install-time.ts';
import { licenseFile } from './quality/license-file.ts';
import { obfuscatedCode } from './behaviour/obfuscated-code.ts';
import { persistence } from './behaviour/persistence.ts';
import { remoteCode } from './behaviour/remote-code.ts';
import { reverseShell } from './behaviour/reverse-shell.ts';
import { source } from './content/source.ts';
import { suspiciousHost } from './behaviour/suspicious-host.ts';
import { pageScript } from './behaviour/page-script.ts';
import { unattendedAgent } from './agent/unattended-agent.ts';
import { agentInjection } from './agent/agent-injection.ts';
import { archiveFile } from './content/archive-file.ts';
import { autoRun } from './behaviour/auto-run.ts';
import { binaryFile } from './content/binary-file.ts';
import { compiledCache } from './content/compiled-cache.ts';
import { content } from './content/content.ts';
import { dependencyName } from './dependency/dependency-name.ts';
import { dependencyRange } from './dependency/dependency-range.ts';
import { dependencySource } from './dependency/dependency-source.ts';
import { dependencyUndeclared } from './dependency/dependency-undeclared.ts';
import { dependencyUnused } from './dependency/dependency-unused.ts';
import { disguisedFile } from './content/disguised-file.ts';
import { guide } from './quality/guide.ts';
import { hiddenText } from './content/hidden-text.ts';
import { integrationStep } from './quality/integration-step.ts';
import { metadata } from './quality/metadata.ts';
import { packedCode } from './behaviour/packed-code.ts';
import { screenshot } from './quality/screenshot.ts';
import { secret } from './content/secret.ts';
import { shellFetch } from './behaviour/shell-fetch.ts';
import { tagInterface } from './quality/tag-interface.ts';
import { expectations } from './content/expectations.ts';
import { wiring } from './content/wiring.ts';
import { workmanship } from './quality/workmanship.ts';
import { windowsScript } from './behaviour/windows-script.ts';
import { spelledCode } from './behaviour/spelled-code.ts';

export const allRules: readonly Rule[] = [
  agentInstructions,
  licenseFile,
  source,
  remoteCode,
  decodeExecute,
  credentialTheft,
  dataExfiltration,
  dnsExfiltration,
  reverseShell,
  suspiciousHost,
  obfuscatedCode,
  installTime,
  persistence,
  destructive,
  cryptoMining,
  unattendedAgent,
  pageScript,
  addressSwap,
  env,
  agentInjection,
  hiddenText,
  spelledCode,
  secret,
  autoRun,
  shellFetch,
  binaryFile,
  compiledCache,
  disguisedFile,
  packedCode,
  windowsScript,
  archiveFile,
  dependencyName,
  dependencyRange,
  dependencySource,
  dependencyUndeclared,
  dependencyUnused,
  integrationStep,
  content,
  guide,
  metadata,
  workmanship,
  tagInterface,
  screenshot,
  wiring,
  expectations,
];
