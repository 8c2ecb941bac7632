/**
 * The one JSON document that a command prints with `--json`:
 *
 *     {"schema":"stackyard/add@1","ok":true,"status":"done","data":{},"warnings":[],"next":[]}
 */
import type { Envelope, EnvelopeError } from '../output-schema/envelope.ts';
import type { Explanation } from '../resolve/derivation.ts';
import type { NameCommands } from './own-command.ts';
import { UNPRINTABLE, printable } from './printable.ts';
import type { Outcome } from './command.ts';

/** An error as it is printed; also one that is not of our classes. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly explanation?: Explanation | undefined;
}

const asTheyAre: NameCommands = (text) => text;

/**
 * The envelope of a command that ended with `outcome`.
 * @param name how commands of this client are written
 */
export function outcomeEnvelope(
  command: string,
  outcome: Outcome,
  name: NameCommands = asTheyAre,
): Envelope {
  const { status, data, warnings = [], next = [], error } = outcome;
  const envelope = {
    schema: schemaOf(command),
    ok: error === undefined && status !== 'different' && status !== 'error',
    status,
    data,
    warnings: warnings.map((warning) => ({ ...warning })),
    next: next.map((step) => ({ ...step, command: name(step.command) })),
  };
  return error === undefined ? envelope : { ...envelope, error: toEnvelopeError(error, name) };
}

/** The envelope of a command that threw `failure`. */
export function failureEnvelope(
  command: string,
  failure: Failure,
  name: NameCommands = asTheyAre,
): Envelope {
  return {
    schema: schemaOf(command),
    ok: false,
    status: failure.code === 'ERR_NEEDS_ANSWER' ? 'action_required' : 'error',
    data: {},
    warnings: [],
    error: toEnvelopeError(failure, name),
    next: [],
  };
}

/** The envelope as text. Characters that control terminals are escaped, so that no data is lost. */
export function formatEnvelope(envelope: Envelope): string {
  return `${escapeUnprintable(JSON.stringify(envelope, null, 2))}\n`;
}

function schemaOf(command: string): string {
  return `stackyard/${command}@1`;
}

function toEnvelopeError(
  { code, message, hint = '', explanation }: Failure,
  name: NameCommands,
): EnvelopeError {
  const error = { code, message: printable(message), hint: printable(name(hint)) };
  // The message states what follows from one fact alone.
  if (explanation?.tree.because === undefined) return error;
  return { ...error, derivation: explanation.tree };
}

function escapeUnprintable(json: string): string {
  return json.replace(UNPRINTABLE, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
