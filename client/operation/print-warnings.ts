/** Prints the warnings of a command. */
import type { Plan } from '../plan/plan.ts';
import type { CommandContext } from './command.ts';

/** Prints warnings, such as those of a plan, on standard error. */
export function printWarnings(
  { warnings }: Pick<Plan, 'warnings'>,
  { terminal }: CommandContext,
): void {
  for (const { path, message } of warnings) {
    terminal.warn(path === '' ? message : `${path}: ${message}`);
  }
}
