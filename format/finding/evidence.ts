/**
 * What each finding of safety is evidence of, and how often it was measured: on published packages and the cases of `tests/corpus`,
 * on 2026-11-26.
 */
import type { FindingCode } from './catalogue.ts';
import type { FindingLevel } from './texts/finding-text.ts';

/** A source is read, a sink sends or runs, a trigger starts, concealment hides; a purpose harms by itself. */
export type EvidenceKind = 'source' | 'sink' | 'trigger' | 'concealment' | 'purpose';

/** How many malicious and how many benign builds have the finding at a level. */
type Counts = readonly [malicious: number, benign: number];

/** How many builds were measured. */
const MEASURED: Counts = [440, 335];

/** Kinds, the counts at `error` and at `warn`, and the kinds at `error` where that level is a combination by itself. */
const EVIDENCE: Partial<
  Record<FindingCode, readonly [kinds: string, error: Counts, warn: Counts, kindsOfError?: string]>
> = {
  'address-swap': ['purpose', [0, 0], [8, 0]],
  'agent-injection': ['purpose', [7, 0], [1, 2], 'purpose concealment'],
  'archive-file': ['concealment', [0, 0], [1, 6]],
  'auto-run-file': ['trigger', [4, 0], [39, 6], 'trigger sink'],
  'auto-run-script': ['trigger', [10, 0], [21, 3], 'trigger sink'],
  'compiled-cache': ['concealment', [0, 1], [0, 0]],
  'credential-theft': ['source sink', [23, 0], [9, 0]],
  'credential-theft-collected': ['source sink', [23, 0], [2, 0]],
  'crypto-mining': ['purpose', [1, 0], [0, 0]],
  'crypto-mining-command': ['purpose', [1, 0], [0, 0]],
  'data-exfiltration': ['source sink', [37, 0], [2, 0]],
  'data-exfiltration-command': ['source sink', [1, 0], [0, 0]],
  'decode-execute': ['concealment sink', [51, 0], [7, 1]],
  'decode-execute-command': ['concealment sink', [158, 0], [0, 0]],
  'dependency-name': ['purpose', [0, 0], [2, 0]],
  'dependency-name-own': ['purpose', [0, 0], [38, 2]],
  'dependency-source-address': ['source', [0, 0], [1, 0]],
  'dependency-source-alias': ['concealment', [0, 0], [0, 0]],
  destructive: ['purpose', [2, 0], [1, 0]],
  'destructive-command': ['purpose', [1, 0], [0, 0]],
  'disguised-file': ['concealment', [1, 0], [0, 0]],
  'dns-exfiltration': ['source sink', [5, 0], [0, 0]],
  'hidden-text-bidi': ['concealment', [1, 0], [0, 0]],
  'hidden-text-encoded': ['concealment', [1, 0], [0, 0]],
  'hidden-text-filler': ['concealment', [0, 0], [1, 0]],
  'hidden-text-invisible': ['concealment', [0, 0], [0, 0]],
  'hidden-text-look-alike': ['concealment', [0, 0], [1, 0]],
  'hidden-text-tag': ['concealment', [1, 0], [0, 0]],
  'install-time-hidden': ['trigger concealment', [6, 0], [0, 0]],
  'install-time-network': ['trigger sink', [0, 0], [55, 0]],
  'install-time-start': ['trigger sink', [1, 0], [1, 0]],
  'obfuscated-code': ['concealment', [0, 0], [16, 0]],
  'page-script': ['sink', [0, 0], [0, 0]],
  persistence: ['trigger purpose', [5, 0], [6, 0]],
  'persistence-command': ['trigger', [0, 0], [1, 0]],
  'remote-code': ['source sink', [20, 1], [1, 2]],
  'remote-code-command': ['source sink', [11, 0], [0, 0]],
  'remote-code-download': ['source sink', [18, 0], [3, 0]],
  'reverse-shell': ['source sink', [6, 0], [0, 0]],
  'reverse-shell-command': ['sink', [4, 0], [0, 0]],
  secret: ['source', [0, 0], [1, 1]],
  'shell-fetch-connect': ['sink', [3, 0], [0, 0]],
  'shell-fetch-decode': ['concealment', [2, 0], [0, 1]],
  'shell-fetch-destroy': ['purpose', [1, 1], [0, 0]],
  'shell-fetch-inline': ['sink', [0, 0], [2, 1]],
  'shell-fetch-run': ['source sink', [4, 0], [3, 4]],
  'shell-fetch-send': ['source sink', [4, 1], [0, 0]],
  'spelled-code': ['concealment', [0, 0], [9, 0]],
  'suspicious-host': ['sink', [29, 0], [29, 0], 'trigger sink'],
  'unattended-agent-command': ['sink', [0, 0], [0, 0], 'trigger sink'],
  'windows-script': ['sink', [0, 0], [0, 0]],
};

/** The finding of one build is a hint only: its kinds, and the binary logarithm of how much more often malicious builds have it. */
export interface Evidence {
  readonly kinds: readonly EvidenceKind[];
  readonly weight: number;
}

/** `undefined` for a finding that shows no intent, such as that a file was not read. */
export function evidenceOf(code: FindingCode, level: FindingLevel): Evidence | undefined {
  const row = EVIDENCE[code];
  if (row === undefined || level === 'info') return undefined;
  const kinds = ((level === 'error' ? row[3] : undefined) ?? row[0]).split(' ') as EvidenceKind[];
  const [malicious, benign] = row[level === 'error' ? 1 : 2];
  // Half a build is added to each count: what was never seen is unknown, not impossible.
  const ratio = (malicious + 0.5) / (MEASURED[0] + 1) / ((benign + 0.5) / (MEASURED[1] + 1));
  // What neither side has was judged by the author of the rule alone.
  const weight = malicious + benign === 0 ? UNMEASURED : Math.round(10 * Math.log2(ratio)) / 10;
  return { kinds, weight };
}

const UNMEASURED = 2;
