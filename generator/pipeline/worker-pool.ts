/** Does jobs side by side in worker threads with a git reader each. */
import { StackyardError } from '../../format/errors.ts';
import { ScanThread } from '../../scan/scan-thread.ts';
import { GeneratorError } from '../errors.ts';
import { isPackaged } from '../packaged.ts';
import type { Job, Performed, Result, Task, Workplace } from './job.ts';
import { StepClock, type StepSeconds } from './stage-clock.ts';

const WORKER = new URL(isPackaged ? './worker.mjs' : './worker.ts', import.meta.url);

/** How many jobs a thread may have, so that it never idles and memory stays bounded. */
const MAX_JOBS = 32;

/**
 * Another thread starts when each has so many jobs: what it needs to load all modules again is the work on a hundred builds. With two
 * dozen builds a second thread makes a run no shorter, and uses the other processor for it.
 */
const ENOUGH_JOBS = 30;

/** Threads of earlier runs in this process. */
const idle: ScanThread[] = [];

const VERBS = { examine: 'examine', render: 'render', pages: 'make the pages of' } as const;

export class WorkerPool {
  readonly #workplace: Workplace;
  readonly #count: number;
  readonly #threads: ScanThread[] = [];
  readonly #clock = new StepClock();
  #jobs = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param count threads at most; each starts when there is work for it */
  constructor(workplace: Workplace, count: number) {
    this.#workplace = workplace;
    this.#count = Math.max(1, count);
  }

  /** Resolves when there is room for another job: callers that add work wait here. */
  async room(): Promise<void> {
    while (this.#jobs >= MAX_JOBS * this.#count) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** @throws {StackyardError} `ERR_WORKER`, `ERR_GIT` */
  async perform<J extends Job>(job: J): Promise<Result<J>> {
    this.#jobs += 1;
    try {
      const task: Task = { job, workplace: this.#workplace };
      const { result, steps } = (await this.#thread().perform(task)) as Performed;
      this.#clock.add(steps);
      return result as Result<J>;
    } catch (error) {
      if (error instanceof StackyardError) throw error;
      const problem = `Cannot ${VERBS[job.kind]} "${subjectOf(job)}": ${(error as Error).message}`;
      throw new GeneratorError('ERR_WORKER', problem, { cause: error });
    } finally {
      this.#jobs -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Processor time of the jobs that are done. */
  steps(): StepSeconds {
    return this.#clock.take();
  }

  /** Ends threads that have jobs or failed; the others stay for the next run, and have loaded their modules. */
  async close(): Promise<void> {
    for (const thread of this.#threads) {
      const over: Task = { job: undefined };
      if (thread.jobs > 0) await thread.close();
      else if (await thread.perform(over).catch(() => true)) await thread.close();
      else idle.push(thread);
    }
  }

  /** The one with the fewest jobs, or a new one. */
  #thread(): ScanThread {
    const [idlest] = this.#threads.toSorted((a, b) => a.jobs - b.jobs);
    const isEnough = this.#threads.length === this.#count || (idlest?.jobs ?? 0) < ENOUGH_JOBS;
    if (idlest !== undefined && isEnough) return idlest;
    const thread = idle.pop() ?? new ScanThread(WORKER);
    this.#threads.push(thread);
    return thread;
  }
}

function subjectOf(job: Job): string {
  if (job.kind === 'examine') return job.candidate.path;
  return job.kind === 'pages' ? job.pages.build.id : job.build.id;
}
