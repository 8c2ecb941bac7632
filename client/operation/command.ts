/** What every command gets and gives. */
import type { Ask } from '../terminal/ask.ts';
import type { ProjectChoice } from '../project/choose-project.ts';
import type { ClientError } from '../errors.ts';
import type { Envelope, NextStep } from '../output-schema/envelope.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Plan, Warning } from '../plan/plan.ts';

/** Options that every command has. */
export interface GlobalOptions extends ProjectChoice {
  readonly json: boolean;
  readonly quiet: boolean;
  /** Explains what goes on beside the work, such as why the cache is not used. */
  readonly verbose: boolean;
  /** Addresses of one registry, in the order in which they are asked. */
  readonly registry: readonly string[] | undefined;
  /** Uses no network: the cache and folders alone. */
  readonly offline: boolean;
  /** Asks the network for what is not in the cache only. */
  readonly preferOffline: boolean;
}

export interface CommandContext {
  readonly terminal: Terminal;
  /** Called with what is about to be applied; throws where that was not consented to. */
  readonly approve: (plan: Plan) => Promise<void>;
  /** Asks whether to go on; throws where nobody says yes. */
  readonly ask: Ask;
  /** Aborted by Ctrl-C and by termination. */
  readonly signal: AbortSignal;
}

/** The answer of a command: `--json` prints it, people get `text`. */
export interface Outcome {
  readonly status: Exclude<Envelope['status'], 'action_required'>;
  readonly data: object;
  readonly warnings?: readonly Warning[];
  readonly next?: readonly NextStep[];
  /** Lines for people, on standard output. */
  readonly text: readonly string[];
  /** What goes to standard output instead of `text`, byte for byte. */
  readonly raw?: Uint8Array;
  /** What went wrong after the work was done, such as a failed package manager. */
  readonly error?: ClientError;
}
