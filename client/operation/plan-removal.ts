/** From ids to the plan of a removal. Writes nothing, and needs the registry only for files that were changed. */
import type { Lock } from '../../format/lock/lock.ts';
import { defaultAddress } from '../../format/lock/lock.ts';
import { ClientError } from '../errors.ts';
import { finishPlan, NO_CHANGES } from './plan-install.ts';
import { nodeInUse } from '../project/stack/node-in-use.ts';
import { readStack } from '../project/stack/read-stack.ts';
import type { MadePlan, Warning } from '../plan/plan.ts';
import { takeSnapshot } from '../project/project.ts';
import type { Registries } from '../registry/registries.ts';
import { fetchShipped } from './reformatted-files.ts';
import type { ShippedBuilds } from './reformatted-files.ts';

export interface RemovalInput {
  /** Absolute path of the project. */
  readonly project: string;
  readonly lock: Lock;
  readonly ids: readonly string[];
  /** Whether builds that require the removed ones are removed too. */
  readonly cascade: boolean;
  /** Whether builds that were installed only because others required them are kept. */
  readonly keepDeps: boolean;
  readonly force: boolean;
  /** The user's consent to delete what programs run or read by themselves. */
  readonly allow?: readonly string[];
  /** Opens the registry, for the shipped texts of changed files. */
  readonly open: () => Promise<Registries>;
}

/** @throws {ClientError} `ERR_NOT_INSTALLED`, `ERR_INSTALLED`, `ERR_KIND`, and those of the plan */
export async function planRemoval(input: RemovalInput): Promise<MadePlan> {
  const { project, lock, force } = input;
  const leaving = leavingBuilds(input);
  await checkProvided(project, lock, leaving);
  const { bases, warnings } = await leavingBases(input, leaving);
  return finishPlan(project, {
    ...NO_CHANGES,
    bases,
    command: 'remove',
    registry: defaultAddress(lock) ?? '',
    registries: lock.registries,
    builds: [],
    leaving,
    requested: new Map(),
    lock,
    warnings,
    force,
    allow: new Set(input.allow),
  });
}

/** The shipped versions of leaving builds with changed files: a file that is only reformatted is removed. */
export async function leavingBases(
  { project, lock, force, open }: Omit<RemovalInput, 'ids' | 'cascade' | 'keepDeps'>,
  leaving: ReadonlySet<string>,
): Promise<{ bases: ShippedBuilds['builds']; warnings: Warning[] }> {
  // All files are removed anyway.
  if (force) return { bases: new Map(), warnings: [] };
  const going = Object.entries(lock.builds).filter(([id]) => leaving.has(id));
  const paths = going.flatMap(([, { files }]) => Object.keys(files));
  const { project: present } = await takeSnapshot(project, paths);
  const { builds, problems } = await fetchShipped(going, present, open);
  const warnings = [...problems].map(([id, why]) => {
    const message = `The changed files of "${id}" count as edited, because its shipped files cannot be read: ${why}`;
    return { code: 'formatting-unknown', message, path: '' };
  });
  return { bases: builds, warnings };
}

function leavingBuilds({ lock, ids, cascade, keepDeps }: RemovalInput): Set<string> {
  const leaving = new Set<string>();
  for (const id of ids) {
    const build = lock.builds[id];
    if (build === undefined) {
      throw new ClientError('ERR_NOT_INSTALLED', `"${id}" is not installed here`, {
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
      if (cascade) leaving.add(other);
      else if (!leaving.has(other)) throw required(id, other);
    }
  }
  if (!keepDeps) for (const id of orphansOf(lock, leaving)) leaving.add(id);
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
