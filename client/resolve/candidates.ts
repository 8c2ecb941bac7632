/** The versions of a build that may be chosen, and the one that is tried first. Pure. */
import { compareVersions, hasSamePrecedence } from '../../format/version/semver-range.ts';
import type { Head, HeadVersion } from '../../format/index/record.ts';
import { headVersions, type HeadVersions } from './head-versions.ts';
import { namesExactly, type BuildRequest } from './request.ts';
import {
  intersect,
  isSubset,
  lastOf,
  subtract,
  unite,
  negate,
  type VersionSet,
  type Incompatibility,
  type Term,
} from './incompatibility.ts';
import type { Lock } from '../../format/project/lock.ts';
import type { PartialSolution } from './partial-solution.ts';

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
  readonly withdrawn: VersionSet;

  /** @param requests those for this build */
  constructor(head: Head, requests: readonly BuildRequest[], installed: Movable | undefined) {
    const versions = (this.versions = headVersions(head));
    const isInstalled = ({ version }: HeadVersion): boolean => version === installed?.version;
    const isNamed = ({ version }: HeadVersion): boolean =>
      requests.some((request) => namesExactly(request, version));
    this.withdrawn = versions.where((v) => v.withdrawn === true);
    const isLeaving = versions.list.some((v) => isInstalled(v) && v.withdrawn === true);
    const isLower = ({ version }: HeadVersion): boolean =>
      installed?.requirement === 'raise' &&
      !isLeaving &&
      compareVersions(version, installed.version) < 0 &&
      !hasSamePrecedence(version, installed.version);
    const usable = versions.where(
      (v) =>
        isInstalled(v) ||
        ((v.yanked === false || (isNamed(v) && v.withdrawn !== true)) && !isLower(v)),
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
    if (intersect(set, this.withdrawn).length > 0) {
      const present = subtract(set, this.withdrawn);
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

/** What an update asks the resolver for. Pure. */
interface UpdateRequirements {
  readonly lock: Pick<Lock, 'builds'>;
  /** Builds to update; empty: all. A range replaces the one that the lock records. */
  readonly requests: readonly BuildRequest[];
  /** Whether the recorded ranges of the builds to update count no more. */
  readonly latest: boolean;
}

/** All that the user asked for once, with new ranges for what is to be updated. */
export function updateRequests({ lock, requests, latest }: UpdateRequirements): {
  requests: BuildRequest[];
  movable: Map<string, Movable>;
} {
  const asked = new Map(requests.map((request) => [request.id, request]));
  const isTarget = (id: string): boolean => asked.size === 0 || asked.has(id);
  const solveFor: BuildRequest[] = [];
  const movable = new Map<string, Movable>();
  for (const [id, { version, requested }] of Object.entries(lock.builds)) {
    const range = asked.get(id)?.range;
    const requirement = !isTarget(id) ? 'keep' : range === undefined ? 'raise' : 'free';
    movable.set(id, { version, requirement });
    if (range !== undefined) solveFor.push({ id, range });
    else if (requested !== undefined) {
      // "*" lets prereleases out, which a prerelease that is installed need not leave.
      solveFor.push({ id, range: latest && isTarget(id) ? '*' : requested });
    }
  }
  return { requests: solveFor, movable };
}

/**
 * Unit propagation: when all terms of an incompatibility except one hold, the negation of that one is derived.
 * Each incompatibility is watched at two of its terms, so that it is examined only when one of these may have
 * become satisfied.
 */
export class UnitPropagation {
  readonly #solution: PartialSolution;
  /** By build: the incompatibilities that are watched at a term about it. */
  readonly #watched: Incompatibility[][] = [];
  /** Builds with new assignments that were not propagated yet. */
  readonly #changed = new Set<number>();
  /** How many incompatibilities were examined. */
  work = 0;

  constructor(solution: PartialSolution) {
    this.#solution = solution;
  }

  /** Adds `incompatibility`; returns whether it is in conflict with the partial solution. */
  add(incompatibility: Incompatibility): boolean {
    const { terms } = incompatibility;
    // A satisfied term that is watched must be the first that backtracking unsatisfies.
    terms.sort((a, b) => this.#satisfiedAt(b) - this.#satisfiedAt(a));
    for (const { build } of terms.slice(0, 2)) (this.#watched[build] ??= []).push(incompatibility);
    return this.review(incompatibility);
  }

  /** Derives what `incompatibility` forces; returns whether it is in conflict. */
  review(incompatibility: Incompatibility): boolean {
    const open = incompatibility.terms.filter((term) => !this.#solution.isSatisfied(term));
    if (open.length === 0) return true;
    if (open.length === 1) this.#derive(open[0]!, incompatibility);
    return false;
  }

  /** Marks `build` for the next `propagate`. */
  touch(build: number): void {
    this.#changed.add(build);
  }

  /** Derives all that follows; returns an incompatibility that is in conflict, if there is one. */
  propagate(): Incompatibility | undefined {
    for (const build of this.#changed) {
      this.#changed.delete(build);
      const conflict = this.#propagateFrom(build);
      if (conflict === undefined) continue;
      this.#changed.clear();
      return conflict;
    }
    return undefined;
  }

  #propagateFrom(build: number): Incompatibility | undefined {
    const watched = this.#watched[build] ?? [];
    // Newer incompatibilities are more general and force more.
    for (let at = watched.length - 1; at >= 0; at -= 1) {
      this.work += 1;
      const incompatibility = watched[at]!;
      const { terms } = incompatibility;
      const place = terms[0]!.build === build ? 0 : 1;
      if (!this.#solution.isSatisfied(terms[place]!)) continue;
      const other = terms[1 - place];
      if (other === undefined) return incompatibility;
      if (this.#solution.isContradicted(other)) continue;
      if (this.#watchAnother(incompatibility, place)) {
        watched[at] = watched.at(-1)!;
        watched.pop();
      } else if (this.#solution.isSatisfied(other)) {
        return incompatibility;
      } else {
        this.#derive(other, incompatibility);
      }
    }
    return undefined;
  }

  /** Watches a term that does not hold yet, instead of the one at `place`. */
  #watchAnother(incompatibility: Incompatibility, place: number): boolean {
    const { terms } = incompatibility;
    for (let at = 2; at < terms.length; at += 1) {
      const term = terms[at]!;
      if (this.#solution.isSatisfied(term)) continue;
      [terms[at], terms[place]] = [terms[place]!, term];
      (this.#watched[term.build] ??= []).push(incompatibility);
      return true;
    }
    return false;
  }

  #derive(open: Term, cause: Incompatibility): void {
    if (this.#solution.isContradicted(open)) return;
    this.#solution.derive(negate(open), cause);
    this.#changed.add(open.build);
  }

  #satisfiedAt(term: Term): number {
    return this.#solution.satisfier(term)?.level ?? Number.MAX_SAFE_INTEGER;
  }
}
