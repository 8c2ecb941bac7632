/** Resolves an update, and downloads the new versions and those that they replace. Writes nothing. */
import { lockedRegistries, registryWarnings, unreachable } from './lock-registries.ts';
import { editedLeaving, unknownFormatting } from './leaving-builds.ts';
import type { Lock, LockedBuild } from '../../format/project/lock.ts';
import { compareVersions, satisfies } from '../../format/version/semver-range.ts';
import { ClientError } from '../errors.ts';
import { movingBuilds } from '../plan/place/placement-folder.ts';
import type { Change, FetchedBuild, Warning } from '../plan/plan.ts';
import { checkLanguage } from './check-language.ts';
import { fetchBuild, fetchChosen, fetchShipped } from './fetch-builds.ts';
import {
  advisoryNotes,
  installedHeads,
  pinNotes,
  yankedNotes,
} from '../project/installed-notes.ts';
import { endOfMoves, hasVersion, movedNote } from '../search/follow-moves.ts';
import type { BuildRequest } from '../resolve/request.ts';
import type { Registries } from '../registry/registries.ts';
import { solve } from './solve.ts';
import { updateRequests } from '../resolve/update-requests.ts';
import { standingAge } from '../resolve/version-age.ts';
import type { ProjectAsk } from './ask.ts';
import type { Fetching } from './fetch-addition.ts';
import { buildsThatMoved } from './follow-moved-files.ts';
import { unchanged } from './unchanged.ts';

/** Warnings about builds that stay at their version. */
const SHOWN_WITHOUT_CHANGE = new Set(['version-passed-over', 'build-deprecated']);

/**
 * Resolves an update and downloads new and old versions.
 * @throws {ClientError} `ERR_NOT_INSTALLED`, and those of the registry and the resolver
 */
export async function fetchUpdate(
  { latest = false, age, local, choices, ...given }: ProjectAsk,
  { project, registry, lock: before }: Fetching & { readonly lock: Lock },
): Promise<Change> {
  checkInstalled(given.requests, before);
  await registry.checkInstalled(given.requests.map(({ id }) => id));
  const moves = await moveLock(registry, before, given.requests);
  const { lock, moved, notes } = moves;
  const { held: kept = new Map<string, Warning>() } = given;
  const asked = { lock, requests: moves.requests.filter(({ id }) => !kept.has(id)), latest };
  const { requests: all, movable } = updateRequests(asked);
  const requests = all.map((request): BuildRequest => {
    const { id } = request;
    return kept.has(id) ? { id, range: lock.builds[id]!.version } : request;
  });
  const held = new Map([...(await unpublished(registry, asked, local)), ...kept]);
  for (const id of held.keys()) movable.delete(id);
  const rule = age ?? standingAge(lock.min_age_hours, Date.now());
  const solving = { project, isNew: false, registry, requests, lock, movable, age: rule };
  const solution = await solve(solving);
  const moving = movingBuilds(lock, choices.to ?? {});
  const changing = [...solution.versions].filter(([id, { version, integrity }]) => {
    const old = lock.builds[id];
    const source = local.get(id)?.source;
    if (source !== undefined || old?.source !== undefined) {
      return source !== old?.source || integrity !== old?.integrity;
    }
    if (moved.has(id)) return true;
    if (old?.version === version)
      checkIntegrity(id, old, integrity, registry.entryOf(id).registry.base);
    return old?.version !== version || moving.has(id);
  });
  const staying = new Set([...solution.versions.keys(), ...solution.gone, ...held.keys()]);
  const leaving = new Set(Object.keys(lock.builds).filter((id) => !staying.has(id)));
  if (changing.length === 0 && leaving.size === 0) {
    const shown = solution.warnings.filter(({ code }) => SHOWN_WITHOUT_CHANGE.has(code));
    const warnings = [...unreachable(registry.down), ...shown, ...held.values(), ...notes];
    return { ...unchanged('update', before, choices), warnings };
  }
  const builds = await fetchChosen(registry, new Map(changing), local);
  const language = await checkLanguage(project, registry, builds, lock);
  const { bases, warnings } = await fetchBases(registry, lock, builds, moved);
  const gone = await fetchShipped(registry, await editedLeaving(project, lock, leaving));
  // Imports of files that moved changed in builds that stay as well.
  const others = buildsThatMoved(project, lock).filter(
    ([id]) => !bases.has(id) && !gone.builds.has(id),
  );
  const unchangedBuilds = await fetchShipped(registry, others);
  return {
    command: 'update',
    ...(await lockedRegistries(registry, lock, builds)),
    builds,
    bases: new Map([...bases, ...gone.builds, ...unchangedBuilds.builds]),
    leaving,
    lock,
    warnings: [
      ...registryWarnings(registry, lock, builds),
      ...solution.warnings.filter(
        ({ code, message }) =>
          SHOWN_WITHOUT_CHANGE.has(code) || changing.some(([id]) => message.includes(`"${id}"`)),
      ),
      ...language,
      ...warnings,
      ...unknownFormatting(gone),
      ...held.values(),
      ...notes,
    ],
    choices: { ...choices, requested: newRanges(asked, solution.versions) },
  };
}

/** About the builds that the update leaves as they are. */
export async function notesOnRest(
  registry: Registries,
  before: Lock,
  { lock = before, builds, leaving, choices }: Change,
): Promise<Warning[]> {
  const rest = Object.entries(lock.builds)
    .filter(([id]) => !leaving.has(id) && !builds.some((build) => build.id === id))
    .map(([id, build]) => {
      const requested = choices.requested[id] ?? build.requested;
      return [id, requested === undefined ? build : { ...build, requested }] as const;
    });
  const after = { ignored: before.ignored, builds: Object.fromEntries(rest) };
  const heads = await installedHeads(registry, after);
  return [...yankedNotes(after, heads), ...advisoryNotes(after, heads), ...pinNotes(after, heads)];
}

function checkInstalled(requests: readonly BuildRequest[], lock: Lock): void {
  const missing = requests.find(({ id }) => lock.builds[id] === undefined);
  if (missing === undefined) return;
  throw new ClientError('ERR_NOT_INSTALLED', `"${missing.id}" is not installed here`, {
    hint: `add it with "stackyard add ${missing.id}"; "stackyard list" shows what is installed`,
  });
}

function newRanges(
  { lock, requests, latest }: Parameters<typeof updateRequests>[0],
  versions: ReadonlyMap<string, { readonly version: string }>,
): Record<string, string> {
  const ranges = new Map<string, string>();
  for (const { id, range } of requests) if (range !== undefined) ranges.set(id, range);
  if (!latest) return Object.fromEntries(ranges);
  const targets = requests.length === 0 ? Object.keys(lock.builds) : requests.map(({ id }) => id);
  for (const id of targets) {
    const version = versions.get(id)?.version;
    const { requested, version: before } = lock.builds[id] ?? {};
    if (ranges.has(id) || requested === undefined || version === undefined) continue;
    if (version !== before) ranges.set(id, `^${version}`);
  }
  return Object.fromEntries(ranges);
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
async function fetchBases(
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

/**
 * Moves what `requests` name, or everything. A build that another installed build requires under its old id stays, as
 * one whose range has no version at the new id. `moved` is new id to the id that the project has.
 * @throws {ClientError} those of the registry
 */
async function moveLock(registry: Registries, lock: Lock, requests: readonly BuildRequest[]) {
  const builds: Record<string, LockedBuild> = { ...lock.builds };
  const moved = new Map<string, string>();
  const notes: Warning[] = [];
  const asked = new Map(requests.map((request) => [request.id, request.range]));
  for (const [id, build] of Object.entries(lock.builds)) {
    if (build.source !== undefined || (asked.size > 0 && !asked.has(id))) continue;
    const end = await endOfMoves(registry, id);
    if (end === undefined || Object.hasOwn(builds, end.id)) continue;
    const note = movedNote(id, end.id);
    const range = asked.get(id) ?? build.requested;
    const requirers = Object.entries(lock.builds).filter(([, other]) => {
      return Object.hasOwn(other.builds, id);
    });
    const [requirer] = requirers;
    if (requirer !== undefined || !hasVersion(end, range)) {
      const why =
        requirer === undefined
          ? `where no version is in ${range}: "stackyard update ${id}@<range>"`
          : `and stays, as "${requirer[0]}" requires it under this id`;
      notes.push({ ...note, message: `${note.message}, ${why}` });
      continue;
    }
    delete builds[id];
    builds[end.id] = build;
    moved.set(end.id, id);
    notes.push(note);
  }
  if (moved.size === 0) return { lock, requests, moved, notes };
  const newIds = new Map([...moved].map(([to, from]) => [from, to]));
  return {
    lock: { ...lock, builds: renamed(builds, newIds) },
    requests: requests.map((request) => ({
      ...request,
      id: newIds.get(request.id) ?? request.id,
    })),
    moved,
    notes,
  };
}

/** `required_by` names builds by their new ids. */
function renamed(
  builds: Readonly<Record<string, LockedBuild>>,
  newIds: ReadonlyMap<string, string>,
): Lock['builds'] {
  const entries = Object.entries(builds).map(([id, build]) => {
    const required_by = build.required_by.map((other) => newIds.get(other) ?? other).sort();
    return [id, { ...build, required_by }] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * The local builds that stay, by id, as the registry has nothing to replace them by: a version that is not lower, and in
 * range, would.
 * @param sources local builds that replace installed ones
 */
async function unpublished(
  registry: Registries,
  { lock, requests, latest }: { lock: Lock; requests: readonly BuildRequest[]; latest: boolean },
  sources: ProjectAsk['local'],
): Promise<Map<string, Warning>> {
  const held = new Map<string, Warning>();
  for (const [id, { source, version, requested }] of Object.entries(lock.builds)) {
    if (source === undefined || sources.has(id)) continue;
    const wanted = requests.find((request) => request.id === id)?.range;
    const range = wanted ?? (latest ? undefined : requested);
    const head = await registry.head(id);
    const isReplaced = head?.versions.some((listed) => {
      const isInRange = range === undefined || satisfies(listed.version, range);
      return (
        listed.status.is === 'open' && isInRange && compareVersions(listed.version, version) >= 0
      );
    });
    if (isReplaced === true) continue;
    const message = `"${id}" ${version} stays from "${source}": the registry has no such version or a newer one yet`;
    held.set(id, { code: 'local-source', message, path: '' });
  }
  return held;
}
