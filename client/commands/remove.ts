/** `remove`: removes builds from a project, and the builds that only they required. */
import type { Lock, LockedBuild } from '../../format/project/lock.ts';
import { defaultAddress } from '../../format/project/lock.ts';
import { applyPlan, openProject } from '../apply/apply-plan.ts';
import { changedBuilds } from '../plan/reformatted-files.ts';
import { ClientError } from '../errors.ts';
import { NO_CHOICES } from '../plan/make-plan.ts';
import type { Change, Warning } from '../plan/plan.ts';
import { requireLock, takeSnapshot } from '../project/project.ts';
import { nodeInUse } from '../project/stack/node-in-use.ts';
import { readStack } from '../project/stack/read-stack.ts';
import type { ShippedBuilds } from '../registry/fetch-builds.ts';
import { readShipped } from '../registry/fetch-builds.ts';
import { parseRequest } from '../resolve/request.ts';
import type { CommandContext, Outcome } from '../terminal/command.ts';
import { agreedFixers } from '../style/decide-style.ts';
import { buildsThatMoved } from './follow-moved-files.ts';
import { planChange } from './plan-change.ts';

import { z } from 'zod';
import { installedIds } from './short-ids.ts';
import { allow, define, dryRun, install, someBuilds } from './options.ts';
import { ChangeOutput } from '../plan/plan.ts';
import type { GlobalOptions } from '../terminal/command.ts';

const Input = z.object({
  builds: someBuilds('<owner>/<name> of installed builds'),
  cascade: z.boolean().default(false).meta({ description: 'remove what requires them as well' }),
  force: z.boolean().default(false).meta({ description: 'remove files that you edited as well' }),
  allow,
  dryRun,
  install,
});

type RemoveOptions = GlobalOptions & Omit<z.infer<typeof Input>, 'builds'>;

/** @throws {ClientError} with nothing written, except `ERR_PACKAGES`, which the outcome carries */
export async function remove(
  texts: readonly string[],
  options: RemoveOptions,
  context: CommandContext,
): Promise<Outcome> {
  const ids = texts.map((text) => parseRequest(text).id);
  const { project, close } = await openProject(options, context);
  try {
    const lock = requireLock(project);
    const leaving = leavingBuilds(lock, ids, options);
    await checkProvided(project, lock, leaving);
    const { force, allow } = options;
    // All files are removed anyway.
    const edited = new Map(force ? [] : await editedLeaving(project, lock, leaving));
    for (const [id, build] of buildsThatMoved(project, lock)) edited.set(id, build);
    const shipped = await readShipped([...edited], options, lock, context);
    const change: Change = {
      command: 'remove',
      registry: defaultAddress(lock) ?? '',
      registries: lock.registries,
      builds: [],
      bases: shipped.builds,
      leaving,
      lock,
      warnings: unknownFormatting(shipped),
    };
    const isStyled = !force && edited.size > 0 && (await agreedFixers(project)).length > 0;
    const choices = { ...NO_CHOICES, force, allow, ...(isStyled && { style: 'project' as const }) };
    const made = await planChange(project, change, choices, context.signal);
    return await applyPlan(project, made, options, context);
  } finally {
    await close();
  }
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
  return [...problems].map(([id, why]) => {
    const message = `The changed files of "${id}" count as edited, because its shipped files cannot be read: ${why}`;
    return { code: 'formatting-unknown', message, path: '' };
  });
}

function leavingBuilds(
  lock: Lock,
  ids: readonly string[],
  { cascade }: RemoveOptions,
): Set<string> {
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

export const command = define({
  description: 'Removes builds, what only they required, and every edit that was made for them',
  input: Input,
  output: ChangeOutput,
  examples: ['remove stackyard/account -C my-app'],
  run: async ({ builds, ...input }, shared, context) => {
    const options = { ...shared, ...input };
    return remove(installedIds(builds, options, context), options, context);
  },
});
