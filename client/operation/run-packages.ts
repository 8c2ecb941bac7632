/** The end of a change: its text for people, and the installation of packages. */
import { ClientError } from '../errors.ts';
import type { PackageCommand } from './package-command.ts';
import { formatCommand, runPackageCommand } from './package-command.ts';
import { planClosing } from './closing-sentence.ts';
import { integrationOrder } from './integration-order.ts';
import { nextLine } from './next-line.ts';
import { describePlan } from './plan-text.ts';
import { consentLines } from './require-consent.ts';
import { formatterSteps } from './formatter-steps.ts';
import type { NextStep } from '../output-schema/envelope.ts';
import type { CommandContext, Outcome } from './command.ts';
import type { Plan } from '../plan/plan.ts';

/** The outcome of a dry run. */
export function plannedOutcome(
  plan: Plan,
  commands: readonly PackageCommand[],
  next: readonly NextStep[],
  isVerbose: boolean,
): Outcome {
  return {
    status: 'planned',
    data: { plan, commands: commands.map(formatCommand) },
    warnings: plan.warnings,
    ...(next.length === 0 ? {} : { next }),
    text: [
      ...describePlan(plan, isVerbose),
      ...consentLines(plan),
      ...(plan.by_hand ?? []).map(nextLine),
      ...next.map(nextLine),
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
    }
  }
  return { next, error };
}

/** Runs `commands` after `plan` was applied, and reports what was done and what is left to do. */
export async function runCommands(
  project: string,
  plan: Plan,
  commands: readonly PackageCommand[],
  options: { readonly install: boolean; readonly verbose: boolean },
  context: CommandContext,
): Promise<Outcome> {
  const { next, error } = await runSteps(project, commands, options.install, context);
  next.push(...(await formatterSteps(project, plan)));
  next.push(...(plan.by_hand ?? []).map((step) => ({ ...step })));
  for (const { id, has_integration } of integrationOrder(plan.builds)) {
    if (has_integration !== true) continue;
    const command = `stackyard info ${id} --integration`;
    next.push({ command, why: 'the steps that integrate it' });
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
