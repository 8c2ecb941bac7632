/** The errors for a log that contradicts itself, what was seen of it before, or the documents of its registry. */
import { FormatError, type StackyardError } from '../../../format/errors.ts';
import { ClientError } from '../../errors.ts';

const HINT =
  'do not trust this address: the host, or someone between, serves something else than the registry published; try again in a minute, and report it to the registry with the files named above if it happens again';

const MISSING_HINT =
  'run the same command again: the registry may have removed this file after a newer publication; if it is missing again, its host is incomplete or hides it: report it to the registry';

/** Where the key that must sign did not: the host may lie, or the registry ran without its key. */
const KEY_HINT = `${HINT}. Its admins find in docs/operate.md, "When something happened", how to correct a run without the right key, and how a new key is announced`;

class LogError extends ClientError {
  readonly problem: string;

  constructor(problem: string, where: string, cause: unknown, hint: string) {
    super('ERR_LOG', `The transparency log cannot be trusted: ${problem}${where}`, { hint, cause });
    this.problem = problem;
  }
}

export function logError(problem: string): ClientError {
  return new LogError(problem, '', undefined, HINT);
}

/** The error for a file that the state which is read names, and that `url` does not have. */
export function missingFile(url: string): ClientError {
  const problem = `Cannot read ${url}: it is missing, and the newest state of the registry names it`;
  return new ClientError('ERR_LOG', problem, { hint: MISSING_HINT });
}

/** The error for a checkpoint without the signature that it must have. */
export function unsignedError(problem: string): ClientError {
  return new LogError(problem, '', undefined, KEY_HINT);
}

/** Whether an error is one of those, or about the form of a file of the log; of several addresses that of the first. */
export function isLogError(error: unknown): error is StackyardError {
  if (error instanceof FormatError) return LOG_FORM.test(error.code);
  return (
    error instanceof LogError || (error instanceof ClientError && error.cause instanceof LogError)
  );
}

const LOG_FORM = /^ERR_(?:LOG_|NOTE|CHECKPOINT)/;

/** The error for `cause` with the place of both sides. @param evidence the file that has them, if any */
export function withEvidence(cause: StackyardError, evidence: string | undefined): ClientError {
  const problem = cause instanceof LogError ? cause.problem : cause.message;
  const hint = (cause instanceof LogError && cause.hint) || HINT;
  return new LogError(
    problem,
    evidence === undefined ? '' : `; evidence: ${evidence}`,
    cause,
    hint,
  );
}
