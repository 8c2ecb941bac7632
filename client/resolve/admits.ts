/** Whether a version that is there meets a range. */
import { satisfies } from '../../format/version/semver-range.ts';

/** Whether `version` lies in `range`; in `*` also a prerelease, for it is there. */
export function admits(version: string, range: string = '*'): boolean {
  return range.trim() === '*' || satisfies(version, range);
}
