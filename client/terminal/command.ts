/** The input and the result that all commands share. */
import type { Ask } from './ask.ts';
import type { Choose } from './choose.ts';
import type { ProjectChoice } from '../project/choose-project.ts';
import type { ClientError } from '../errors.ts';
import type { Envelope, NextStep } from '../output-schema/envelope.ts';
import type { StyledText } from './styled-text.ts';
import { span } from './styled-text.ts';
import type { Terminal } from './terminal.ts';
import type { Plan, Warning } from '../plan/plan.ts';

/** Options that every command has. */
export interface GlobalOptions extends ProjectChoice {
  readonly json: boolean;
  readonly quiet: boolean;
  /** Prints details, such as why the cache is not used. */
  readonly verbose: boolean;
  /** Addresses of one registry, in the order in which they are tried. */
  readonly registry: readonly string[] | undefined;
  /** Uses no network: only the cache and folders. */
  readonly offline: boolean;
  /** Uses the network only for what is not in the cache. */
  readonly preferOffline: boolean;
}

export interface CommandContext {
  readonly terminal: Terminal;
  /** Called with the plan that is about to be applied; throws without the user's consent. */
  readonly approve: (plan: Plan) => Promise<void>;
  /** Asks whether to continue; throws unless the user answers yes. */
  readonly ask: Ask;
  /** Asks for one of several answers; absent when nobody can answer. */
  readonly choose?: Choose | undefined;
  /** Aborted by Ctrl-C and by termination signals. */
  readonly signal: AbortSignal;
}

/** The result of a command: `--json` prints it as JSON, otherwise `text` is printed. */
export interface Outcome {
  readonly status: Exclude<Envelope['status'], 'action_required'>;
  readonly data: object;
  readonly warnings?: readonly Warning[];
  readonly next?: readonly NextStep[];
  /** Lines for standard output, without `--json`. */
  readonly text: readonly StyledText[];
  /** What happened, without an end: a terminal gets it with the time that it took. */
  readonly closing?: string;
  /** Bytes for standard output, printed unchanged instead of `text`. */
  readonly raw?: Uint8Array;
  /** The exit status, where it is that of a program that the command ran. */
  readonly exitStatus?: number;
  /** An error after the work was done, such as a failed package manager. */
  readonly error?: ClientError;
}

/** `Next: <command>  (<why>)` */
export function nextLine({ command, why }: Pick<NextStep, 'command' | 'why'>): StyledText {
  return ['Next: ', span('command', command), `  (${why})`];
}

/** Prints warnings, such as those of a plan, on standard error. */
export function printWarnings(
  { warnings }: Pick<Plan, 'warnings'>,
  { terminal }: CommandContext,
): void {
  for (const { path, message } of warnings) {
    terminal.warn(path === '' ? message : `${path}: ${message}`);
  }
}
