/** From ids to the plan of an update: resolve, download new and old versions, plan. Writes nothing. */
import type { Lock, LockedBuild } from '../../format/lock/lock.ts';
import { ClientError } from '../errors.ts';
import { fetchBuild } from '../registry/fetch-build.ts';
import { checkLogs, withLogs } from './check-logs.ts';
import { fetchListed } from '../registry/fetch-builds.ts';
import { checkLanguage } from './check-language.ts';
import { moveLock } from './move-lock.ts';
import { movingBuilds } from './moving-builds.ts';
import { leavingBases } from './plan-removal.ts';
import { lockedRegistries, registryWarnings, unreachable } from './locked-registries.ts';
import { finishPlan, NO_CHANGES } from './plan-install.ts';
import type { Registries } from '../registry/registries.ts';
import { unpublished } from './unpublished.ts';
import { withPlaces } from './with-places.ts';
import type { BuildRequest } from '../resolve/request.ts';
import { solve } from './solve.ts';
import { updateRequests } from './update-requests.ts';
import type { MaxAge } from '../registry/log/require-witnesses.ts';
import type { AgeRule } from '../resolve/version-age.ts';
import type {
  FetchedBuild,
  MadePlan,
  OnConflict,
  OnExists,
  PlacingWish,
  Warning,
} from '../plan/plan.ts';

export interface UpdateInput {
  /** Absolute path of the project. */
  readonly project: string;
  readonly registry: Registries;
  readonly lock: Lock;
  /** Builds to update; empty for all. A range replaces the one in the lock. */
  readonly requests: readonly BuildRequest[];
  /** Whether to ignore the ranges in the lock for the builds to update. */
  readonly latest: boolean;
  readonly onConflict: OnConflict;
  readonly restore: boolean;
  /** Decisions about files that are in the way of newly required builds. */
  readonly onExists?: OnExists;
  readonly onExistsAt?: ReadonlyMap<string, OnExists>;
  readonly allow: readonly string[];
  /** Packages whose range in the project is kept. */
  readonly keep?: readonly string[] | undefined;
  /** Which versions are too new to be chosen. */
  readonly age?: AgeRule | undefined;
  /** How long ago witnesses may have confirmed the logs. */
  readonly maxAge?: MaxAge | undefined;
  readonly placing?: PlacingWish | undefined;
  /** Whether wired text may do more than before. */
  readonly wire?: boolean | undefined;
  /** The places of local builds that replace installed ones, by id. */
  readonly sources?: ReadonlyMap<string, string>;
  /** Called with what the user should know although nothing changes. */
  readonly onUnused?: (warnings: readonly Warning[]) => void;
}

/**
 * Plans an update; `undefined` when nothing changes.
 * @throws {ClientError} `ERR_NOT_INSTALLED`, and those of the registry, the resolver and the plan
 */
export async function planUpdate(given: UpdateInput): Promise<MadePlan | undefined> {
  const { project, registry, onConflict, restore } = given;
  checkInstalled(given.requests, given.lock);
  await registry.checkInstalled(given.requests.map(({ id }) => id));
  const {
    lock,
    requests: asked,
    moved,
    notes,
  } = await moveLock(registry, given.lock, given.requests);
  const input = { ...given, lock, requests: asked };
  const { requests, movable } = updateRequests(input);
  const { age, sources = new Map<string, string>() } = input;
  const held = await unpublished(input);
  for (const { id } of held) movable.delete(id);
  const solution = await solve({ project, isNew: false, registry, requests, lock, movable, age });
  const moving = movingBuilds(lock, input.placing, input.requests);
  const changing = [...solution.versions].filter(([id, { version, integrity }]) => {
    const old = lock.builds[id];
    const source = sources.get(id);
    if (source !== undefined || old?.source !== undefined) {
      return source !== old?.source || integrity !== old?.integrity;
    }
    if (moved.has(id)) return true;
    if (old?.version === version)
      checkIntegrity(id, old, integrity, registry.entryOf(id).registry.base);
    return old?.version !== version || moving.has(id);
  });
  const kept = new Set([
    ...solution.versions.keys(),
    ...solution.gone,
    ...held.map(({ id }) => id),
  ]);
  const leaving = new Set(Object.keys(lock.builds).filter((id) => !kept.has(id)));
  const requested = newRanges(input, solution.versions);
  if (changing.length === 0 && leaving.size === 0) {
    const passed = solution.warnings.filter(({ code }) => code === 'version-passed-over');
    const left = held.map(({ warning }) => warning);
    input.onUnused?.([...unreachable(registry.down), ...passed, ...left, ...notes]);
    return undefined;
  }
  const published = changing.filter(([id]) => !sources.has(id));
  const proving = checkLogs(registry, published, input.maxAge);
  proving.catch(() => {});
  const fetched = await fetchListed(registry, new Map(changing));
  const builds = withLogs(withPlaces(fetched, sources), await proving);
  const language = await checkLanguage(project, registry, builds, lock);
  const { bases, warnings } = await fetchBases(registry, lock, builds, moved);
  const gone = await leavingBases(
    { project, lock, force: false, open: async () => registry },
    leaving,
  );
  return finishPlan(project, {
    ...NO_CHANGES,
    command: 'update',
    ...(await lockedRegistries(registry, lock, builds)),
    builds,
    bases: new Map([...bases, ...gone.bases]),
    leaving,
    requested,
    lock,
    warnings: [
      ...registryWarnings(registry, lock, builds),
      ...solution.warnings.filter(({ message }) =>
        changing.some(([id]) => message.includes(`"${id}"`)),
      ),
      ...language,
      ...warnings,
      ...gone.warnings,
      ...held.map(({ warning }) => warning),
      ...notes,
    ],
    onConflict,
    onExists: input.onExists ?? 'fail',
    onExistsAt: input.onExistsAt ?? new Map(),
    restore,
    allow: new Set(input.allow),
    keep: new Set(input.keep),
    placing: input.placing,
    ...(input.wire === true ? { wiring: { wire: true as const } } : {}),
  });
}

function checkInstalled(requests: readonly BuildRequest[], lock: Lock): void {
  const missing = requests.find(({ id }) => lock.builds[id] === undefined);
  if (missing === undefined) return;
  throw new ClientError('ERR_NOT_INSTALLED', `"${missing.id}" is not installed here`, {
    hint: `add it with "stackyard add ${missing.id}"; "stackyard list" shows what is installed`,
  });
}

function newRanges(
  { lock, requests, latest }: UpdateInput,
  versions: ReadonlyMap<string, { readonly version: string }>,
): Map<string, string> {
  const ranges = new Map<string, string>();
  for (const { id, range } of requests) if (range !== undefined) ranges.set(id, range);
  if (!latest) return ranges;
  const targets = requests.length === 0 ? Object.keys(lock.builds) : requests.map(({ id }) => id);
  for (const id of targets) {
    const version = versions.get(id)?.version;
    const { requested, version: before } = lock.builds[id] ?? {};
    if (ranges.has(id) || requested === undefined || version === undefined) continue;
    if (version !== before) ranges.set(id, `^${version}`);
  }
  return ranges;
}

/** Refuses the same version with other bytes: a published version never changes. */
function checkIntegrity(id: string, old: LockedBuild, integrity: string, base: string): void {
  if (old.integrity === integrity) return;
  throw new ClientError(
    'ERR_INTEGRITY',
    `"${id}" ${old.version} is ${integrity} at ${base}, and the lock has ${old.integrity}`,
    {
      hint: 'a published version never changes: do not update from this registry, and report it there',
    },
  );
}

/**
 * The installed versions, for merging; a missing one gives a warning.
 * @param moved new id to the id under which a build was installed
 */
export async function fetchBases(
  registry: Registries,
  lock: Lock | undefined,
  builds: readonly FetchedBuild[],
  moved: ReadonlyMap<string, string> = new Map(),
): Promise<{ bases: Map<string, FetchedBuild>; warnings: Warning[] }> {
  const bases = new Map<string, FetchedBuild>();
  const warnings: Warning[] = [];
  for (const build of builds) {
    const { id, integrity } = build;
    const old = lock?.builds[id];
    if (old === undefined) continue;
    if (old.integrity === integrity) {
      bases.set(id, build);
      continue;
    }
    try {
      // What moved is compared with what was installed under the old id.
      bases.set(id, { ...(await fetchBuild(registry, moved.get(id) ?? id, old)), id });
    } catch (error) {
      const isGone =
        error instanceof ClientError &&
        ['ERR_REGISTRY_ANSWER', 'ERR_VERSION_NOT_FOUND'].includes(error.code);
      const isChangedSource = error instanceof ClientError && old.source !== undefined;
      if (!isGone && !isChangedSource) throw error;
      const message = `"${id}" ${old.version} is no longer available: files that you edited cannot be merged`;
      warnings.push({ code: 'base-missing', message, path: '' });
    }
  }
  return { bases, warnings };
}
