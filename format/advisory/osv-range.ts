/**
 * Which versions an entry of an OSV database affects, by the section "Evaluation" of the OSV schema:
 *
 *     { "events": [{ "introduced": "0" }, { "fixed": "1.2.1" }] }
 */

/** Negative when `a` is lower. */
type CompareVersions = (a: string, b: string) => number;

export interface OsvEvent {
  readonly introduced?: string | undefined;
  readonly fixed?: string | undefined;
  readonly last_affected?: string | undefined;
  readonly limit?: string | undefined;
}

interface OsvRange {
  readonly events: readonly OsvEvent[];
}

export interface OsvAffected {
  readonly ranges?: readonly OsvRange[] | undefined;
  readonly versions?: readonly string[] | undefined;
}

/** Stands before every version in `introduced`. */
export const BEGINNING = '0';

/** Whether `version` is among the affected ones. */
export function isAffected(
  version: string,
  { ranges = [], versions = [] }: OsvAffected,
  compare: CompareVersions,
): boolean {
  if (versions.some((one) => one === version || compare(one, version) === 0)) return true;
  return ranges.some((range) => isInRange(version, range, compare));
}

function isInRange(version: string, { events }: OsvRange, compare: CompareVersions): boolean {
  const limits = events.flatMap(({ limit }) => limit ?? []);
  const isLimited = limits.length > 0 && !limits.includes('*');
  if (isLimited && limits.every((limit) => compare(version, limit) >= 0)) return false;
  let isIn = false;
  for (const { introduced, fixed, last_affected } of inOrder(events, compare)) {
    if (introduced !== undefined && isReached(introduced)) isIn = true;
    if (fixed !== undefined && compare(version, fixed) >= 0) isIn = false;
    if (last_affected !== undefined && compare(version, last_affected) > 0) isIn = false;
  }
  return isIn;

  function isReached(introduced: string): boolean {
    return introduced === BEGINNING || compare(version, introduced) >= 0;
  }
}

/** Events from low to high; those of one version stay as they were written. */
function inOrder(events: readonly OsvEvent[], compare: CompareVersions): OsvEvent[] {
  return events
    .filter((event) => versionOf(event) !== '')
    .sort((a, b) => {
      const [first, second] = [versionOf(a), versionOf(b)];
      if (first === second) return 0;
      if (first === BEGINNING || second === BEGINNING) return first === BEGINNING ? -1 : 1;
      return compare(first, second);
    });
}

/** `""` for a limit, which is no step. */
function versionOf({ introduced, fixed, last_affected }: OsvEvent): string {
  return introduced ?? fixed ?? last_affected ?? '';
}
