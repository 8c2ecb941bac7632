/** Whether an installed or chosen version meets a range. */
import { satisfies } from './semver-range.ts';

/** Whether `version` lies in `range`; `*` admits prereleases too, because the version is already chosen. */
export function admits(version: string, range: string = '*'): boolean {
  return range.trim() === '*' || satisfies(version, range);
}
