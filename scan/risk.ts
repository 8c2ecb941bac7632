/** Computes the risk from safety findings only, so that style never makes a build look unsafe. */
import { findingGroup, type Finding } from '../format/finding/finding.ts';
import type { Risk } from '../format/index/record.ts';

/** `ok` without a safety finding above info, `caution` with some at warn, `danger` with some at error. */
export function riskOf(findings: readonly Finding[]): Risk {
  const safety = findings.filter((f) => findingGroup(f) === 'safety');
  if (safety.some((f) => f.level === 'error')) return 'danger';
  return safety.some((f) => f.level === 'warn') ? 'caution' : 'ok';
}
