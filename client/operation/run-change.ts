/**
 * The common steps of `add`, `update`, `remove` and `apply`: lock the project, recover an interrupted run,
 * plan, apply, record for `undo`, install packages.
 */
import type { Lock } from '../../format/lock/lock.ts';
import { ClientError } from '../errors.ts';
import { withProjectLock } from '../install/project-lock.ts';
import { recover } from '../install/recover.ts';
import { applyChanges } from '../install/transaction.ts';
import { packageCommands } from './package-manager.ts';
import { chooseProject } from '../project/choose-project.ts';
import { readLock } from '../project/project.ts';
import { confirmForUndo, keepForUndo } from './undo-record.ts';
import type { CommandContext, GlobalOptions, Outcome } from './command.ts';
import { formatterSteps } from './formatter-steps.ts';
import { plannedOutcome, runCommands } from './run-packages.ts';
import { printWarnings } from './print-warnings.ts';
import { requireConsent } from './require-consent.ts';
import type { MadePlan } from '../plan/plan.ts';

export interface ChangeOptions extends GlobalOptions {
  readonly dryRun: boolean;
  readonly install: boolean;
}

/** A plan, or the outcome when there is nothing to plan. */
export type Planned = MadePlan | Outcome;

/**
 * Changes the project by the plan that `plan` makes.
 * @throws {ClientError} with nothing written, except `ERR_PACKAGES`, which the outcome carries
 */
export async function changeProject(
  options: ChangeOptions,
  context: CommandContext,
  plan: (project: string, lock: Lock | undefined) => Promise<Planned>,
): Promise<Outcome> {
  const project = chooseProject(options);
  const work = async (): Promise<Outcome> => {
    if (!options.dryRun) await recoverFirst(project, context);
    const planned = await plan(project, readLock(project));
    return isPlan(planned) ? carryOut(project, planned, options, context) : planned;
  };
  // A dry run changes nothing, so it neither takes the lock nor recovers an interrupted run.
  return options.dryRun ? work() : withProjectLock(project, work);
}

/** Recovers an interrupted run and prints what was done. */
export async function recoverFirst(project: string, { terminal }: CommandContext): Promise<void> {
  const recovered = await recover(project);
  if (recovered !== 'nothing') terminal.warn(`An interrupted run was ${recovered}`);
}

/** Applies a plan; the caller holds the project's lock. */
async function carryOut(
  project: string,
  made: MadePlan,
  options: ChangeOptions,
  context: CommandContext,
): Promise<Outcome> {
  const { plan, changes, commit, emptied } = made;
  printWarnings(plan, context);
  const commands = await packageCommands(project, made, options.install);
  if (options.dryRun) {
    return plannedOutcome(plan, commands, await formatterSteps(project, plan), options.verbose);
  }
  await context.approve(plan);
  await requireConsent(plan, context);
  const named = [
    ...plan.builds.map(({ id }) => id),
    ...(plan.wiring ?? []).map(({ build }) => build),
  ];
  const what = `${plan.command} ${[...new Set(named)].join(' ')}`;
  const isKept = await keepRecord(project, what, made, context);
  await applyChanges(project, changes, commit, { signal: context.signal, emptied });
  if (isKept) await confirmForUndo(project);
  const outcome = await runCommands(project, plan, commands, options, context);
  const conflicts = plan.files
    .filter(({ action }) => action === 'conflict')
    .map(({ path }) => path);
  if (conflicts.length === 0 || outcome.error !== undefined) return outcome;
  const next = conflicts.map((path) => {
    return {
      command: `stackyard update --resolve ${path}`,
      why: 'when you have merged both sides',
    };
  });
  return {
    ...outcome,
    status: 'conflicts',
    next: [...next, ...(outcome.next ?? [])],
    error: new ClientError(
      'ERR_CONFLICT',
      `Both sides are between markers in ${conflicts.join(', ')}`,
      {
        hint: 'merge them by hand, then "stackyard update --resolve <file>"; "stackyard undo" undoes it all',
      },
    ),
  };
}

/** `undo` is optional: if its record cannot be written, the change is made without it. */
async function keepRecord(
  project: string,
  what: string,
  made: MadePlan,
  { terminal }: CommandContext,
): Promise<boolean> {
  try {
    await keepForUndo(project, what, made);
    return true;
  } catch (error) {
    if (made.plan.files.some(({ action }) => action === 'delete') && made.isForced) {
      throw new ClientError('ERR_WRITE', 'Cannot keep a copy of the files that you edited', {
        cause: error,
        hint: 'set STACKYARD_STATE to a writable folder, or remove without --force',
      });
    }
    const reason = error instanceof Error ? error.message : String(error);
    terminal.warn(`"stackyard undo" will not be able to undo this: ${reason}`);
    return false;
  }
}

function isPlan(planned: Planned): planned is MadePlan {
  return 'plan' in planned;
}
