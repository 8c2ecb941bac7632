/** Does jobs in processes of their own with a git reader each, one of which may end without ending the run. */
import type { Care } from '../../scan/examine-build.ts';
import {
  JobFailed,
  ScanEnded,
  ScanNotStarted,
  ScanProcess,
  performSafely,
} from '../../scan/scan-process.ts';
import { finding } from '../../format/finding/finding.ts';
import { GeneratorError, type GeneratorErrorCode } from '../errors.ts';
import type { Examined } from './examine.ts';
import type { Asked, ExamineJob, Performed, Workplace } from './job.ts';
import type { StepClock } from './stage-clock.ts';

export interface GuardedJobs {
  readonly examine: (job: ExamineJob) => Promise<Examined>;
  /** What the processes used, in seconds of processor time, since the last call. */
  readonly used: () => number;
  /** The trees that ended a process. */
  readonly ended: ReadonlySet<string>;
  readonly close: () => void;
}

/** A process starts when each of the others has so many jobs. */
const JOBS_BEFORE_NEXT_PROCESS = 3;

/**
 * Starts processes when there are jobs.
 *
 * @param count of processes at most, beside one for builds that end them
 * @param limit seconds of processor time for one build
 */
export function openGuardedJobs(
  program: URL,
  { workplace, count, limit }: { workplace: Workplace; count: number; limit: number | undefined },
  clock: StepClock,
): GuardedJobs {
  const workers: ScanProcess[] = [];
  const ended = new Set<string>();
  let used = 0;
  /** Builds that end processes are examined one after the other. */
  let alone: Promise<unknown> = Promise.resolve();
  return {
    examine,
    ended,
    used: () => {
      const before = used;
      used = 0;
      return workers.reduce((sum, worker) => sum + worker.take(), before);
    },
    close: () => {
      for (const worker of workers) worker.close();
    },
  };

  async function examine(job: ExamineJob): Promise<Examined> {
    const { path, tree } = job.candidate;
    try {
      return await performSafely(
        () => send(nextWorker(), job, {}),
        (care) => {
          ended.add(tree);
          const result = alone.then(() => examineAlone(job, care));
          alone = result.catch(() => {});
          return result;
        },
      );
    } catch (error) {
      if (error instanceof JobFailed) {
        const { message, code, hint } = error.problem;
        if (code !== undefined)
          throw new GeneratorError(code as GeneratorErrorCode, message, { hint });
        throw new GeneratorError('ERR_WORKER', `Cannot examine "${path}": ${message}`);
      }
      if (error instanceof ScanNotStarted) throw new GeneratorError(error.code, error.message);
      if (!(error instanceof ScanEnded)) throw error;
      const { cause, detail, file } = error.end;
      return { ok: false, faults: [finding('scan-ended', file, { cause, detail })] };
    }
  }

  async function examineAlone(job: ExamineJob, care: Care): Promise<Examined> {
    const worker = new ScanProcess({ program, setup: workplace, limit, isFresh: true });
    try {
      return await send(worker, job, care);
    } finally {
      used += worker.take();
      worker.close();
    }
  }

  async function send(worker: ScanProcess, job: ExamineJob, care: Care): Promise<Examined> {
    const asked: Asked = { job, care };
    const { result, steps } = (await worker.perform(asked)) as Performed;
    clock.add(steps);
    return result as Examined;
  }

  /** The one with the fewest jobs, or a new one. */
  function nextWorker(): ScanProcess {
    for (const [at, worker] of workers.entries()) {
      if (!worker.hasEnded) continue;
      used += worker.take();
      workers.splice(at, 1);
      break;
    }
    const [idlest] = workers.toSorted((a, b) => a.jobs - b.jobs);
    const isEnough = workers.length === count || (idlest?.jobs ?? 0) < JOBS_BEFORE_NEXT_PROCESS;
    if (idlest !== undefined && isEnough) return idlest;
    const worker = new ScanProcess({ program, setup: workplace, limit });
    workers.push(worker);
    return worker;
  }
}
