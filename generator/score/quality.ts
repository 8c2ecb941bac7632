/** Quality: 0 to 100, the points of documented criteria; each lost point has a finding. */
import type { Finding } from '../../format/finding.ts';
import type { FindingCode } from '../../format/finding-text.ts';

/** Points that a finding takes away, once however often it is reported. See `docs/scoring.md`. */
export const LOST_POINTS: Partial<Record<FindingCode, number>> = {
  'license-file-missing': 20,
  'license-file-empty': 20,
};

/** 100 less the points that the findings take, never below 0. */
export function qualityOf(findings: readonly Finding[]): number {
  const codes = new Set(findings.map((f) => f.code));
  const lost = [...codes].reduce((sum, code) => sum + (LOST_POINTS[code] ?? 0), 0);
  return Math.max(0, 100 - lost);
}
