/**
 * Adds up the evidence of a build: what it reads, where it sends or what it runs, what starts it, what hides it. One pattern alone
 * never makes a build dangerous; `format/finding/evidence.ts` has the kind and the weight of each finding.
 */
import { evidenceOf, type EvidenceKind } from '../format/finding/evidence.ts';
import { findingGroup, type Finding } from '../format/finding/finding.ts';
import type { Risk } from '../format/index/record.ts';

/** The sum of weights, and the kinds, from which a build with an error is `danger`. */
const DANGER = { weight: 1, kinds: 2 };
/** A finding below it is four times as frequent in benign builds. */
const CAUTION = -2;

/** How the findings of a build add up. */
interface Sum {
  readonly weight: number;
  readonly kinds: ReadonlySet<EvidenceKind>;
}

/** The evidence of findings: each code counts once, at its highest weight. */
export function sumOf(findings: readonly Finding[]): Sum {
  const weights = new Map<string, number>();
  const kinds = new Set<EvidenceKind>();
  for (const { code, level } of findings) {
    const evidence = evidenceOf(code, level);
    if (evidence === undefined || (level !== 'error' && evidence.weight < CAUTION)) continue;
    for (const kind of evidence.kinds) kinds.add(kind);
    // A finding that benign builds have more often excuses no other.
    weights.set(code, Math.max(weights.get(code) ?? 0, evidence.weight));
  }
  return { weight: [...weights.values()].reduce((sum, one) => sum + one, 0), kinds };
}

/** The findings with the levels that all of them together justify. */
export function addUp(findings: readonly Finding[]): Finding[] {
  const { weight, kinds } = sumOf(findings);
  const isDanger = weight >= DANGER.weight && kinds.size >= DANGER.kinds;
  const isError = findings.some(({ code, level }) => level === 'error' && evidenceOf(code, level));
  // What starts by itself is a reason to look at the rest, and no evidence without it.
  const isCaution = isError || [...kinds].some((kind) => kind !== 'trigger');
  return findings.map((found) => {
    if (evidenceOf(found.code, found.level) === undefined) return found;
    if (found.level === 'error') return isDanger ? found : { ...found, level: 'warn' };
    return isCaution ? found : { ...found, level: 'info' };
  });
}

/** `ok` without a safety finding above info, `caution` with some at warn, `danger` with some at error. */
export function riskOf(findings: readonly Finding[]): Risk {
  const safety = findings.filter((f) => findingGroup(f) === 'safety');
  if (safety.some((f) => f.level === 'error')) return 'danger';
  return safety.some((f) => f.level === 'warn') ? 'caution' : 'ok';
}
