/** The digest by which a plan is applied as it was shown. Pure. */
import { integrityOf } from '../../format/archive/integrity.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import type { Plan } from './plan.ts';

/** The call that a plan was made for. */
interface PlanPurpose {
  /** The kind of change: `add`, `update`. */
  readonly action: string;
  /** Absolute path of the project. */
  readonly project: string;
  /** The requested builds, in their order on the command line. */
  readonly requests: readonly string[];
  /** The options that influence the change. */
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * The digest of a plan and its purpose. The plan has the digest of every file before and after the
 * change, including the lock, so that any change of these changes the hash.
 */
export function planHash(plan: Plan, purpose: PlanPurpose): string {
  return hashOf({ plan: planDigest(plan), warnings: plan.warnings, purpose });
}

/** The digest of a change without a plan; `data` has the digest of every file before and after it. */
export function dataHash(data: object, purpose: PlanPurpose): string {
  return hashOf({ data, purpose });
}

/** The digest of a plan without its warnings, which change nothing. */
function planDigest(plan: object): string {
  const { warnings: _, ...rest } = plan as Plan;
  return hashOf(rest);
}

function hashOf(value: object): string {
  return integrityOf(Buffer.from(textOf(value)));
}

/** The canonical text of a value, for any order of its keys, without those that are `undefined`. */
function textOf(value: object): string {
  return canonicalJson(JSON.parse(JSON.stringify(value)));
}
