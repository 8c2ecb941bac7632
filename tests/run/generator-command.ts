/** The programs of the generator, run from their sources as the scripts of `package.json` run them. */
import { join } from 'node:path';
import { runProcess, runResident } from './script-process.ts';
import type { Ended, ScriptRun } from './script-process.ts';

const MAIN = join(import.meta.dirname, '../../generator/main.ts');

export type GeneratorCommand =
  | 'audit'
  | 'deploy'
  | 'doctor'
  | 'gate'
  | 'generate'
  | 'ingest'
  | 'init'
  | 'log:cosign'
  | 'log:keep'
  | 'log:key'
  | 'take-down';

/** Runs a command to its end, in a process of its own. */
export function runCommandProcess(
  command: GeneratorCommand,
  ...args: readonly string[]
): Promise<Ended> {
  return runProcess(scriptOf(command, args));
}

/** A worker thread loads every module again, which takes longer than the few builds of a test. */
const FEW_THREADS: Partial<Record<GeneratorCommand, readonly string[]>> = {
  generate: ['--threads', '1'],
};

/**
 * Runs a command to its end, in a process that stays: `runResident()`. `generate` has one thread, unless `args` name
 * another number.
 * @param variables on top of those of this process
 */
export function runCommand(
  command: GeneratorCommand,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const all = [...(FEW_THREADS[command] ?? []), ...args];
  return runResident(scriptOf(command, all, variables));
}

function scriptOf(command: GeneratorCommand, args: readonly string[], variables = {}): ScriptRun {
  return {
    file: MAIN,
    args: [command, ...args],
    cwd: process.cwd(),
    env: { ...process.env, ...variables },
  };
}
