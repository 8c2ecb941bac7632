/** The error for a log that contradicts itself, what was seen of it before, or the documents of its registry. */
import { FormatError } from '../../../format/errors.ts';
import type { StackyardError } from '../../../format/errors.ts';
import { ClientError } from '../../errors.ts';

const HINT =
  'do not trust this address: the host, or someone between, serves something else than the registry published; try again in a minute, and report it to the registry with the files named above if it happens again';

class LogError extends ClientError {
  readonly problem: string;

  constructor(problem: string, where: string, cause: unknown) {
    super('ERR_LOG', `The transparency log cannot be trusted: ${problem}${where}`, {
      hint: HINT,
      cause,
    });
    this.problem = problem;
  }
}

export function logError(problem: string): ClientError {
  return new LogError(problem, '', undefined);
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
  return new LogError(problem, evidence === undefined ? '' : `; evidence: ${evidence}`, cause);
}
