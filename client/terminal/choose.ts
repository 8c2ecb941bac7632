/** Questions with several answers, for a user at a terminal. */
import { createInterface } from 'node:readline/promises';
import { printable } from './printable.ts';

interface Choice<Key extends string = string> {
  /** What the user types: the first letter is enough. */
  readonly key: Key;
  readonly label: string;
}

/** Prints `lines` and asks until one of `choices` is given; `undefined` at the end of the input. */
export type AskChoice = <Key extends string>(
  lines: readonly string[],
  choices: readonly Choice<Key>[],
) => Promise<Key | undefined>;

/** Runs `work`, which asks one question after the other. */
export type Choose = <Result>(work: (ask: AskChoice) => Promise<Result>) => Promise<Result>;

/** Asks on standard error; the input ends when `signal` is aborted. */
export function openChoose(signal: AbortSignal): Choose {
  return async (work) => {
    // One reader for all questions: a second one would lose what was typed ahead.
    const reader = createInterface({ input: process.stdin, output: process.stderr, signal });
    const typed = reader[Symbol.asyncIterator]();
    try {
      return await work(async (lines, choices) => {
        for (const line of lines) process.stderr.write(`${printable(line)}\n`);
        const offered = choices.map(({ key, label }) => `[${key[0]}]${key.slice(1)}${label}`);
        for (;;) {
          process.stderr.write(`${printable(offered.join(', '))}? `);
          const answer = await typed.next();
          if (answer.done === true) return undefined;
          const word = answer.value.trim().toLowerCase();
          const found = choices.find(({ key }) => word !== '' && key.startsWith(word));
          if (found !== undefined) return found.key;
        }
      });
    } finally {
      reader.close();
    }
  };
}
