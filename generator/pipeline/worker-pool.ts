/** Does jobs side by side, in processes of their own with a git reader each: no build can end the run. */
import type { Care } from '../../examine/examine-build.ts';
import {
  JobFailed,
  ScanEnded,
  ScanNotStarted,
  ScanProcess,
  performSafely,
} from '../../examine/scan-process.ts';
import { finding } from '../../format/finding/finding.ts';
import { GeneratorError } from '../errors.ts';
import type { GeneratorErrorCode } from '../errors.ts';
import { isPackaged } from '../packaged.ts';
import type { Examined } from './examine.ts';
import type { Asked, Job, Performed, Result, Workplace } from './job.ts';
import { StepClock } from './stage-clock.ts';
import type { StepSeconds } from './stage-clock.ts';

export interface WorkerPool {
  /** Starts what the first job needs, when there will be one. */
  readonly warm: () => void;
  /** Resolves when there is room for another job: callers that add work wait here. */
  readonly room: () => Promise<void>;
  readonly perform: <J extends Job>(job: J) => Promise<Result<J>>;
  /** Processor time of the jobs that are done, all processes together. */
  readonly steps: () => StepSeconds;
  /** What the processes used in all, up to their last answers. */
  readonly used: () => number;
  readonly close: () => void;
}

const PROGRAM = new URL(isPackaged ? './worker.mjs' : './worker.ts', import.meta.url);

/** How many jobs a process may have waiting, so that it never idles and memory stays bounded. */
const QUEUE_LENGTH = 16;

/** A process starts when each of the others has so many jobs: a run with few jobs starts one. */
const JOBS_BEFORE_NEXT_PROCESS = 3;

const VERBS = { examine: 'examine', render: 'render', pages: 'make the pages of' } as const;

/** @param count of processes at most, beside one for builds that end them */
export function openWorkerPool(workplace: Workplace, count: number, limit?: number): WorkerPool {
  const gate = new Gate(QUEUE_LENGTH * count);
  const workers: ScanProcess[] = [];
  const clock = new StepClock();
  let used = 0;
  /** Builds that end processes are examined one after the other. */
  let alone: Promise<unknown> = Promise.resolve();
  return {
    warm: () => void nextWorker(),
    room: () => gate.room(),
    perform: (job) => gate.pass(performJob(job)),
    steps: () => clock.take(),
    used: () => workers.reduce((sum, worker) => sum + worker.take(), 0) + take(),
    close: () => {
      for (const worker of workers) worker.close();
    },
  };

  async function performJob<J extends Job>(job: J): Promise<Result<J>> {
    try {
      return await performSafely(
        () => send(nextWorker(), job, {}),
        (care) => {
          const result = alone.then(() => performAlone(job, care));
          alone = result.catch(() => {});
          return result;
        },
      );
    } catch (error) {
      const what = `Cannot ${VERBS[job.kind]} "${subjectOf(job)}"`;
      if (error instanceof JobFailed) {
        const { message, code, hint } = error.problem;
        if (code === undefined) throw new GeneratorError('ERR_WORKER', `${what}: ${message}`);
        throw new GeneratorError(code as GeneratorErrorCode, message, { hint });
      }
      if (error instanceof ScanNotStarted) throw new GeneratorError(error.code, error.message);
      if (!(error instanceof ScanEnded)) throw error;
      if (job.kind !== 'examine') {
        throw new GeneratorError('ERR_WORKER', `${what}: ${error.message}`, { cause: error });
      }
      const { cause, detail, file } = error.end;
      const faults = [finding('scan-ended', file, { cause, detail })];
      return { ok: false, faults } as Examined as Result<J>;
    }
  }

  async function performAlone<J extends Job>(job: J, care: Care): Promise<Result<J>> {
    const worker = new ScanProcess({ program: PROGRAM, setup: workplace, limit, isFresh: true });
    try {
      return await send(worker, job, care);
    } finally {
      used += worker.take();
      worker.close();
    }
  }

  async function send<J extends Job>(worker: ScanProcess, job: J, care: Care): Promise<Result<J>> {
    const asked: Asked = { job, care };
    const { result, steps } = (await worker.perform(asked)) as Performed;
    clock.add(steps);
    return result as Result<J>;
  }

  function take(): number {
    const seconds = used;
    used = 0;
    return seconds;
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
    const worker = new ScanProcess({ program: PROGRAM, setup: workplace, limit });
    workers.push(worker);
    return worker;
  }
}

function subjectOf(job: Job): string {
  if (job.kind === 'examine') return job.candidate.path;
  return job.kind === 'pages' ? job.pages.build.id : job.build.id;
}

/** Lets a bounded number through at a time. */
class Gate {
  readonly #limit: number;
  #inside = 0;
  #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  async room(): Promise<void> {
    while (this.#inside >= this.#limit) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async pass<Value>(work: Promise<Value>): Promise<Value> {
    this.#inside += 1;
    try {
      return await work;
    } finally {
      this.#inside -= 1;
      this.#waiting.shift()?.();
    }
  }
}
