/** `install`: restores missing files of the lock and installs packages, such as after a clone. */
import { z } from 'zod';
import { allow, define, install as runInstall, maxAge } from './options.ts';
import { ConsentOutput } from '../plan/plan.ts';
import { lockProblems } from '../project/lock-problems.ts';
import { ClientError } from '../errors.ts';
import { fileLines } from '../terminal/file-lines.ts';
import { nextLine } from '../operation/next-line.ts';
import { checkLogAges } from '../operation/check-logs.ts';
import { planRestore } from '../operation/plan-restore.ts';
import { consentLines, requireConsent } from '../operation/require-consent.ts';
import { withProjectLock } from '../install/project-lock.ts';
import { applyChanges } from '../install/transaction.ts';
import { setUpCommands } from '../operation/set-up-commands.ts';
import { chooseProject } from '../project/choose-project.ts';
import { requireLock } from '../project/project.ts';
import { recoverFirst } from '../operation/run-change.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../operation/command.ts';
import { runSteps } from '../operation/run-packages.ts';
import { withRegistry } from '../operation/open-registry.ts';
import { parseMaxAge } from '../operation/max-age.ts';

const Input = z.object({
  frozen: z
    .boolean()
    .default(false)
    .meta({ description: 'fail when the lock does not match the project' }),
  dryRun: z
    .boolean()
    .default(false)
    .meta({ description: 'print what is missing and write nothing' }),
  install: runInstall,
  maxAge,
  allow,
});

export type InstallOptions = GlobalOptions & z.infer<typeof Input>;

/** @throws {ClientError} `ERR_LOCK` when `frozen` and the lock does not match the project */
export async function install(options: InstallOptions, context: CommandContext): Promise<Outcome> {
  const project = chooseProject(options);
  const work = async (): Promise<Outcome> => {
    if (!options.dryRun) await recoverFirst(project, context);
    const lock = requireLock(project);
    const problems = lockProblems(project, lock);
    if (options.frozen && problems.length > 0) {
      throw new ClientError(
        'ERR_LOCK',
        `The lock does not match the project: ${problems.join('; ')}`,
        {
          hint: 'run "stackyard verify" where the change was made, correct it, and commit both',
        },
      );
    }
    for (const problem of problems) context.terminal.warn(problem);
    const maxAge = parseMaxAge(options);
    const missing = await withRegistry(
      options,
      lock,
      context,
      async (registry) => {
        await checkLogAges(registry, lock, maxAge);
        return planRestore(project, lock, registry, options.allow);
      },
      'pinned',
    );
    const paths = missing?.changes.map(({ path }) => path) ?? [];
    const restored = paths.map((path) => ({ mark: '+', path }));
    const text = fileLines(restored, options.verbose);
    const consent = missing?.consent ?? [];
    const data = { project, restored: paths, ...(consent.length === 0 ? {} : { consent }) };
    const commands = await setUpCommands(project, false);
    if (options.dryRun) {
      return {
        status: 'planned',
        data,
        text: [...text, ...consentLines({ consent }), 'Nothing was written: this was a dry run'],
      };
    }
    if (missing !== undefined) {
      await requireConsent(missing, context);
      await applyChanges(project, missing.changes, missing.commit, { signal: context.signal });
    }
    const summary =
      paths.length === 0 ? 'Every file is there' : `Files brought back: ${paths.length}`;
    const { next, error } = await runSteps(project, commands, options.install, context);
    return {
      status:
        error !== undefined ? 'error' : paths.length === 0 && !options.install ? 'noop' : 'done',
      data,
      next,
      text: [...text, summary, ...next.map(nextLine)],
      ...(error === undefined ? {} : { error }),
    };
  };
  return options.dryRun ? work() : withProjectLock(project, work);
}

export const command = define({
  description: 'Restores missing files of installed builds, and installs packages',
  input: Input,
  output: z.looseObject({
    project: z.string(),
    restored: z.array(z.string()),
    consent: ConsentOutput,
  }),
  examples: ['install --frozen -C my-app'],
  run: (input, shared, context) => install({ ...shared, ...input }, context),
});
