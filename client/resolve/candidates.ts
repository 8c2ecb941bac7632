/** The versions of a build that may be chosen, and the one that is tried first. Pure. */
import type { Head, HeadVersion } from '../../format/index/record.ts';
import { isGone } from '../../format/registry/status.ts';
import { compareVersions, hasSamePrecedence } from '../../format/version/semver-range.ts';
import { headVersions, type HeadVersions } from './head-versions.ts';
import {
  intersect,
  isSubset,
  lastOf,
  subtract,
  unite,
  type VersionSet,
} from './incompatibility.ts';
import { type BuildRequest, namesExactly } from './request.ts';

/** An installed build in an update: its version is eligible even if it was yanked since. */
export interface Movable {
  readonly version: string;
  /** `keep`: first choice is the installed version; `raise`: the highest, and never a lower one; `free`: any. */
  readonly requirement: 'keep' | 'raise' | 'free';
}

export class Candidates {
  readonly versions: HeadVersions;
  /**
   * The versions that may be chosen: not yanked and no repetition of an earlier publication, unless it is named or
   * installed; no lower one in a raise. A withdrawn version only while it is installed: a raise leaves it, downwards if need be.
   */
  readonly eligible: VersionSet;
  /** The versions that are named or installed: `*` includes them even if they are prereleases. */
  readonly #chosen: VersionSet;
  readonly #kept: VersionSet;
  readonly gone: VersionSet;

  /** @param requests those for this build */
  constructor(head: Head, requests: readonly BuildRequest[], installed: Movable | undefined) {
    const versions = (this.versions = headVersions(head));
    const isInstalled = ({ version }: HeadVersion): boolean => version === installed?.version;
    const isNamed = ({ version }: HeadVersion): boolean =>
      requests.some((request) => namesExactly(request, version));
    this.gone = versions.where((v) => isGone(v.status));
    const isLeaving = versions.list.some((v) => isInstalled(v) && isGone(v.status));
    const isLower = ({ version }: HeadVersion): boolean =>
      installed?.requirement === 'raise' &&
      !isLeaving &&
      compareVersions(version, installed.version) < 0 &&
      !hasSamePrecedence(version, installed.version);
    const usable = versions.where(
      (v) =>
        isInstalled(v) ||
        ((v.status.is === 'open' || (isNamed(v) && !isGone(v.status))) && !isLower(v)),
    );
    this.#chosen = versions.where((v) => isInstalled(v) || isNamed(v));
    this.eligible = intersect(usable, unite(versions.firsts, this.#chosen));
    this.#kept = installed?.requirement === 'keep' ? versions.where(isInstalled) : [];
  }

  /** What a request of the user admits: the version that it names exactly, else every one in its range. */
  requested(range: string | undefined): VersionSet {
    const named = this.versions.where(({ version }) => namesExactly({ range }, version));
    return named.length > 0 ? intersect(this.eligible, named) : this.inRange(range);
  }

  /** The eligible versions in `range`; `undefined` stands for `*`. */
  inRange(range: string = '*'): VersionSet {
    const set = this.versions.inRange(range);
    return intersect(this.eligible, range.trim() === '*' ? unite(set, this.#chosen) : set);
  }

  /**
   * The position of `set` that is tried first: the installed version that is to stay, else the highest; of
   * versions of equal precedence the one that was published first.
   */
  first(set: VersionSet): number {
    if (this.#kept.length > 0 && isSubset(this.#kept, set)) return lastOf(this.#kept)!;
    if (intersect(set, this.gone).length > 0) {
      const present = subtract(set, this.gone);
      if (present.length > 0) return this.first(present);
    }
    const highest = lastOf(set)!;
    const { version } = this.at(highest);
    const first = lastOf(intersect(set, this.versions.firsts));
    return first !== undefined && hasSamePrecedence(this.at(first).version, version)
      ? first
      : highest;
  }

  at(position: number): HeadVersion {
    return this.versions.list[position]!;
  }
}
