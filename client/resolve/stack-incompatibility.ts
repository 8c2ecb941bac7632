/**
 * Incompatibilities for stack tags that nothing provides. A build is never added because it provides a tag:
 * only requests and requirements add builds.
 */
import type { BuildTable, Fact, ResolveInput } from './build-table.ts';
import { admits } from '../../format/version/tag-version.ts';
import { intersect, subtract, unite, type VersionSet } from './incompatibility.ts';
import type { HeadVersion } from '../../format/index/record.ts';
import type { LockedBuild } from '../../format/project/lock.ts';
import { toSemver } from '../../format/project/requirement.ts';
import { isIn, type StackFact } from '../../format/project/stack-fact.ts';
import { compareVersions, rangesIntersect } from '../../format/version/semver-range.ts';

/** A version of a build that needs a tag. */
interface Need {
  readonly build: number;
  readonly position: number;
  readonly tag: string;
  readonly range: string;
}

/** Forbids a version that needs a tag which no build in reach provides; all builds in reach must be known. */
export function unreachableTag(
  input: ResolveInput,
  builds: BuildTable,
  chosen: ReadonlyMap<number, number>,
  build: number,
  position: number,
): Fact | undefined {
  const version = builds.candidates(build)!.at(position);
  for (const [tag, range] of openTags(input, version)) {
    const need = { build, position, tag, range };
    const isProvided = builds
      .inReach()
      .some((other) => providersOf(builds, other, need).length > 0);
    if (!isProvided) return factOf(builds, chosen, need, needing(builds, need), []);
  }
  return undefined;
}

/**
 * Forbids a version that was measured not to work with what the project has of a tag or package: what is older than the oldest
 * that works. An installed version stays possible.
 */
export function belowMeasured(
  input: ResolveInput,
  builds: BuildTable,
  build: number,
  position: number,
): Fact | undefined {
  const candidates = builds.candidates(build)!;
  const own = candidates.at(position);
  const installed = input.movable?.get(builds.idOf(build))?.version;
  const tag = own.version === installed ? undefined : belowMeasuredTag(input, own);
  if (tag === undefined) return undefined;
  const alike = candidates.versions.where((other) => {
    const from = other.measured?.[tag]?.from;
    return other.version !== installed && from !== undefined && isBelow(input.stack.get(tag), from);
  });
  const versions = intersect(alike, candidates.eligible);
  const { from, as: measured = own.version } = own.measured![tag]!;
  const range = `>=${from}`;
  return {
    terms: [{ build, isPositive: true, versions }],
    cause: { kind: 'stack', build, version: own.version, tag, range, found: [], measured },
  };
}

/** The first tag of which the project has an older version than any that works with `version`. */
export function belowMeasuredTag(
  { stack, assumed }: Pick<ResolveInput, 'stack' | 'assumed'>,
  { requires, measured = {} }: HeadVersion,
): string | undefined {
  const below = Object.entries(measured).find(([tag, { from }]) => {
    // What its own range refuses is reported as that.
    if (!isIn(stack, tag, requires[tag] ?? '*')) return false;
    return from !== undefined && assumed?.has(tag) !== true && isBelow(stack.get(tag), from);
  });
  return below?.[0];
}

/**
 * Whether the project has an older minor version: of each minor version one patch is measured. A range of which nothing is
 * installed yet counts by the newest that it permits.
 */
function isBelow(fact: StackFact | undefined, from: string): boolean {
  if (fact?.version === undefined || fact.isDevelopment === true) return false;
  const line = toSemver(from)?.replace(/\d+$/, '0');
  const own = toSemver(fact.version);
  if (line === undefined || own === undefined || compareVersions(own, line) >= 0) return false;
  return fact.isLowest !== true || !rangesIntersect(fact.range ?? '*', `>=${line}`);
}

/** Of each tag of which the project admits a version that is too old, though the one in use is not: a clause about it. */
export function belowInUse(
  { requires, measured = {} }: HeadVersion,
  stack: ReadonlyMap<string, StackFact>,
): string[] {
  return [...stack].flatMap(([tag, { version, source, lowest }]) => {
    if (lowest === undefined) return [];
    const from = measured[tag]?.from;
    const range = requires[tag] ?? (from === undefined ? '*' : `>=${from}`);
    if (admits(lowest.version, range)) return [];
    const found = `${version} is ${source}, but ${lowest.source} admits ${lowest.version}`;
    return [`needs ${tag} ${range}: ${found}`];
  });
}

/** Of each tag whose newest measured version is older than what the project has: a clause about it. */
export function aboveMeasured(
  { measured = {} }: HeadVersion,
  stack: ReadonlyMap<string, StackFact>,
): string[] {
  return Object.entries(measured).flatMap(([tag, { to }]) => {
    const { version, source, isDevelopment } = stack.get(tag) ?? {};
    const [own, newest] = [version, to].map((text) => lineOf(tag, text ?? ''));
    if (isDevelopment === true || own === undefined || newest === undefined) return [];
    if (compareVersions(own, newest) <= 0) return [];
    return [`was measured with ${tag} up to ${to}, and the project has ${version} (${source})`];
  });
}

/** What is measured once for all of it: a major version, of Python, TypeScript and before 1.0.0 a minor one. */
function lineOf(tag: string, version: string): string | undefined {
  const own = toSemver(version);
  const isMinor = tag === 'python' || tag === 'typescript' || own?.startsWith('0.') === true;
  return isMinor ? own?.replace(/\d+$/, '0') : own?.replace(/\d+\.\d+$/, '0.0');
}

/**
 * Forbids a choice that is complete except for a tag; `undefined` when every tag is provided. All builds in
 * reach must be known when a tag is not provided.
 * @param chosen the position of the version of each build
 * @param needsReach called before the builds in reach are examined; returns whether all are known
 */
export function missingTag(
  input: ResolveInput,
  builds: BuildTable,
  chosen: ReadonlyMap<number, number>,
  needsReach: () => boolean,
): Fact | 'unknown' | undefined {
  for (const [build, position] of chosen) {
    for (const [tag, range] of openTags(input, builds.candidates(build)!.at(position))) {
      const need = { build, position, tag, range };
      if (isProvidedBy(builds, chosen, need)) continue;
      return needsReach() ? tagFact(builds, chosen, need) : 'unknown';
    }
  }
  return undefined;
}

/** The tag stays missing until a chosen build has a version that provides it or leads to a build that does. */
function tagFact(builds: BuildTable, chosen: ReadonlyMap<number, number>, need: Need): Fact {
  const leading = absentProviders(builds, chosen, need);
  const others = [...chosen.keys()].filter((other) => other !== need.build);
  const terms = others.flatMap((build) => {
    const versions = unite(providersOf(builds, build, need), requiring(builds, build, leading));
    return versions.length === 0 ? [] : [{ build, isPositive: false, versions }];
  });
  const own = subtract(needing(builds, need), requiring(builds, need.build, leading));
  return factOf(builds, chosen, need, own, terms);
}

function factOf(
  builds: BuildTable,
  chosen: ReadonlyMap<number, number>,
  { build, position, tag, range }: Need,
  own: VersionSet,
  terms: Fact['terms'],
): Fact {
  const { version } = builds.candidates(build)!.at(position);
  const others = [...chosen].map(
    ([other, at]) => [other, builds.candidates(other)!.at(at)] as const,
  );
  const found = others
    .filter(([, { provides }]) => provides.includes(tag))
    .map(([other, provider]) => ({ id: builds.idOf(other), version: provider.version }));
  return {
    terms: [{ build, isPositive: true, versions: own }, ...terms],
    cause: { kind: 'stack', build, version, tag, range, found },
  };
}

function isProvidedBy(
  builds: BuildTable,
  chosen: ReadonlyMap<number, number>,
  need: Need,
): boolean {
  return [...chosen].some(([build, position]) => {
    const { version, provides } = builds.candidates(build)!.at(position);
    return provides.includes(need.tag) && admits(version, need.range);
  });
}

/** The versions of the needing build that need the tag in the same range and do not provide it themselves. */
function needing(builds: BuildTable, { build, tag, range }: Need): VersionSet {
  const candidates = builds.candidates(build)!;
  const alike = candidates.versions.where(
    ({ requires, provides, version }) =>
      requires[tag] === range && !(provides.includes(tag) && admits(version, range)),
  );
  return intersect(alike, candidates.eligible);
}

function providersOf(builds: BuildTable, build: number, { tag, range }: Need): VersionSet {
  const { versions, eligible } = builds.candidates(build)!;
  const providers = versions.providers.get(tag);
  if (providers === undefined) return [];
  const admitted = range.trim() === '*' ? versions.all : versions.inRange(range);
  return intersect(intersect(providers, admitted), eligible);
}

/** Builds that are not chosen and provide the tag in some version, or lead to such a build. */
function absentProviders(
  builds: BuildTable,
  chosen: ReadonlyMap<number, number>,
  need: Need,
): ReadonlySet<string> {
  const absent = builds.inReach().filter((build) => !chosen.has(build));
  const requirers = new Map<string, number[]>();
  for (const build of absent) {
    for (const id of builds.candidates(build)!.versions.requirements.keys()) {
      const list = requirers.get(id);
      if (list === undefined) requirers.set(id, [build]);
      else list.push(build);
    }
  }
  const leading = new Set(
    absent
      .filter((build) => providersOf(builds, build, need).length > 0)
      .map((b) => builds.idOf(b)),
  );
  for (const id of leading) {
    for (const build of requirers.get(id) ?? []) leading.add(builds.idOf(build));
  }
  return leading;
}

function requiring(builds: BuildTable, build: number, ids: ReadonlySet<string>): VersionSet {
  const { versions, eligible } = builds.candidates(build)!;
  let set: VersionSet = [];
  for (const [id, requirements] of versions.requirements) {
    if (!ids.has(id)) continue;
    for (const { by } of requirements) set = unite(set, by);
  }
  return intersect(set, eligible);
}

/** Which stack tags of a build are met: by the project, by installed builds, by the build itself. */
export interface TagInput {
  readonly locked: ReadonlyMap<string, Pick<LockedBuild, 'version' | 'provides'>>;
  readonly stack: ReadonlyMap<string, StackFact>;
  readonly assumed?: ReadonlySet<string>;
}

/** Whether the project, or a build that is installed in it, provides `tag` in `range`. */
export function isInProject(
  { assumed, stack, locked }: TagInput,
  tag: string,
  range: string,
): boolean {
  if (assumed?.has(tag) === true) return true;
  if (isIn(stack, tag, range)) return true;
  return [...locked.values()].some(
    (build) => build.provides.includes(tag) && admits(build.version, range),
  );
}

/** The tags of `version` that other builds of a solution must provide: tag and range, sorted. */
function openTags(input: TagInput, version: HeadVersion): [string, string][] {
  return Object.entries(version.requires)
    .filter(([tag, range]) => {
      const isOwn = version.provides.includes(tag) && admits(version.version, range);
      return !isOwn && !isInProject(input, tag, range);
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
