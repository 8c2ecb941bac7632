/** Questions to the user. Without an interactive terminal, a question is an error that names the option. */
import { createInterface } from 'node:readline/promises';
import type { WriteStream } from 'node:tty';
import { ClientError } from '../errors.ts';
import type { Plan } from '../plan/plan.ts';
import { endWith, interrupted, printable } from './printable.ts';
import { InternalError, StackyardError, type FormatError } from '../../format/errors.ts';

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
export async function confirmDanger({ warnings }: Plan, ask: Ask): Promise<void> {
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

/** The exit status of every error code: scripts and agents may rely on these numbers. */
export const EXIT_DONE = 0;
export const EXIT_INTERNAL = 1;
export const EXIT_USAGE = 2;
export const EXIT_DIFFERENT = 10;

const STATUS: Record<(ClientError | FormatError)['code'], number> = {
  ERR_USAGE: EXIT_USAGE,
  ERR_INSECURE_URL: EXIT_USAGE,
  ERR_BUILD_NOT_FOUND: 3,
  ERR_VERSION_NOT_FOUND: 3,
  ERR_NOT_INSTALLED: 3,
  ERR_REGISTRY_NOT_FOUND: 3,
  ERR_NO_PROJECT: 4,
  ERR_RESOLVE: 4,
  ERR_RESOLVE_LIMIT: 4,
  ERR_STACK: 4,
  ERR_KIND: 4,
  ERR_DEPENDENCY: 4,
  ERR_INSTALLED: 4,
  ERR_OWNER_REGISTRY: 4,
  ERR_CONFLICT: 5,
  ERR_PLAN_CHANGED: 5,
  ERR_INTEGRITY: 6,
  ERR_ROLLBACK: 6,
  ERR_LOG: 6,
  ERR_ORIGIN: 6,
  ERR_ARCHIVE: 6,
  ERR_TARBALL: 6,
  ERR_PATH_POLICY: 6,
  ERR_CONSENT: 6,
  ERR_PERSONAL_DATA: 6,
  ERR_NETWORK: 7,
  ERR_REGISTRY_ANSWER: 7,
  ERR_DOCUMENT: 7,
  ERR_GIT: 7,
  ERR_CODE_HOST: 7,
  ERR_NEEDS_ANSWER: 8,
  ERR_DECLINED: 8,
  ERR_LOCK: 9,
  ERR_PROJECT_FILE: 9,
  ERR_PROJECT_CHANGED: 9,
  ERR_BUSY: 9,
  ERR_JOURNAL: 9,
  ERR_WRITE: 9,
  ERR_PACKAGES: 11,
  ERR_PROOF: 12,
  ERR_INTERRUPTED: 130,
  ERR_CANONICAL_JSON: EXIT_INTERNAL,
  ERR_LOG_KEY: 2,
  ERR_LOG_BUNDLE: 6,
  ERR_LOG_ENTRY: 6,
  ERR_LOG_MAP: 6,
  ERR_NOTE: 6,
  ERR_NOTE_SIGNATURE: 6,
  ERR_CHECKPOINT: 6,
};

/** The exit status for `error`; 1 for a defect of the client. */
export function exitStatus(error: unknown): number {
  if (error instanceof InternalError || !(error instanceof StackyardError)) return EXIT_INTERNAL;
  return STATUS[error.code as keyof typeof STATUS] ?? EXIT_INTERNAL;
}
