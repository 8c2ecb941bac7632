/**
 * The versions of a head in ascending order, indexed by range, by requirement and by provided stack tag. Each
 * index is computed once for a head. Pure.
 */
import semver from 'semver';
import type { Head, HeadVersion } from '../../format/index/record.ts';
import { interval, intersect, setOf, subtract, unite, type VersionSet } from './incompatibility.ts';
import { firstPublications } from '../../format/version/semver-range.ts';

/** What some versions require of one build. */
interface Requirement {
  readonly range: string;
  /** The versions that require it in exactly this range. */
  readonly by: VersionSet;
}

const known = new WeakMap<Head, HeadVersions>();

/** The versions of `head`. */
export function headVersions(head: Head): HeadVersions {
  let versions = known.get(head);
  if (versions === undefined) known.set(head, (versions = new HeadVersions(head)));
  return versions;
}

/** The builds that `version` requires, in the order of its manifest. */
export function requiredIds({ builds, builds_order: order = [] }: HeadVersion): string[] {
  // `builds_order` may list ids that are not in `builds`: they are ignored.
  return [...new Set([...order.filter((id) => Object.hasOwn(builds, id)), ...Object.keys(builds)])];
}

export class HeadVersions {
  /** Lowest first. */
  readonly list: readonly HeadVersion[];
  readonly #parsed: readonly semver.SemVer[];
  readonly #prereleases: VersionSet;
  readonly #ranges = new Map<string, VersionSet>();
  #firsts: VersionSet | undefined;
  #requirements: ReadonlyMap<string, readonly Requirement[]> | undefined;
  #providers: ReadonlyMap<string, VersionSet> | undefined;

  constructor({ versions }: Head) {
    const parsed = versions.map((version) => {
      return { version, number: new semver.SemVer(version.version) };
    });
    // A head has its highest version first.
    parsed.reverse();
    if (parsed.some((entry, at) => at > 0 && compare(parsed[at - 1]!, entry) > 0)) {
      parsed.sort(compare);
    }
    this.list = parsed.map(({ version }) => version);
    this.#parsed = parsed.map(({ number }) => number);
    this.#prereleases = setOf(
      this.#parsed.flatMap(({ prerelease }, at) => (prerelease.length > 0 ? [at] : [])),
    );
  }

  get all(): VersionSet {
    return interval(0, this.list.length);
  }

  /** The versions that repeat no earlier published version of equal precedence. */
  get firsts(): VersionSet {
    return (this.#firsts ??= this.#findFirsts());
  }

  /** The versions for which `satisfies` of `format/` is true. */
  inRange(range: string): VersionSet {
    let set = this.#ranges.get(range);
    if (set === undefined) this.#ranges.set(range, (set = this.#findRange(range)));
    return set;
  }

  /** The versions for which `isWanted` holds. */
  where(isWanted: (version: HeadVersion) => boolean): VersionSet {
    return setOf(this.list.flatMap((version, at) => (isWanted(version) ? [at] : [])));
  }

  /** By required build: the ranges in which versions require it. */
  get requirements(): ReadonlyMap<string, readonly Requirement[]> {
    return (this.#requirements ??= this.#findRequirements());
  }

  /** By stack tag: the versions that provide it. */
  get providers(): ReadonlyMap<string, VersionSet> {
    return (this.#providers ??= this.#findProviders());
  }

  #findFirsts(): VersionSet {
    // Equal versions are neighbours, and hardly any head has some.
    const isRepeating = this.#parsed.some(
      (number, at) => at > 0 && this.#parsed[at - 1]!.compare(number) === 0,
    );
    if (!isRepeating) return this.all;
    const firsts = new Set(firstPublications(this.list));
    return this.where((version) => firsts.has(version));
  }

  #findRange(text: string): VersionSet {
    let set: VersionSet = [];
    for (const comparators of new semver.Range(text).set) {
      set = unite(set, this.#matching(comparators));
    }
    return set;
  }

  /** The interval between the bounds, with those prereleases that a comparator admits. */
  #matching(comparators: readonly semver.Comparator[]): VersionSet {
    let [start, end] = [0, this.#parsed.length];
    for (const { operator, semver: bound } of comparators) {
      // The comparator of "*" has no version.
      if (!(bound instanceof semver.SemVer)) continue;
      const from = this.#firstAt((number) => number.compare(bound) >= 0);
      const after = this.#firstAt((number) => number.compare(bound) > 0);
      if (operator === '>=' || operator === '') start = Math.max(start, from);
      if (operator === '>') start = Math.max(start, after);
      if (operator === '<=' || operator === '') end = Math.min(end, after);
      if (operator === '<') end = Math.min(end, from);
    }
    const inside = interval(start, end);
    const prereleases = intersect(inside, this.#prereleases);
    if (prereleases.length === 0) return inside;
    let set = subtract(inside, prereleases);
    for (const { semver: bound } of comparators) {
      // A prerelease is in the range where a comparator names one of the same three numbers.
      if (!(bound instanceof semver.SemVer) || bound.prerelease.length === 0) continue;
      const first = this.#firstAt((number) => number.compareMain(bound) >= 0);
      const after = this.#firstAt((number) => number.compareMain(bound) > 0);
      set = unite(set, intersect(prereleases, interval(first, after)));
    }
    return set;
  }

  /** The first position for which `isReached` is true; it must be true for all later ones. */
  #firstAt(isReached: (number: semver.SemVer) => boolean): number {
    let [low, high] = [0, this.#parsed.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isReached(this.#parsed[middle]!)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #findRequirements(): ReadonlyMap<string, readonly Requirement[]> {
    const positions = new Map<string, Map<string, number[]>>();
    for (const [at, { builds }] of this.list.entries()) {
      for (const [id, range] of Object.entries(builds)) {
        let ofId = positions.get(id);
        if (ofId === undefined) positions.set(id, (ofId = new Map()));
        const ofRange = ofId.get(range);
        if (ofRange === undefined) ofId.set(range, [at]);
        else ofRange.push(at);
      }
    }
    const found = new Map<string, readonly Requirement[]>();
    for (const [id, ofId] of positions) {
      found.set(
        id,
        [...ofId].map(([range, list]) => ({ range, by: setOf(list) })),
      );
    }
    return found;
  }

  #findProviders(): ReadonlyMap<string, VersionSet> {
    const positions = new Map<string, number[]>();
    for (const [at, { provides }] of this.list.entries()) {
      for (const tag of new Set(provides)) {
        const list = positions.get(tag);
        if (list === undefined) positions.set(tag, [at]);
        else list.push(at);
      }
    }
    return new Map([...positions].map(([tag, list]) => [tag, setOf(list)]));
  }
}

interface Parsed {
  readonly version: HeadVersion;
  readonly number: semver.SemVer;
}

function compare(a: Parsed, b: Parsed): number {
  const order = a.number.compare(b.number) || a.number.compareBuild(b.number);
  if (order !== 0) return order;
  return a.version.version < b.version.version ? -1 : 1;
}
