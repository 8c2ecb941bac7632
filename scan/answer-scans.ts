/** The side of `scan-process.ts` that does the jobs: a program calls `answerScans` once, and lives as long as its parent. */
import { writeSync } from 'node:fs';
import { StackyardError } from '../format/errors.ts';
import { watchReading } from './open-build.ts';
import type { Care } from './examine-build.ts';
import { READING, type Answer, type Problem } from './scan-process.ts';

/** What a program does with one setup. */
interface Workshop<Job> {
  readonly perform: (job: Job) => Promise<unknown>;
  readonly close: () => void;
}

type Message<Setup, Job> =
  | { readonly setup: Setup | undefined }
  | { readonly ticket: number; readonly job: Job };

/** Answers every job that the parent sends. A setup without a value closes the one before. */
export function answerScans<Setup, Job>(open: (setup: Setup) => Workshop<Job>): void {
  let workshop: Workshop<Job> | undefined;
  process.on('disconnect', () => process.exit());
  process.on('message', (message: Message<Setup, Job>) => {
    if ('setup' in message) {
      workshop?.close();
      workshop = message.setup === undefined ? undefined : open(message.setup);
      if (workshop !== undefined) answer({ ticket: 0, used: usedSeconds() });
      return;
    }
    const { ticket, job } = message;
    void workshop?.perform(job).then(
      (result) => answer({ ticket, result, used: usedSeconds() }),
      (error: unknown) => {
        answer({ ticket, problem: problemOf(error), used: usedSeconds() });
      },
    );
  });
}

/** Takes the measures of `care` for the rest of this process. */
export function takeCare({ isWatched = false }: Care): void {
  // At once and past the buffers of streams: the process may end with the next step.
  if (isWatched) watchReading((path) => void writeSync(2, `${READING}${path}\n`));
}

function answer(message: Answer): void {
  // The parent may have ended.
  process.send?.(message, () => {});
}

function problemOf(error: unknown): Problem {
  if (error instanceof StackyardError) {
    const { message, code, hint } = error;
    return { message, code, hint };
  }
  return { message: error instanceof Error ? error.message : String(error) };
}

function usedSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
