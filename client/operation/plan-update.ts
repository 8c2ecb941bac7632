/** From ids to the plan of an update: resolve, download new and old versions, plan. Writes nothing. */
import type { Lock, LockedBuild } from '../../format/lock.ts';
import { ClientError } from '../errors.ts';
import { fetchBuild } from '../registry/fetch-build.ts';
import { fetchBuilds } from '../registry/fetch-builds.ts';
import {
  finishPlan,
  NO_CHANGES,
  registryOf,
  registryWarnings,
  withPlaces,
} from './plan-install.ts';
import { unpublished } from './unpublished.ts';
import type { Registry } from '../registry/registry.ts';
import type { BuildRequest } from '../resolve/request.ts';
import { solve } from './solve.ts';
import { updateRequests } from './update-requests.ts';
import type { AgeRule } from '../resolve/version-age.ts';
import type { FetchedBuild, MadePlan, OnConflict, Warning } from '../plan/plan.ts';

export interface UpdateInput {
  /** Absolute path of the project. */
  readonly project: string;
  readonly registry: Registry;
  readonly lock: Lock;
  /** Builds to update; empty for all. A range replaces the one in the lock. */
  readonly requests: readonly BuildRequest[];
  /** Whether to ignore the ranges in the lock for the builds to update. */
  readonly latest: boolean;
  readonly onConflict: OnConflict;
  readonly restore: boolean;
  readonly allow: readonly string[];
  /** Which versions are too new to be chosen. */
  readonly age?: AgeRule | undefined;
  /** The places of local builds that replace installed ones, by id. */
  readonly sources?: ReadonlyMap<string, string>;
  /** Called with what the user should know although nothing changes. */
  readonly onUnused?: (warnings: readonly Warning[]) => void;
}

/**
 * Plans an update; `undefined` when nothing changes.
 * @throws {ClientError} `ERR_NOT_INSTALLED`, and those of the registry, the resolver and the plan
 */
export async function planUpdate(input: UpdateInput): Promise<MadePlan | undefined> {
  const { project, registry, lock, onConflict, restore } = input;
  checkInstalled(input.requests, lock);
  const { requests, movable } = updateRequests(input);
  const { age, sources = new Map<string, string>() } = input;
  await registry.checkInstalled();
  const held = await unpublished(input);
  for (const { id } of held) movable.delete(id);
  const solution = await solve({ project, isNew: false, registry, requests, lock, movable, age });
  const changing = [...solution.versions].filter(([id, { version, integrity }]) => {
    const old = lock.builds[id];
    const source = sources.get(id);
    if (source !== undefined || old?.source !== undefined) {
      return source !== old?.source || integrity !== old?.integrity;
    }
    if (old?.version === version) checkIntegrity(id, old, integrity, registry.base);
    return old?.version !== version;
  });
  const kept = new Set([
    ...solution.versions.keys(),
    ...solution.gone,
    ...held.map(({ id }) => id),
  ]);
  const leaving = new Set(Object.keys(lock.builds).filter((id) => !kept.has(id)));
  const requested = newRanges(input, solution.versions);
  if (changing.length === 0 && leaving.size === 0) {
    const unused = solution.warnings.filter(({ code }) => code === 'version-passed-over');
    input.onUnused?.([...unused, ...held.map(({ warning }) => warning)]);
    return undefined;
  }
  const builds = withPlaces(await fetchBuilds(registry, changing), sources, lock);
  const { bases, warnings } = await fetchBases(registry, lock, builds);
  const place = await registryOf(registry, lock);
  return finishPlan(project, {
    ...NO_CHANGES,
    command: 'update',
    ...place,
    builds,
    bases,
    leaving,
    requested,
    lock,
    warnings: [
      ...registryWarnings(place.registry, lock),
      ...solution.warnings.filter(({ message }) =>
        changing.some(([id]) => message.includes(`"${id}"`)),
      ),
      ...warnings,
      ...held.map(({ warning }) => warning),
    ],
    onConflict,
    restore,
    allow: new Set(input.allow),
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

/** The installed versions, for merging; a missing one gives a warning. */
export async function fetchBases(
  registry: Registry,
  lock: Lock | undefined,
  builds: readonly FetchedBuild[],
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
      bases.set(id, await fetchBuild(registry, id, old));
    } catch (error) {
      const isGone = error instanceof ClientError && error.code === 'ERR_REGISTRY_ANSWER';
      const isChangedSource = error instanceof ClientError && old.source !== undefined;
      if (!isGone && !isChangedSource) throw error;
      const message = `"${id}" ${old.version} is no longer available: files that you edited cannot be merged`;
      warnings.push({ code: 'base-missing', message, path: '' });
    }
  }
  return { bases, warnings };
}
