/** The checks that every version passes through, in order. */
import { addressSwap } from './address-swap.ts';
import { agentInstructions } from './agent-instructions.ts';
import type { Check } from './check.ts';
import { contentChecks } from './content-checks.ts';
import { credentialTheft } from './credential-theft.ts';
import { cryptoMining } from './crypto-mining.ts';
import { dataExfiltration } from './data-exfiltration.ts';
import { decodeExecute } from './decode-execute.ts';
import { destructive } from './destructive.ts';
import { dnsExfiltration } from './dns-exfiltration.ts';
import { env } from './env.ts';
import { installTime } from './install-time.ts';
import { licenseFile } from './license-file.ts';
import { obfuscatedCode } from './obfuscated-code.ts';
import { persistence } from './persistence.ts';
import { pickledCode } from './pickled-code.ts';
import { processExecution } from './process-execution.ts';
import { remoteCode } from './remote-code.ts';
import { reverseShell } from './reverse-shell.ts';
import { source } from './source.ts';
import { suspiciousHost } from './suspicious-host.ts';

export const allChecks: readonly Check[] = [
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
  pickledCode,
  processExecution,
  destructive,
  cryptoMining,
  addressSwap,
  env,
  ...contentChecks,
];
