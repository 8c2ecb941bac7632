/** Questions with several answers, for a user at a terminal. */
import { printable } from './printable.ts';
import { createInterface, type Interface } from 'node:readline/promises';
import { ClientError } from '../errors.ts';

interface Choice<Key extends string = string> {
  /** What the user types: the first letter is enough. */
  readonly key: Key;
  readonly label: string;
}

/**
 * Prints `lines` and asks until one of `choices` is given.
 * @param fallback what an empty line means
 */
type AskChoice = <Key extends string>(
  lines: readonly string[],
  choices: readonly Choice<Key>[],
  fallback?: NoInfer<Key>,
) => Promise<Key>;

/** Prints `lines` and asks for a line of text. */
type AskText = (lines: readonly string[], question: string) => Promise<string>;

export interface Asker {
  readonly choice: AskChoice;
  readonly text: AskText;
}

/** Runs `work`, which asks one question after the other. */
export type Choose = <Result>(work: (ask: Asker) => Promise<Result>) => Promise<Result>;

/**
 * At a question, Ctrl-C is a key that the terminal hands to the reader, and a closed terminal is the end of the input: both
 * stop the command.
 */
export function interrupted(): ClientError {
  return new ClientError('ERR_INTERRUPTED', 'Interrupted: nothing was changed');
}

/** Ends a reader where its terminal goes away: on some systems that is an error of the stream, also while the reader closes. */
export function endWith(reader: Interface): void {
  process.stdin.on('error', () => setImmediate(() => reader.close()));
}

/**
 * Asks on standard error; the input ends when `signal` is aborted. A question without an answer is an error: only a user
 * who answers decides.
 * @throws {ClientError} `ERR_INTERRUPTED` at the end of the input
 */
export function openChoose(signal: AbortSignal): Choose {
  return async (work) => {
    // One reader for all questions: a second one would lose what was typed ahead.
    const streams = { input: process.stdin, output: process.stderr };
    const reader = createInterface({ ...streams, signal, historySize: 0 });
    // The reader takes Ctrl-C from the terminal, and would only end the input.
    reader.on('SIGINT', () => {
      process.stderr.write('\n');
      process.kill(process.pid, 'SIGINT');
    });
    const typed = reader[Symbol.asyncIterator]();
    endWith(reader);
    const text: AskText = async (lines, question) => {
      for (const line of lines) process.stderr.write(`${printable(line)}\n`);
      process.stderr.write(`${printable(question)} `);
      // A signal ends the reader with an error.
      const answer = await typed.next().catch(() => undefined);
      if (answer === undefined || answer.done === true) throw interrupted();
      return answer.value.trim();
    };
    const choice: AskChoice = async (lines, choices, fallback) => {
      const offered = choices.map(({ key, label }) => `[${key[0]}]${key.slice(1)}${label}`);
      const question = `${offered.join(', ')}${fallback === undefined ? '' : ` (${fallback})`}?`;
      for (let above = lines; ; above = []) {
        const written = await text(above, question);
        if (written === '' && fallback !== undefined) return fallback;
        const found = choices.find(({ key }) => {
          return (
            written !== '' &&
            /^[a-zA-Z]+$/.test(written) &&
            new RegExp(`^${written}`, 'i').test(key)
          );
        });
        if (found !== undefined) return found.key;
      }
    };
    try {
      return await work({ choice, text });
    } finally {
      reader.close();
    }
  };
}
