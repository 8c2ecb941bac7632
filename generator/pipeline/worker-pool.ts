/** Does jobs side by side: in this thread, or in worker threads with a git reader each. */
import { Worker } from 'node:worker_threads';
import { GeneratorError } from '../errors.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { isPackaged } from '../packaged.ts';
import type { Job, Result, Workplace } from './job.ts';
import { Stage } from './emit.ts';
import { StepClock } from './stage-clock.ts';
import type { StepSeconds } from './stage-clock.ts';

export interface WorkerPool {
  /** Starts what the first job needs, when there will be one. */
  readonly warm: () => void;
  /** Resolves when there is room for another job: callers that add work wait here. */
  readonly room: () => Promise<void>;
  readonly perform: <J extends Job>(job: J) => Promise<Result<J>>;
  /** Processor time of the jobs that are done, all threads together. */
  readonly steps: () => StepSeconds;
  readonly close: () => Promise<void>;
}

const WORKER = isPackaged ? './worker.mjs' : './worker.ts';

/** How many jobs a thread may have waiting, so that it never idles and memory stays bounded. */
const QUEUE_LENGTH = 16;

/** A thread starts when each of the others has so many jobs: a run with few jobs starts one. */
const JOBS_BEFORE_NEXT_THREAD = 3;

/**
 * Left alone, V8 lets short-lived garbage grow with the memory of the machine, which costs a fifth of the
 * speed: buffers come back cold. Three semi-spaces, as `npm run generate` sets them for the main thread.
 */
const YOUNG_GENERATION_MB = 24;

/**
 * @param threads worker threads; with 1 the work is done in this thread
 * @param reader of this thread; the caller closes it
 */
export function openWorkerPool(
  workplace: Workplace,
  threads: number,
  reader: ObjectReader,
): WorkerPool {
  return threads <= 1 ? workHere(workplace, reader) : workInThreads(workplace, threads);
}

function workHere(workplace: Workplace, reader: ObjectReader): WorkerPool {
  const stage = new Stage(workplace.out);
  const gate = new Gate(QUEUE_LENGTH);
  const clock = new StepClock();
  let loading: Promise<typeof import('./job.ts')> | undefined;
  // Loaded late: where worker threads do the work, or nothing changed, this thread needs no rules.
  const load = (): Promise<typeof import('./job.ts')> => (loading ??= import('./job.ts'));
  return {
    warm: () => void load().catch(() => undefined),
    room: () => gate.room(),
    perform: <J extends Job>(job: J) => {
      const tools = { workplace, reader, stage, measure: clock.measure };
      const result = load().then(({ perform }) => perform(job, tools));
      return gate.pass(result as Promise<Result<J>>);
    },
    steps: () => clock.take(),
    close: async () => {},
  };
}

interface Answer {
  readonly ticket: number;
  readonly result?: unknown;
  readonly problem?: string;
  readonly steps?: StepSeconds;
}

interface Employed {
  readonly worker: Worker;
  /** That it was sent and has not answered. */
  jobs: number;
}

interface Asked {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

function workInThreads(workplace: Workplace, threads: number): WorkerPool {
  const gate = new Gate(QUEUE_LENGTH * threads);
  const asked = new Map<number, Asked>();
  const workers: Employed[] = [];
  const clock = new StepClock();
  let tickets = 0;
  return {
    warm: () => void nextWorker(),
    room: () => gate.room(),
    perform: <J extends Job>(job: J) => {
      const ticket = (tickets += 1);
      const answer = new Promise<unknown>((resolve, reject) => {
        asked.set(ticket, { resolve, reject });
      });
      const employed = nextWorker();
      employed.jobs += 1;
      employed.worker.postMessage({ ticket, job });
      return gate.pass(answer as Promise<Result<J>>).finally(() => (employed.jobs -= 1));
    },
    steps: () => clock.take(),
    close: async () => {
      await Promise.all(workers.map(({ worker }) => worker.terminate()));
    },
  };

  /** The one with the fewest jobs, or a new one. */
  function nextWorker(): Employed {
    const [idlest] = workers.toSorted((a, b) => a.jobs - b.jobs);
    const isEnough = workers.length === threads || (idlest?.jobs ?? 0) < JOBS_BEFORE_NEXT_THREAD;
    if (idlest !== undefined && isEnough) return idlest;
    const employed = { worker: startWorker(), jobs: 0 };
    workers.push(employed);
    return employed;
  }

  function startWorker(): Worker {
    const worker = new Worker(new URL(WORKER, import.meta.url), {
      workerData: workplace,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    worker.on('message', ({ ticket, result, problem, steps }: Answer) => {
      if (steps !== undefined) clock.add(steps);
      const one = asked.get(ticket);
      asked.delete(ticket);
      if (problem === undefined) one?.resolve(result);
      else one?.reject(new GeneratorError('ERR_WORKER', problem));
    });
    worker.on('error', (cause) => {
      const problem = `A worker thread failed: ${cause instanceof Error ? cause.message : String(cause)}`;
      for (const one of asked.values()) {
        one.reject(new GeneratorError('ERR_WORKER', problem, { cause }));
      }
      asked.clear();
    });
    return worker;
  }
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
