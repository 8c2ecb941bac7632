/** `remove`: removes builds from a project, and the builds that only they required. */
import { installedIds } from './short-ids.ts';
import { z } from 'zod';
import { allow, define, dryRun, install, someBuilds } from './options.ts';
import { ChangeOutput } from '../plan/plan.ts';
import { planRemoval } from '../operation/plan-removal.ts';
import { withRegistryIfNeeded } from '../operation/open-registry.ts';
import { requireLock } from '../project/project.ts';
import { parseRequest } from '../resolve/request.ts';
import { changeProject } from '../operation/run-change.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../operation/command.ts';

const Input = z.object({
  builds: someBuilds('<owner>/<name> of installed builds'),
  cascade: z.boolean().default(false).meta({ description: 'remove what requires them as well' }),
  keepDeps: z.boolean().default(false).meta({ description: 'keep builds that only they required' }),
  force: z.boolean().default(false).meta({ description: 'remove files that you edited as well' }),
  allow,
  dryRun,
  install,
});

export type RemoveOptions = GlobalOptions & Omit<z.infer<typeof Input>, 'builds'>;

/** @throws {ClientError} with nothing written, except `ERR_PACKAGES`, which the outcome carries */
export async function remove(
  texts: readonly string[],
  options: RemoveOptions,
  context: CommandContext,
): Promise<Outcome> {
  const ids = texts.map((text) => parseRequest(text).id);
  return changeProject(options, context, async (project) => {
    const { cascade, keepDeps, force, allow } = options;
    const lock = requireLock(project);
    return withRegistryIfNeeded(options, lock, context, (open) =>
      planRemoval({ project, lock, ids, cascade, keepDeps, force, allow, open }),
    );
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
