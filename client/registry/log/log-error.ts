/** The error for a log that contradicts itself, what was seen of it before, or the documents of its registry. */
import { ClientError } from '../../errors.ts';

const HINT =
  'do not trust this address: the host, or someone between, serves something else than the registry published; try again in a minute, and report it to the registry with the files named above if it happens again';

/** @param evidence the file that has both sides */
export function logError(problem: string, evidence?: string, cause?: unknown): ClientError {
  const where = evidence === undefined ? '' : `; evidence: ${evidence}`;
  return new ClientError('ERR_LOG', `The transparency log cannot be trusted: ${problem}${where}`, {
    hint: HINT,
    cause,
  });
}
