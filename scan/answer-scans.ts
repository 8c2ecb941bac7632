/** The side of `scan-thread.ts` in the thread: its program calls `answerScans` once. */
import { parentPort } from 'node:worker_threads';
import { InternalError, StackyardError } from '../format/errors.ts';
import type { ScanEnd } from './examine-build.ts';
import { watchReading } from './open-build.ts';
import type { Answer, Problem, Sent } from './scan-thread.ts';

/**
 * Answers every job that the program sends.
 * @param perform does a job; with `ended`, without the scan
 * @throws {InternalError} outside of a worker thread
 */
export function answerScans<Job>(
  perform: (job: Job, ended: ScanEnd | undefined) => Promise<unknown>,
): void {
  const port = parentPort;
  if (port === null) throw new InternalError('Only a worker thread answers scans');
  const answer = (message: Answer): void => port.postMessage(message);
  port.on('message', ({ ticket, job, care }: Sent<Job>) => {
    watchReading(care.isWatched ? (path) => answer({ reading: path }) : undefined);
    perform(job, care.ended).then(
      (result) => answer({ ticket, result }),
      (error: unknown) => answer({ ticket, problem: problemOf(error) }),
    );
  });
  answer({ ready: true });
}

function problemOf(error: unknown): Problem {
  if (error instanceof StackyardError) {
    const { message, code, hint } = error;
    return { message, code, hint };
  }
  return { message: error instanceof Error ? error.message : String(error) };
}
