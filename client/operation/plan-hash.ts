/** The name of a plan: another project, other options or another answer of the registry give another. */
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { integrityOf } from '../../format/archive/integrity.ts';
import { planDigest } from './saved-plan.ts';
import type { Plan } from '../plan/plan.ts';

/** What a plan was made for. */
export interface PlanPurpose {
  /** What the plan does: `add`, `update`. */
  readonly action: string;
  /** Absolute path of the project. */
  readonly project: string;
  /** What was asked for, in the order of the asking. */
  readonly requests: readonly string[];
  /** The options that shape what is done. */
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * The digest of a plan and its purpose. The plan holds the digest of every file before and after, the
 * lock among them, so that a change of any of these shows.
 */
export function planHash(plan: Plan, purpose: PlanPurpose): string {
  // Through JSON: canonical JSON refuses `undefined`, which stands for an option that was not given.
  const { warnings } = plan;
  const value: unknown = JSON.parse(JSON.stringify({ plan: planDigest(plan), warnings, purpose }));
  return integrityOf(Buffer.from(canonicalJson(value)));
}
