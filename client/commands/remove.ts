/** `remove`: removes builds from a project, and the builds that only they required. */
import { NO_CHOICES } from '../plan/make-plan.ts';
import { defaultAddress } from '../../format/project/lock.ts';
import { applyPlan, withProject } from '../apply/apply-plan.ts';
import { type Change, ChangeOutput } from '../plan/plan.ts';
import { requireLock } from '../project/project.ts';
import { readShipped } from '../registry/fetch-builds.ts';
import { parseRequest } from '../resolve/request.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { agreedFixers } from '../style/decide-style.ts';
import { buildsThatMoved } from '../change/follow-moved-files.ts';
import {
  checkProvided,
  editedLeaving,
  leavingBuilds,
  unknownFormatting,
} from '../change/leaving-builds.ts';
import { planChange } from '../change/plan-change.ts';
import { z } from 'zod';
import { installedIds } from '../registry/short-ids.ts';
import { allow, define, dryRun, install, someBuilds, flag } from '../terminal/options.ts';

const Input = z.object({
  builds: someBuilds('<owner>/<name> of installed builds'),
  cascade: flag('remove what requires them as well'),
  force: flag('remove files that you edited as well'),
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
  return withProject(options, context, async (project) => {
    const lock = requireLock(project);
    const leaving = leavingBuilds(lock, ids, options.cascade);
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
    return applyPlan(project, made, options, context);
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
