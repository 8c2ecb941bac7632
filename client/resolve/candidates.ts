/** The versions of a build that may be chosen, in the order in which they are tried. Pure. */
import type { Head, HeadVersion } from '../../format/index/head.ts';
import { compareVersions } from '../../format/version/semver-range.ts';
import type { Demand } from './conflict.ts';
import { admits, isCandidate } from './conflict.ts';

/** An installed build in an update: its version counts though it was yanked since. */
export interface Movable {
  readonly version: string;
  /** `keep`: first choice is the installed version; `raise`: the highest, and never a lower one; `free`: any. */
  readonly wish: 'keep' | 'raise' | 'free';
}

/** Those versions of `head` that every demand lets in: highest first, the installed one before to keep it. */
export function candidatesOf(
  { versions }: Head,
  demands: readonly Demand[],
  installed: Movable | undefined,
): HeadVersion[] {
  const isWanted = (version: HeadVersion): boolean => {
    if (version.version === installed?.version) {
      return demands.every(({ range }) => admits(version.version, range));
    }
    if (!isCandidate(version, demands)) return false;
    if (installed?.wish !== 'raise') return true;
    return compareVersions(version.version, installed.version) > 0;
  };
  const rank = ({ version }: HeadVersion): number =>
    installed?.wish === 'keep' && version === installed.version ? 0 : 1;
  return versions
    .filter(isWanted)
    .sort((a, b) => rank(a) - rank(b) || compareVersions(b.version, a.version));
}
