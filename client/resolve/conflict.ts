/** Writes the messages of conflicts between versions. Pure; `resolver.ts` selects what to report. */
import type { StackFact } from '../../format/project/stack-fact.ts';
import { goneProblem, type HeadVersion, type Head } from '../../format/index/record.ts';
import { isGone, reasonOf } from '../../format/registry/status.ts';
import {
  compareVersions,
  isPrerelease,
  rangesIntersect,
  satisfies,
} from '../../format/version/semver-range.ts';
import { isVersion } from '../../format/version/version.ts';
import { compareText } from '../../format/compare-text.ts';
import { admits } from '../../format/version/tag-version.ts';
import { withoutRepetitions, type KnownHead } from './version-age.ts';
import { nearestHint, nearestVersions } from './nearest-versions.ts';
import { type BuildRequest, formatRequest, namesExactly } from './request.ts';

/** A range that a build must lie in, and the build or user that requires it. */
interface Demand {
  readonly id: string;
  /** `undefined`: the user requested the build without a range. */
  readonly range: string | undefined;
  /** The build that requires it, or `undefined` for the user. */
  readonly by: Requirer | undefined;
}

export interface Requirer {
  readonly id: string;
  readonly version: string;
  /** The builds that led to it, nearest first; empty when the user requested it. */
  readonly chain: readonly string[];
}

export interface Conflict {
  readonly kind: 'conflict';
  readonly code:
    | 'ERR_RESOLVE'
    | 'ERR_STACK'
    | 'ERR_BUILD_NOT_FOUND'
    | 'ERR_VERSION_NOT_FOUND'
    | 'ERR_RESOLVE_LIMIT';
  readonly message: string;
  readonly hint?: string;
  /** Of `ERR_STACK`: the tag that is missing, and what the project has of it. */
  readonly need?: StackNeed;
}

interface StackNeed {
  /** The build that has the need. */
  readonly by: string;
  readonly tag: string;
  readonly range: string;
  readonly fact: StackFact | undefined;
  /** Whether something provides it at another version. */
  readonly isProvided: boolean;
}

/** `needs`, or that it was measured, and with which version of the build. */
function needVerb(version: string, measured: string | undefined): string {
  if (measured === undefined) return 'needs';
  return measured === version
    ? 'was measured to work with'
    : `was measured (as ${measured}) to work with`;
}

/** Such as `4.0.3 in node_modules/typescript`. */
function factText({ version, source, isDevelopment }: StackFact): string {
  const where =
    isDevelopment === true ? `${source}, with which the application does not run` : source;
  return `${version ?? 'an unknown version'} in ${where}`;
}

function isNamedBy(demands: readonly Demand[], { version }: HeadVersion): boolean {
  return demands.some((demand) => demand.by === undefined && namesExactly(demand, version));
}

/** Whether `version` may be chosen for every one of `demands`: in all ranges and not yanked. */
function isCandidate(version: HeadVersion, demands: readonly Demand[]): boolean {
  const isNamed = !isGone(version.status) && isNamedBy(demands, version);
  return (
    (isNamed || version.status.is === 'open') &&
    demands.every(({ range = '*' }) => {
      return isNamed ? admits(version.version, range) : satisfies(version.version, range);
    })
  );
}

/** The registry has no build of that id. */
export function missingBuild(demands: readonly Demand[]): Conflict {
  const demand = demands.find(({ by }) => by === undefined) ?? demands[0]!;
  const message =
    demand.by === undefined
      ? `The registry has no build "${demand.id}"`
      : `${sentence(demand)}, and the registry has no such build`;
  const hint =
    demand.by === undefined
      ? 'check the spelling of the id, and the registry that you use'
      : `tell the owner of "${demand.by.id}"`;
  return { kind: 'conflict', code: 'ERR_BUILD_NOT_FOUND', message, hint };
}

/** A demand that excludes the installed version. */
export function lockedConflict(demand: Demand, installed: string): Conflict {
  return {
    kind: 'conflict',
    code: 'ERR_RESOLVE',
    message: `${sentence(demand)}, but "${demand.id}" ${installed} is installed`,
    hint: `adding never changes an installed build; to change it: stackyard update "${demand.id}@${demand.range ?? '*'}"`,
  };
}

/** A version that requires its own build in a range that excludes it. */
export function selfConflict(demand: Demand): Conflict {
  const message = `${sentence(demand)}, which is not the version that requires it`;
  return { kind: 'conflict', code: 'ERR_RESOLVE', message };
}

/** No version of a build lies in all `demands`; at least one demand is given. */
export function noCandidate(known: KnownHead, demands: readonly Demand[]): Conflict {
  const head = withoutRepetitions(known, (version) => isNamedBy(demands, version));
  const fits = (some: readonly Demand[]): boolean =>
    head.versions.some((v) => isCandidate(v, some));
  const opposed = opposedRequests(demands);
  if (opposed !== undefined) return clash(opposed, head);
  const alone = demands.find((demand) => !fits([demand, ...exactDemands(demands)]));
  if (alone !== undefined && !fits([alone])) return noVersion(head, alone);
  const ordered = [...demands].sort(byRequirer);
  for (const [at, first] of ordered.entries()) {
    const second = ordered.slice(at + 1).find((other) => !fits([first, other]));
    if (second !== undefined) return clash([first, second], head);
  }
  return clash(ordered, head);
}

/** Two requests of the user whose ranges exclude each other, whatever versions there are. */
function opposedRequests(demands: readonly Demand[]): [Demand, Demand] | undefined {
  const asked = demands.filter(({ by }) => by === undefined);
  for (const [at, first] of asked.entries()) {
    const second = asked.slice(at + 1).find(({ range = '*' }) => {
      return !rangesIntersect(first.range ?? '*', range);
    });
    if (second !== undefined) return [first, second];
  }
  return undefined;
}

/** What a message needs about a build whose stack tag is not met. */
interface StackFailure {
  readonly build: Requirer;
  /** The requests of the user. */
  readonly requests: readonly BuildRequest[];
  readonly tag: string;
  readonly range: string;
  readonly fact: StackFact | undefined;
  /** Builds that provide the tag at a version outside the range. */
  readonly providers: readonly string[];
  /** Where `range` is what was measured to work: the version that was measured. */
  readonly measured: string | undefined;
  /** The newest version of the build that fits the project's stack. */
  readonly fitting: string | undefined;
}

/** A stack tag that the project does not have, or has at another version. */
export function stackConflict(failure: StackFailure): Conflict {
  const { build, requests, tag, range, fact, providers, measured, fitting } = failure;
  const found: string[] = [];
  if (fact !== undefined) {
    found.push(factText(fact));
  }
  found.push(...providers);
  const what = found.length > 0 ? `found ${found.join(' and ')}` : 'the project has none';
  const named = range === '*' ? tag : `${tag} ${range}`;
  const isRuntime = tag === 'node' || tag === 'python';
  const search = isRuntime ? '' : `: stackyard search provides:${tag}`;
  const way = `have ${named} in the project, or add a build that provides it${search}`;
  const message = `${describe(build)} ${needVerb(build.version, measured)} ${named}: ${what}`;
  const need = { by: build.id, tag, range, fact, isProvided: found.length > 0 };
  const isRequested = requests.some(({ id }) => id === build.id);
  const other =
    fitting === undefined || !isRequested
      ? ''
      : `; "${build.id}@${fitting}" fits the stack of the project`;
  return { kind: 'conflict', code: 'ERR_STACK', message, hint: way + other, need };
}

/** The search reached its limit; `builds` are in most of the conflicts. */
export function limitReached(steps: number, builds: readonly string[]): Conflict {
  const hanging = builds.map((id) => `"${id}"`).join(', ');
  const where = builds.length === 0 ? '' : `: most conflicts are about ${hanging}`;
  return {
    kind: 'conflict',
    code: 'ERR_RESOLVE_LIMIT',
    message: `Cannot choose versions: gave up after ${steps} steps${where}`,
    hint: 'ask for exact versions of these builds, or for fewer builds at once',
  };
}

/** Requests for exact versions, which make a yanked version eligible for the other demands too. */
function exactDemands(demands: readonly Demand[]): Demand[] {
  return demands.filter(
    ({ by, range }) => by === undefined && range !== undefined && isVersion(range),
  );
}

function noVersion(head: KnownHead, demand: Demand): Conflict {
  const { text, hint } = noVersionReason(head, demand);
  const message =
    demand.by === undefined ? text.replace(/^every/, 'Every') : `${sentence(demand)}, but ${text}`;
  return { kind: 'conflict', code: 'ERR_VERSION_NOT_FOUND', message, hint };
}

/** Why no version of `head` meets `demand`, as a clause, and what to do. */
function noVersionReason(
  known: KnownHead,
  demand: Demand,
): { readonly text: string; readonly hint: string } {
  const head = withoutRepetitions(known, (version) => isNamedBy([demand], version));
  const range = demand.range ?? '*';
  const all = head.versions.map(({ version }) => version);
  const usable = head.versions.filter(({ status }) => status.is === 'open');
  const hidden = hiddenCandidate(head, [demand]);
  if (hidden !== undefined) {
    const nearest = nearestVersions(
      usable.map((v) => v.version),
      hidden.version.version,
    );
    return {
      text: `"${head.id}" ${hidden.version.version} is too new (${hidden.why})`,
      hint:
        nearest.length === 0
          ? `no version of "${head.id}" is old enough: allow younger ones`
          : `allow younger versions, or one of ${nearest.join(', ')}`,
    };
  }
  const gone = goneReason(head, range);
  if (gone !== undefined) {
    if (demand.by === undefined) return gone;
    const hint = `its tarball is gone: use another version of "${demand.by.id}", or another build`;
    return { text: gone.text, hint };
  }
  const yanked = head.versions.find((v) => {
    return v.status.is === 'yanked' && satisfies(v.version, range);
  });
  if (yanked !== undefined) {
    const which = demand.range === undefined ? '' : ` that fits ${range}`;
    return {
      text: `every version of "${head.id}"${which} is yanked: ${yanked.version} because ${JSON.stringify(reasonOf(yanked.status))}`,
      hint: `use another version, or ask for it all the same with "${head.id}@${yanked.version}"`,
    };
  }
  const text =
    demand.range === undefined
      ? `"${head.id}" has no stable version`
      : `"${head.id}" has no version that fits ${range}`;
  if (usable.length > 0 && usable.every(({ version }) => isPrerelease(version))) {
    const highest = nearestVersions(
      usable.map(({ version }) => version),
      '',
    )[0];
    return { text, hint: `it has only prereleases: ask for one, such as "${head.id}@${highest}"` };
  }
  const nearest = nearestVersions(usable.length > 0 ? usable.map((v) => v.version) : all, range);
  return {
    text: `"${head.id}" has no version that fits ${range}`,
    hint:
      nearest.length === 0
        ? `no version of it is old enough (${head.hidden?.[0]?.why ?? 'it has none'})`
        : nearestHint(nearest),
  };
}

/** The highest hidden version that would meet all `demands`. */
function hiddenCandidate(
  { hidden = [] }: KnownHead,
  demands: readonly Demand[],
): NonNullable<KnownHead['hidden']>[number] | undefined {
  return hidden
    .filter(({ version }) => isCandidate(version, demands))
    .sort((a, b) => compareVersions(b.version.version, a.version.version))[0];
}

function clash(demands: readonly Demand[], head: KnownHead): Conflict {
  const [first, ...rest] = demands;
  const hidden = hiddenCandidate(head, demands);
  const others = rest.map(clause).join(' and ');
  const requests = demands.map(formatRequest).map((text) => JSON.stringify(text));
  const isRequested = demands.every(({ by }) => by === undefined);
  const none = isRequested
    ? `${requests.join(' and ')} have no version in common: leave out one of them`
    : `no version of "${head.id}" fits all: ask for other ranges, or for other versions of the builds that need it`;
  return {
    kind: 'conflict',
    code: 'ERR_RESOLVE',
    message: `${sentence(first!)}, but ${others}`,
    hint:
      hidden === undefined
        ? none
        : `"${head.id}" ${hidden.version.version} fits all and is too new (${hidden.why})`,
  };
}

/** Builds first and the user last, each in the order of ids. */
function byRequirer(a: Demand, b: Demand): number {
  if (a.by === undefined || b.by === undefined) {
    return a.by === b.by ? compareText(a.range ?? '', b.range ?? '') : a.by === undefined ? 1 : -1;
  }
  return compareText(a.by.id, b.by.id);
}

/** A clause that begins a sentence. */
function sentence(demand: Demand): string {
  return clause(demand).replace(/^you/, 'You');
}

function clause({ id, range, by }: Demand): string {
  const what = range === undefined ? `"${id}"` : `"${id}" ${range}`;
  return by === undefined ? `you asked for ${what}` : `${describe(by)} needs ${what}`;
}

function describe({ id, version, chain }: Requirer): string {
  const path = chain.length === 0 ? '' : ` (${chain.map((by) => `needed by ${by}`).join(', ')})`;
  return `"${id}" ${version}${path}`;
}

/** What to say about it; `undefined` when another version is in `range`: one that is yanked only can be asked for. */
function goneReason(
  head: Head,
  range: string,
): { readonly text: string; readonly hint: string } | undefined {
  const inRange = head.versions.filter(({ version }) => {
    return namesExactly({ range }, version) || satisfies(version, range);
  });
  const [first] = inRange;
  if (first === undefined || inRange.some(({ status }) => !isGone(status))) return undefined;
  return goneProblem(head, first.version);
}
