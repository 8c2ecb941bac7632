/** Questions to the user. Without an interactive terminal, a question is an error that names the option. */
import { createInterface } from 'node:readline/promises';
import type { WriteStream } from 'node:tty';
import { ClientError } from '../errors.ts';
import type { Plan } from '../plan/plan.ts';
import { printable } from './printable.ts';
import { endWith, interrupted } from './choose.ts';

interface Question {
  readonly text: string;
  /** The option that answers yes, such as `--yes`. */
  readonly flag: string;
}

export type Ask = (question: Question) => Promise<void>;

/**
 * Asks on standard error and resolves on yes; asks nobody without `isInteractive`.
 * @throws {ClientError} `ERR_NEEDS_ANSWER` without `isInteractive`, `ERR_DECLINED` for any other answer,
 *   `ERR_INTERRUPTED` for none
 */
export function openAsk(isInteractive: boolean, isYes: boolean, signal: AbortSignal): Ask {
  return async ({ text, flag }) => {
    if (isYes && flag === '--yes') return;
    if (!isInteractive) {
      throw new ClientError('ERR_NEEDS_ANSWER', `Cannot go on without an answer: ${text}`, {
        hint: `add ${flag} to answer yes`,
      });
    }
    if (await isConfirmed(text, signal)) return;
    throw new ClientError('ERR_DECLINED', 'Nothing was changed: you did not answer yes', {
      hint: `${flag} answers yes without a question`,
    });
  };
}

async function isConfirmed(text: string, signal: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  endWith(lines);
  try {
    // At the end of the input `question` would wait forever; at Ctrl-C it is rejected.
    const ended = new Promise<undefined>((resolve) =>
      lines.once('close', () => resolve(undefined)),
    );
    const answered = lines.question(`${printable(text)} [y/N] `, { signal }).catch(() => undefined);
    const answer = await Promise.race([answered, ended]);
    if (answer === undefined) throw interrupted();
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

/** Code of the warning that a plan has for such a build. */
export const BUILD_DANGER = 'build-danger';

/**
 * Asks before a build is installed that the checks of the registry rate as dangerous.
 * @throws {ClientError} `ERR_NEEDS_ANSWER`, `ERR_DECLINED`
 */
export async function confirmDanger({ warnings }: Pick<Plan, 'warnings'>, ask: Ask): Promise<void> {
  const dangers = warnings.filter(({ code }) => code === BUILD_DANGER);
  if (dangers.length === 0) return;
  const messages = dangers.map(({ message }) => message).join('; ');
  await ask({ text: `${messages}. Install it all the same?`, flag: '--yes' });
}

/**
 * `--no-color` and NO_COLOR disable colour, FORCE_COLOR enables it, `TERM=dumb` disables it; otherwise it
 * depends on the terminal.
 * @see https://no-color.org: an empty NO_COLOR has no effect
 */
export function wantsColor(
  stream: Pick<WriteStream, 'isTTY'>,
  env: NodeJS.ProcessEnv,
  isOff: boolean,
): boolean {
  if (isOff || isSet(env['NO_COLOR'])) return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return env['TERM'] !== 'dumb' && stream.isTTY === true;
}

/** Whether nobody can answer questions: continuous integration sets CI. */
export function isUnattended(env: NodeJS.ProcessEnv): boolean {
  return isSet(env['CI']) && env['CI'] !== 'false' && env['CI'] !== '0';
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
