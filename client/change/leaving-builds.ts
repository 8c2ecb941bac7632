/** Which builds a removal takes along, what keeps them, and which of their files are edited. */
import type { Lock, LockedBuild } from '../../format/project/lock.ts';
import { changedBuilds } from '../plan/reformatted-files.ts';
import { satisfies } from '../../format/version/semver-range.ts';
import { ClientError } from '../errors.ts';
import type { Change, Warning } from '../plan/plan.ts';
import { takeSnapshot } from '../project/project.ts';
import { nodeInUse } from '../project/stack/node-in-use.ts';
import { readStack } from '../project/stack/read-stack.ts';
import type { ShippedBuilds } from './fetch-builds.ts';
import { agreedFixers } from '../style/decide-style.ts';
import type { ProjectAsk } from './ask.ts';
import { buildsThatMoved } from './follow-moved-files.ts';
import { unchanged } from './unchanged.ts';

/**
 * The change that takes builds out.
 * @param read gives the shipped versions of builds, as far as they can be read
 * @throws {ClientError} `ERR_NOT_INSTALLED`, `ERR_KIND`, `ERR_INSTALLED`
 */
export async function fetchRemoval(
  ask: ProjectAsk,
  { project, lock }: { readonly project: string; readonly lock: Lock },
  read: (builds: readonly (readonly [string, LockedBuild])[]) => Promise<ShippedBuilds>,
): Promise<Change> {
  const { choices } = ask;
  const leaving = leavingBuilds(lock, ask);
  await checkProvided(project, lock, leaving);
  // With force all files are removed anyway.
  const edited = new Map(choices.force ? [] : await editedLeaving(project, lock, leaving));
  for (const [id, build] of buildsThatMoved(project, lock)) edited.set(id, build);
  const shipped = await read([...edited]);
  const isStyled = !choices.force && edited.size > 0 && (await agreedFixers(project)).length > 0;
  const style = isStyled ? ('project' as const) : ('shipped' as const);
  const change = unchanged('remove', lock, { ...choices, style });
  return { ...change, bases: shipped.builds, leaving, warnings: unknownFormatting(shipped) };
}

/** The leaving builds with changed files: their shipped texts show which of these are only reformatted. */
export async function editedLeaving(
  project: string,
  lock: Lock,
  leaving: ReadonlySet<string>,
): Promise<(readonly [string, LockedBuild])[]> {
  const going = Object.entries(lock.builds).filter(([id]) => leaving.has(id));
  const paths = going.flatMap(([, { files }]) => Object.keys(files));
  const changed = changedBuilds(going, (await takeSnapshot(project, paths)).project);
  return going.filter(([id]) => changed.has(id));
}

/** A warning for each leaving build whose shipped texts could not be read. */
export function unknownFormatting({ problems }: ShippedBuilds): Warning[] {
  return [...problems].map(([id, { message: why }]) => {
    const message = `The changed files of "${id}" count as edited, because its shipped files cannot be read: ${why}`;
    return { code: 'formatting-unknown', message, path: '' };
  });
}

/** The builds that were asked for, and those that only they required. */
function leavingBuilds(lock: Lock, { requests, cascade }: ProjectAsk): Set<string> {
  const leaving = new Set<string>();
  for (const { id, range } of requests) {
    const build = lock.builds[id];
    if (build === undefined || (range !== undefined && !satisfies(build.version, range))) {
      const what = range === undefined ? `"${id}"` : `"${id}" ${range}`;
      throw new ClientError('ERR_NOT_INSTALLED', `${what} is not installed here`, {
        hint: '"stackyard list" shows what is installed',
      });
    }
    if (build.kind === 'foundation') {
      throw new ClientError('ERR_KIND', `"${id}" is the foundation of the project`, {
        hint: 'delete the project to remove it; only modules can be removed',
      });
    }
    leaving.add(id);
  }
  // The set grows during the loop, so that indirect requirers are found too.
  for (const id of leaving) {
    for (const other of requirersOf(lock, id)) {
      if (cascade === true) leaving.add(other);
      else if (!leaving.has(other)) throw required(id, other);
    }
  }
  for (const id of orphansOf(lock, leaving)) leaving.add(id);
  return leaving;
}

function requirersOf(lock: Lock, id: string): string[] {
  return Object.keys(lock.builds)
    .filter((other) => other !== id && Object.hasOwn(lock.builds[other]!.builds, id))
    .sort();
}

/** Builds that the user did not request and that no staying build requires. */
function orphansOf(lock: Lock, leaving: ReadonlySet<string>): string[] {
  const staying = Object.keys(lock.builds).filter((id) => !leaving.has(id));
  const reached = new Set(
    staying.filter((id) => {
      const { requested, kind } = lock.builds[id]!;
      return requested !== undefined || kind === 'foundation';
    }),
  );
  for (const id of reached) {
    for (const required of Object.keys(lock.builds[id]?.builds ?? {})) {
      if (lock.builds[required] !== undefined) reached.add(required);
    }
  }
  return staying.filter((id) => !reached.has(id));
}

/** Checks that no staying build loses a stack tag that only a leaving build provides. */
async function checkProvided(
  project: string,
  lock: Lock,
  leaving: ReadonlySet<string>,
): Promise<void> {
  const builds = Object.entries(lock.builds);
  const stays = builds.filter(([id]) => !leaving.has(id));
  const stack = await readStack(project, await nodeInUse(project), false);
  for (const [id, { requires }] of stays) {
    for (const tag of Object.keys(requires)) {
      const giver = builds.find(
        ([other, { provides }]) => leaving.has(other) && provides.includes(tag),
      );
      const isGiven = stack.has(tag) || stays.some(([, { provides }]) => provides.includes(tag));
      if (giver !== undefined && !isGiven) throw required(giver[0], id, ` for ${tag}`);
    }
  }
}

function required(id: string, by: string, why = ''): ClientError {
  return new ClientError('ERR_INSTALLED', `Cannot remove "${id}": "${by}" needs it${why}`, {
    hint: `remove "${by}" as well, or add --cascade`,
  });
}
