/** The ends of every change of a project: opens the project; applies a plan, records it for `undo`, installs packages, reports. */
import { ClientError } from '../errors.ts';
import type { MadePlan, Plan } from '../plan/plan.ts';
import { chooseProject, type ProjectChoice } from '../project/choose-project.ts';
import { recall, remember } from '../project/memory.ts';
import { planClosing } from '../terminal/closing-sentence.ts';
import {
  type CommandContext,
  type GlobalOptions,
  nextLine,
  type Outcome,
  printWarnings,
} from '../terminal/command.ts';
import { consentLines, requireConsent } from '../terminal/consent.ts';
import type { NextStep } from '../terminal/envelope.ts';
import { describePlan, integrationOrder } from '../terminal/plan-text.ts';
import { formatCommand, type PackageCommand, runPackageCommand } from './package-command.ts';
import { packageCommands } from './packages.ts';
import { lockProject } from './project-lock.ts';
import {
  applyWithLocks,
  confirmForUndo,
  keepForUndo,
  knownLocks,
  type LockBefore,
  settleLocks,
} from './undo-record.ts';
import { recover } from './recover.ts';

export interface ChangeOptions extends GlobalOptions {
  readonly dryRun: boolean;
  readonly install: boolean;
}

/**
 * Runs `use` with the absolute path of the project that a command changes: takes its lock and recovers an interrupted run.
 * A dry run changes nothing, so it does neither.
 * @throws {ClientError} `ERR_BUSY`, `ERR_JOURNAL`, and those of the choice of a project
 */
export async function withProject<Result>(
  options: ProjectChoice & { readonly dryRun?: boolean },
  { terminal }: CommandContext,
  use: (project: string) => Promise<Result>,
): Promise<Result> {
  const project = chooseProject(options);
  if (options.dryRun === true) return use(project);
  const close = await lockProject(project);
  try {
    const recovered = await recover(project);
    if (recovered !== 'nothing') terminal.warn(`An interrupted run was ${recovered}`);
    return await use(project);
  } finally {
    await close();
  }
}

/**
 * Applies a plan as one transaction that `undo` can undo, installs packages, and reports. The caller holds the
 * project's lock.
 * @throws {ClientError} with nothing written, except `ERR_PACKAGES`, which the outcome carries
 */
export async function applyPlan(
  project: string,
  made: MadePlan,
  options: ChangeOptions,
  context: CommandContext,
): Promise<Outcome> {
  const written = await writePlan(project, made, options, context);
  return 'outcome' in written
    ? written.outcome
    : installPlan(project, made.plan, written.commands, options, context);
}

/**
 * The first half of `applyPlan`: writes the files.
 * @returns the commands that install packages, or the outcome of a dry run
 * @throws {ClientError} with nothing written
 */
export async function writePlan(
  project: string,
  made: MadePlan,
  options: ChangeOptions,
  context: CommandContext,
): Promise<{ readonly commands: PackageCommand[] } | { readonly outcome: Outcome }> {
  const { plan, changes } = made;
  printWarnings(plan, context);
  const commands = await packageCommands(project, made, options.install);
  const isGoing = plan.command === 'remove' && commands.length > 0;
  const locks = isGoing ? await knownLocks(project, changes) : { known: [], unknown: [] };
  for (const path of locks.unknown) {
    const text = `${path}: what it was before these builds is not known here, so the package manager writes it again`;
    context.terminal.message(text);
  }
  if (options.dryRun) {
    return { outcome: plannedOutcome(plan, commands, options.verbose) };
  }
  await context.approve(plan);
  await requireConsent(plan, context);
  const named = [
    ...plan.builds.map(({ id }) => id),
    ...(plan.wiring ?? []).map(({ build }) => build),
  ];
  const what = `${plan.command} ${[...new Set(named)].join(' ')}`;
  const isKept = await keepRecord(project, what, made, locks.known, context);
  await applyWithLocks(project, made, locks.known, context.signal);
  if (isKept) await confirmForUndo(project);
  return { commands };
}

/** The second half of `applyPlan`: installs packages, and reports. */
export async function installPlan(
  project: string,
  plan: Plan,
  commands: readonly PackageCommand[],
  options: Pick<ChangeOptions, 'install' | 'verbose'>,
  context: CommandContext,
): Promise<Outcome> {
  const outcome = await runCommands(project, plan, commands, options, context);
  const conflicts = plan.files
    .filter(({ action }) => action === 'conflict')
    .map(({ path }) => path);
  if (conflicts.length === 0 || outcome.error !== undefined) return outcome;
  const next = conflicts.map((path) => {
    return {
      command: `stackyard resolve ${path}`,
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
        hint: 'merge them by hand, then "stackyard resolve <file>"; "stackyard undo" undoes it all',
      },
    ),
  };
}

/** `undo` is optional: if its record cannot be written, the change is made without it. */
async function keepRecord(
  project: string,
  what: string,
  made: MadePlan,
  locks: readonly LockBefore[],
  { terminal }: CommandContext,
): Promise<boolean> {
  try {
    await keepForUndo(project, what, made, locks);
    return true;
  } catch (error) {
    if (made.plan.files.some(({ action }) => action === 'delete') && made.plan.choices.force) {
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

/** The outcome of a dry run. */
export function plannedOutcome(
  plan: Plan,
  commands: readonly PackageCommand[],
  isVerbose: boolean,
): Outcome {
  return {
    status: 'planned',
    data: { plan, commands: commands.map(formatCommand) },
    warnings: plan.warnings,
    text: [
      ...describePlan(plan, isVerbose),
      ...consentLines(plan),
      ...(plan.by_hand ?? []).map(nextLine),
      'Nothing was written: this was a dry run',
    ],
  };
}

/**
 * Runs `commands` in the project; its files are written and stay, whatever the commands do.
 * @param isWanted false: only lists the commands
 */
export async function runSteps(
  project: string,
  commands: readonly PackageCommand[],
  isWanted: boolean,
  context: CommandContext,
): Promise<{ readonly next: NextStep[]; readonly error: ClientError | undefined }> {
  const next: NextStep[] = [];
  let error: ClientError | undefined;
  const open = new Set(isWanted ? commands.filter(({ isRunnable }) => isRunnable) : []);
  if (open.size > 0) await rememberPackages(project, [...open]);
  for (const command of commands) {
    if (error !== undefined || !isWanted || !command.isRunnable) {
      next.push({ command: formatCommand(command), why: command.why ?? 'installs the packages' });
      continue;
    }
    context.terminal.message(`Running ${formatCommand(command)}`);
    try {
      await runPackageCommand(project, command, context.signal);
    } catch (failure) {
      if (!(failure instanceof ClientError)) throw failure;
      error = failure;
      next.push({ command: formatCommand(command), why: 'failed: run it again' });
      continue;
    }
    open.delete(command);
    await rememberPackages(project, [...open]);
  }
  // As for the record itself: without it, only the way back of the lock is missing.
  const hasRun = isWanted && error === undefined && commands.some((one) => one.isRunnable);
  if (hasRun) await settleLocks(project).catch(() => {});
  return { next, error };
}

/** What a run that is interrupted leaves for the next one. Without a state folder, it only prints it. */
export async function rememberPackages(
  project: string,
  open: readonly PackageCommand[],
): Promise<void> {
  const packages = open.map(({ program, args }) => ({ program, args: [...args] }));
  await remember(project, { packages: packages.length === 0 ? undefined : packages }).catch(
    () => {},
  );
}

/**
 * The outcome of a command that has nothing to change; it first runs what an interrupted run did not finish.
 * @param text why there is nothing to change
 */
export async function unchangedOutcome(
  project: string,
  text: readonly string[],
  options: ChangeOptions,
  context: CommandContext,
): Promise<Outcome> {
  const left = options.dryRun || !options.install ? [] : ((await recall(project)).packages ?? []);
  const commands = left.map((command) => ({ ...command, isRunnable: true }));
  const { next, error } = await runSteps(project, commands, true, context);
  if (commands.length === 0) return { status: 'noop', data: {}, text };
  return {
    status: error === undefined ? 'done' : 'error',
    data: { project },
    next,
    text: [...text, ...next.map(nextLine)],
    ...(error === undefined ? {} : { error }),
  };
}

/** Of more builds one stands for all. */
const MAX_GUIDES = 3;

/** Runs `commands` after `plan` was applied, and reports what was done and what is left to do. */
export async function runCommands(
  project: string,
  plan: Plan,
  commands: readonly PackageCommand[],
  options: { readonly install: boolean; readonly verbose: boolean },
  context: CommandContext,
): Promise<Outcome> {
  const { next, error } = await runSteps(project, commands, options.install, context);
  next.push(...(plan.by_hand ?? []).map((step) => ({ ...step })));
  const guides = integrationOrder(plan.builds).filter((build) => build.has_integration === true);
  const isMany = guides.length > MAX_GUIDES;
  for (const { id } of isMany ? guides.slice(0, 1) : guides) {
    const others = isMany ? `; so for each of the ${guides.length - 1} others` : '';
    const command = `stackyard info ${id} --integration`;
    next.push({ command, why: `the steps that integrate it${others}` });
  }
  return {
    status: error === undefined ? 'done' : 'error',
    data: { plan, project },
    warnings: plan.warnings,
    next,
    closing: planClosing(plan),
    text: [...describePlan(plan, options.verbose), ...next.map(nextLine)],
    ...(error === undefined ? {} : { error }),
  };
}
