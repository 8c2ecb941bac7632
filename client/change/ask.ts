/** What is asked of a project, whoever asks: a command line, an agent, a program that uses the library. */
import { resolve, relative, sep } from 'node:path';
import type { Lock } from '../../format/project/lock.ts';
import { isPrerelease, satisfies } from '../../format/version/semver-range.ts';
import { ClientError } from '../errors.ts';
import { checkInstalledPlaces, parsePlacement } from '../plan/place/placement-folder.ts';
import type { Choices, Plan, Warning } from '../plan/plan.ts';
import type { LocalBuild } from '../project/local-build.ts';
import { parseOwner } from '../resolve/id-parts.ts';
import { type BuildRequest, parseRegistryRequest, parseRequest } from '../resolve/request.ts';
import type { AgeRule } from '../resolve/version-age.ts';

/** A change that someone asks for. */
export interface ProjectAsk {
  readonly command: Plan['command'];
  /** Of an update none stands for all. */
  readonly requests: readonly BuildRequest[];
  /** Those of the requests that are not published yet, by id. */
  readonly local: ReadonlyMap<string, LocalBuild>;
  readonly choices: Choices;
  /** Which versions are too new to be chosen. */
  readonly age?: AgeRule | undefined;
  /** Of an update: whether the ranges of the lock do not count. */
  readonly latest?: boolean;
  /** Of an update: builds that stay as they are, and why. */
  readonly held?: ReadonlyMap<string, Warning>;
  /** Of a removal: whether those that require the builds leave as well. */
  readonly cascade?: boolean;
  /** Of a dry run: whether a failure comes with the smallest set of facts that causes it. */
  readonly explains?: boolean;
}

const NONE: ReadonlyMap<string, LocalBuild> = new Map();

export function askFor(
  command: Plan['command'],
  requests: readonly BuildRequest[],
  choices: Choices,
): ProjectAsk {
  return { command, requests, local: NONE, choices };
}

/**
 * @param texts ids of installed builds with ranges; none for all
 * @param to the folder that one of them moves to
 * @throws {ClientError} `ERR_USAGE`, `ERR_PATH_POLICY`
 */
export function askToUpdate(
  texts: readonly string[],
  choices: Choices,
  { to, latest }: { readonly to?: string | undefined; readonly latest: boolean },
): ProjectAsk {
  const requests = texts.map(parseRequest);
  const own = { ...choices, to: parsePlacement(requests, to) };
  return { ...askFor('update', requests, own), latest };
}

/**
 * @param texts ids of registries, and places of builds that are not published
 * @param place of the project; `from` is the folder of relative paths
 * @throws {ClientError} `ERR_USAGE`, `ERR_INSTALLED`, and those of reading and checking a local build
 */
export async function askToAdd(
  texts: readonly string[],
  choices: Choices,
  place: {
    readonly project: string;
    readonly lock: Lock | undefined;
    readonly from?: string | undefined;
    readonly owner?: string | undefined;
    /** The folder for the build. */
    readonly to?: string | undefined;
  },
): Promise<ProjectAsk> {
  const { lock, owner } = place;
  const sources = texts.filter(isLocalSource);
  if (sources.length === 0 && owner !== undefined) {
    throw new ClientError('ERR_USAGE', 'Option --owner is for builds that are not published yet', {
      hint: 'the id of a build of a registry has its owner: leave --owner out',
    });
  }
  const published = texts.filter((text) => !isLocalSource(text)).map(parseRegistryRequest);
  const local = sources.length === 0 ? NONE : await openLocalBuilds(sources, place);
  const requests = [...published, ...[...local.values()].map(requestOf)];
  const to = parsePlacement(requests, place.to);
  const latest = replacesInstalled(requests, local, lock);
  if (local.size === 0) checkInstalledPlaces(lock, to);
  const own = { ...choices, to, ...(latest ? { on_exists: 'fail' as const } : {}) };
  return { command: latest ? 'update' : 'add', requests, local, choices: own, latest };
}

/** Whether each of the builds is there already, because it was asked for, and meets what is asked now. */
export function isInstalled(lock: Lock | undefined, { requests, local }: ProjectAsk): boolean {
  return (
    local.size === 0 &&
    requests.every(({ id, range, registry }) => {
      const build = lock?.builds[id];
      if (build?.requested === undefined) return false;
      if (registry !== undefined && registry !== build.registry) return false;
      return range === undefined || satisfies(build.version, range);
    })
  );
}

/** The builds at `sources`, by id. @throws {ClientError} those of reading and checking a build */
async function openLocalBuilds(
  sources: readonly string[],
  { project, from = '.', owner }: Omit<Parameters<typeof askToAdd>[2], 'lock' | 'to'>,
): Promise<Map<string, LocalBuild>> {
  const builds = new Map<string, LocalBuild>();
  // The checks of the registry are large, and most calls do not need them.
  const { openLocalBuild } = await import('../project/local-build.ts');
  const login = owner === undefined ? undefined : parseOwner(owner);
  for (const text of sources) {
    const source = sourceInLock(text, resolve(from), project);
    const build = await openLocalBuild({ source, project }, login);
    const other = builds.get(build.id);
    if (other !== undefined) {
      throw new ClientError(
        'ERR_USAGE',
        `"${build.source}" and "${other.source}" are both "${build.id}"`,
        { hint: 'give one of them' },
      );
    }
    builds.set(build.id, build);
  }
  return builds;
}

/** The highest version is the only one; a prerelease is chosen by its name alone. */
function requestOf({ id, head }: LocalBuild): BuildRequest {
  return { id, range: isPrerelease(head.latest) ? head.latest : undefined };
}

/** Whether local builds replace installed ones. @throws {ClientError} `ERR_USAGE` where only some are installed */
function replacesInstalled(
  asked: readonly BuildRequest[],
  local: ReadonlyMap<string, LocalBuild>,
  lock: Lock | undefined,
): boolean {
  const installed = asked.filter(({ id }) => lock?.builds[id] !== undefined);
  if (local.size === 0 || installed.length === 0) return false;
  if (installed.length === asked.length) return true;
  throw new ClientError(
    'ERR_USAGE',
    `"${installed[0]!.id}" is installed already, and other builds are not`,
    { hint: `replace it by the local one on its own, then add the others` },
  );
}
/**
 * Whether a word of `add` is a place and not the id of a build:
 *
 *     ./dates   ../dates   /home/me/dates   ./dates-1.0.0.tgz
 */
export function isLocalSource(text: string): boolean {
  return /^(?:\.{1,2}(?:[/\\]|$)|\/|[A-Za-z]:[/\\])/.test(text);
}

/** The place as the lock of `project` records it: a path from the project. @param folder of relative paths */
function sourceInLock(text: string, folder: string, project: string): string {
  const path = relative(project, resolve(folder, text)).split(sep).join('/');
  return path.startsWith('../') || path === '..' ? path : `./${path}`;
}
