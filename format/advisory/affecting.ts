/** Which advisories affect a version of a build. */
import { comparePrecedence } from '../version/semver-range.ts';
import type { Advisory } from './advisory.ts';
import { isAffected } from './osv-range.ts';

/** Their ids, in the order of `advisories`, without withdrawn ones. */
export function affecting(
  build: string,
  version: string,
  advisories: readonly Advisory[],
): string[] {
  return advisories
    .filter(({ withdrawn }) => withdrawn === undefined)
    .filter(({ affected }) =>
      affected.some((one) => {
        return one.database_specific.build === build && isAffected(version, one, comparePrecedence);
      }),
    )
    .map(({ id }) => id);
}
