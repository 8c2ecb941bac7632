/** The rules that check every version, in order. */
import { addressSwap } from './behaviour/address-swap.ts';
import { agentInstructions } from './agent/agent-instructions.ts';
import type { Rule } from '../rule.ts';
import { contentChecks } from './content-checks.ts';
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
  ...contentChecks,
];
