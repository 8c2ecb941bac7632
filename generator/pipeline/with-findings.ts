/** Adds findings in their published order: errors first, then by file, code, message. */
import type { PublishedFinding } from '../../format/finding/finding.ts';

const RANK = { error: 0, warn: 1, info: 2 };

/** Both lists as one. */
export function withFindings(
  findings: readonly PublishedFinding[],
  added: readonly PublishedFinding[],
): readonly PublishedFinding[] {
  if (added.length === 0) return findings;
  const key = (f: PublishedFinding): string =>
    [RANK[f.level], f.file, f.code, f.message].join('\u0000');
  const all = [...findings, ...added].map((f) => ({ f, k: key(f) }));
  all.sort((a, b) => (a.k < b.k ? -1 : a.k > b.k ? 1 : 0));
  return all.map(({ f }) => f);
}
