/** What every command gets and gives. */
import type { ClientError } from '../errors.ts';
import type { Warning } from '../plan.ts';
import type { Terminal } from '../terminal.ts';

/** Options that every command has. */
export interface GlobalOptions {
  readonly cwd: string;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly registry: string | undefined;
}

export interface CommandContext {
  readonly terminal: Terminal;
  /** Aborted by Ctrl-C and by termination. */
  readonly signal: AbortSignal;
}

export interface NextStep {
  readonly command: string;
  readonly why: string;
}

/** The answer of a command: `--json` prints it, people get `text`. */
export interface Outcome {
  readonly status: 'done' | 'noop' | 'planned' | 'different' | 'conflicts' | 'error';
  readonly data: object;
  readonly warnings?: readonly Warning[];
  readonly next?: readonly NextStep[];
  /** Lines for people, on standard output. */
  readonly text: readonly string[];
  /** What went wrong after the work was done, such as a failed package manager. */
  readonly error?: ClientError;
}

/** Where builds come from when neither option, environment nor lock says so. */
const DEFAULT_REGISTRY = 'http://127.0.0.1:4173';

/** The address of the registry: the option, else STACKYARD_REGISTRY, else the lock's, else our own. */
export function registryAddress(option: string | undefined, locked: string | undefined): string {
  const fromEnvironment = process.env['STACKYARD_REGISTRY'];
  return (
    option ?? (fromEnvironment === '' ? undefined : fromEnvironment) ?? locked ?? DEFAULT_REGISTRY
  );
}
