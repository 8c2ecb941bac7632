/** The program `stackyard`, run in a process of its own or in one that stays. */
import { inject } from 'vitest';
import '../run/global-setup.ts';
import { runProcess, runResident } from '../run/script-process.ts';
import type { Ended, ScriptRun } from '../run/script-process.ts';

export type { Ended };

/** The file of the program. */
export const MAIN: string = inject('programs').client;

export interface ClientRun extends Pick<ScriptRun, 'cwd' | 'input' | 'interruption'> {
  /** The file of the program; by default `MAIN`. */
  readonly program?: string | undefined;
  /** Environment variables on top of those of this process. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Runs the program to its end, in a process of its own. */
export function runClient(args: readonly string[], run: ClientRun): Promise<Ended> {
  return runProcess(scriptOf(args, run));
}

/** Runs the program to its end, in a process that stays: `runResident()`. */
export function runResidentClient(args: readonly string[], run: ClientRun): Promise<Ended> {
  // `mcp` reads its standard input to the end.
  return args[0] === 'mcp' ? runClient(args, run) : runResident(scriptOf(args, run));
}

/** The program as a script. */
export function scriptOf(
  args: readonly string[],
  { program = MAIN, variables, ...run }: ClientRun,
): ScriptRun {
  const env = { ...process.env, NO_COLOR: '1', ...variables };
  return { ...run, file: program, args, env };
}
