/** Questions to the user. Where nobody can answer, the question is an error that names the flag. */
import { createInterface } from 'node:readline/promises';
import { ClientError } from '../errors.ts';
import { printable } from './terminal.ts';

interface Question {
  readonly text: string;
  /** The flag that answers yes, such as `--yes`. */
  readonly flag: string;
}

export type Ask = (question: Question) => Promise<void>;

/**
 * Asks on standard error and resolves on yes; without `isInteractive` nobody is asked.
 * @throws {ClientError} `ERR_NEEDS_ANSWER` when nobody can answer, `ERR_DECLINED` on any other answer
 */
export function openAsk(isInteractive: boolean, isYes: boolean, signal: AbortSignal): Ask {
  return async ({ text, flag }) => {
    if (isYes && flag === '--yes') return;
    if (!isInteractive) {
      throw new ClientError('ERR_NEEDS_ANSWER', `Cannot go on without an answer: ${text}`, {
        hint: `add ${flag} to say yes`,
      });
    }
    if (await isConfirmed(text, signal)) return;
    throw new ClientError('ERR_DECLINED', 'Nothing was changed: you did not say yes', {
      hint: `${flag} says yes without a question`,
    });
  };
}

async function isConfirmed(text: string, signal: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // The end of the input answers nothing, and `question` would wait for ever.
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    const asked = lines.question(`${printable(text)} [y/N] `, { signal });
    const answer = await Promise.race([asked, ended]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
