/**
 * The one JSON document that a command prints with `--json`:
 *
 *     {"schema":"stackyard/add@1","ok":true,"status":"done","data":{},"warnings":[],"next":[]}
 */
import type { NextStep, Outcome } from './command.ts';
import type { Warning } from '../plan/make-plan.ts';
import type { Derivation, Explanation } from '../resolve/derivation.ts';
import { UNPRINTABLE, printable } from '../terminal/terminal.ts';

export interface Envelope {
  /** `stackyard/<command>@1`: another number for a form that old readers cannot read. */
  readonly schema: string;
  /** Whether what was asked for is so: false for errors and for differences found. */
  readonly ok: boolean;
  readonly status: Outcome['status'] | 'action_required';
  readonly data: object;
  readonly warnings: readonly Warning[];
  readonly error?: ErrorTold;
  readonly next: readonly NextStep[];
}

interface ErrorTold {
  readonly code: string;
  readonly message: string;
  /** How versions exclude each other, where no choice of them is possible. */
  readonly derivation?: Derivation;
  /** Empty when there is no way out to tell. */
  readonly hint: string;
}

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly explanation?: Explanation | undefined;
}

export function outcomeEnvelope(command: string, outcome: Outcome): Envelope {
  const { status, data, warnings = [], next = [], error } = outcome;
  const ok = error === undefined && status !== 'different' && status !== 'error';
  const schema = `stackyard/${command}@1`;
  const envelope = { schema, ok, status, data, warnings, next };
  return error === undefined ? envelope : { ...envelope, error: errorTold(error) };
}

export function failureEnvelope(command: string, failure: Failure): Envelope {
  return {
    schema: `stackyard/${command}@1`,
    ok: false,
    status: failure.code === 'ERR_NEEDS_ANSWER' ? 'action_required' : 'error',
    data: {},
    warnings: [],
    error: errorTold(failure),
    next: [],
  };
}

/** The envelope as text; characters that steer terminals are escaped, so nothing of the data is lost. */
export function formatEnvelope(envelope: Envelope): string {
  return `${escapeUnprintable(JSON.stringify(envelope, null, 2))}\n`;
}

function errorTold({ code, message, hint = '', explanation }: Failure): ErrorTold {
  const told = { code, message: printable(message), hint: printable(hint) };
  // What follows from one fact alone is said by the message.
  if (explanation?.tree.because === undefined) return told;
  return { ...told, derivation: explanation.tree };
}

function escapeUnprintable(json: string): string {
  return json.replace(UNPRINTABLE, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
