/**
 * Does jobs side by side: in this thread, and in worker threads with a git reader each. Builds that are not plain (`examine.ts`) are
 * examined in processes, which a defect of a parser may end (`job.ts`).
 */
import { Worker } from 'node:worker_threads';
import { TimedWork, plainTime } from '../../scan/within-time.ts';
import { GeneratorError } from '../errors.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { isPackaged } from '../packaged.ts';
import { TreeNote, keepTrees, unfinishedTrees } from './examine.ts';
import type * as jobModule from './job.ts';
import {
  openGuardedJobs,
  type Job,
  type Performed,
  type Result,
  type ThreadData,
  type Workplace,
} from './job.ts';
import { Stage } from './emit.ts';
import { StepClock, type StepSeconds } from './stage-clock.ts';

export interface WorkerPool {
  /** Starts what the first job needs, when there will be one, and another thread for so many. @param expected jobs, at least */
  readonly warm: (expected: number) => void;
  /** Resolves when there is room for another job: callers that add work wait here. */
  readonly room: () => Promise<void>;
  readonly perform: <J extends Job>(job: J) => Promise<Result<J>>;
  /** Processor time of the jobs that are done: all threads together, and this one. */
  readonly steps: () => { readonly steps: StepSeconds; readonly own: number };
  /** Processor time of other processes, since the last call. */
  readonly used: () => number;
  readonly close: () => Promise<void>;
}

const WORKER = new URL(isPackaged ? './worker.mjs' : './worker.ts', import.meta.url);

/** How many jobs a thread may have waiting, so that it never idles and memory stays bounded. */
const QUEUE_LENGTH = 16;

/**
 * A thread starts when each of those that work has so many jobs. What it needs to start is the work on a hundred builds: it loads and compiles
 * all modules again. With two dozen builds a second thread makes a run no shorter, and uses the other processor for it.
 */
const ENOUGH_JOBS = 30;

/** A run with so many jobs starts another thread at once. */
const WORTH_A_THREAD = 100;

/**
 * Left alone, V8 lets short-lived garbage grow with the memory of the machine, which costs a fifth of the
 * speed: buffers come back cold. Three semi-spaces, as `npm run generate` sets them for the main thread.
 */
const YOUNG_GENERATION_MB = 24;

/** Does a job; `undefined` when a process must do it. */
interface Lane {
  /** How many jobs the next one would have before it. */
  readonly jobs: () => number;
  readonly warm: () => void;
  readonly perform: (job: Job) => Promise<Performed['result']>;
  readonly close: () => Promise<void>;
}

/**
 * @param threads that do jobs, this one included
 * @param reader of this thread; the caller closes it
 * @param limit seconds of processor time for one build
 */
export function openWorkerPool(
  workplace: Workplace,
  threads: number,
  reader: ObjectReader,
  limit?: number,
): WorkerPool {
  const gate = new Gate(QUEUE_LENGTH * Math.max(1, threads));
  const clock = new StepClock();
  const unfinished = unfinishedTrees(workplace.out);
  // Each thread has a line of its own, after those of the trees that are known.
  keepTrees(workplace.out, [...unfinished]);
  const line = unfinished.size;
  const patience = plainTime(limit);
  const here = workHere({ workplace, line }, reader, clock, patience);
  const others = workInThreads({ workplace, line: line + 1 }, threads - 1, clock, patience);
  const guarded = openGuardedJobs(WORKER, { workplace, count: threads, limit }, clock);

  async function perform(job: Job): Promise<Performed['result']> {
    const lane = others.jobs() < here.jobs() ? others : here;
    if (job.kind !== 'examine') return lane.perform(job);
    const result = unfinished.has(job.candidate.tree) ? undefined : await lane.perform(job);
    return result ?? guarded.examine(job);
  }

  return {
    warm: (expected) => {
      here.warm();
      if (expected >= WORTH_A_THREAD) others.warm();
    },
    room: () => gate.room(),
    perform: <J extends Job>(job: J) => gate.pass(perform(job) as Promise<Result<J>>),
    steps: () => ({ steps: clock.take(), own: clock.own }),
    used: () => guarded.used(),
    close: async () => {
      guarded.close();
      await Promise.all([here.close(), others.close()]);
      const stillEnding = [...unfinished].filter((tree) => guarded.ended.has(tree));
      keepTrees(workplace.out, stillEnding);
    },
  };
}

function workHere(
  { workplace, line }: ThreadData,
  reader: ObjectReader,
  clock: StepClock,
  patience: number,
): Lane {
  const stage = new Stage(workplace.out);
  const note = new TreeNote(workplace.out, line);
  const first = { note, timed: new TimedWork(patience) };
  const tools = { workplace, reader, stage, measure: clock.measure, first };
  let jobs = 0;
  let loading: Promise<typeof jobModule> | undefined;
  // Loaded late: a run in which nothing changed needs no rules.
  const load = (): Promise<typeof jobModule> => (loading ??= import('./job.ts'));
  return {
    jobs: () => jobs,
    warm: () => void load().catch(() => undefined),
    perform: (job) => {
      jobs += 1;
      return load()
        .then(({ perform }) => perform(job, undefined, tools))
        .finally(() => (jobs -= 1));
    },
    close: async () => note.close(),
  };
}

interface Answer {
  readonly ticket: number;
  readonly result?: Performed['result'];
  readonly problem?: string;
  readonly steps?: StepSeconds;
}

interface Employed {
  readonly worker: Worker;
  /** That it was sent and has not answered, by ticket. */
  readonly asked: Map<number, Waiting>;
  /** When it began to work on what it has not answered, in milliseconds. */
  since: number;
}

interface Waiting {
  readonly job: Job;
  readonly resolve: (result: Performed['result']) => void;
  readonly reject: (error: Error) => void;
}

/** @param threads at most; may be 0 */
function workInThreads(
  place: ThreadData,
  threads: number,
  clock: StepClock,
  patience: number,
): Lane {
  const workers: Employed[] = [];
  let [tickets, started] = [0, 0];
  const watch = setInterval(endTooLong, Math.min(1_000, patience / 2)).unref();
  return {
    jobs: () => {
      const fewest = Math.min(...workers.map(({ asked }) => asked.size));
      return workers.length < threads ? Math.min(fewest, ENOUGH_JOBS) : fewest;
    },
    warm: () => void (threads > 0 && nextWorker()),
    perform: (job) => {
      const ticket = (tickets += 1);
      const employed = nextWorker();
      const { asked, worker } = employed;
      if (asked.size === 0) employed.since = performance.now();
      return new Promise((resolve, reject) => {
        asked.set(ticket, { job, resolve, reject });
        worker.postMessage({ ticket, job });
      });
    },
    close: async () => {
      clearInterval(watch);
      await Promise.all(workers.map(({ worker }) => worker.terminate()));
    },
  };

  /** Ends threads that do not come to the end of a build: processes, whose end is bounded, examine what they had. */
  function endTooLong(): void {
    const late = workers.filter(({ asked, since }) => {
      const isExamining = [...asked.values()].every(({ job }) => job.kind === 'examine');
      return asked.size > 0 && isExamining && performance.now() - since > patience;
    });
    for (const employed of late) {
      workers.splice(workers.indexOf(employed), 1);
      for (const { resolve } of employed.asked.values()) resolve(undefined);
      employed.asked.clear();
      void employed.worker.terminate();
    }
  }

  /** The one with the fewest jobs, or a new one. */
  function nextWorker(): Employed {
    const [idlest] = workers.toSorted((a, b) => a.asked.size - b.asked.size);
    const isEnough = workers.length === threads || (idlest?.asked.size ?? 0) < ENOUGH_JOBS;
    if (idlest !== undefined && isEnough) return idlest;
    const employed = startWorker();
    workers.push(employed);
    return employed;
  }

  function startWorker(): Employed {
    const data: ThreadData = { ...place, line: place.line + started };
    started += 1;
    const worker = new Worker(WORKER, {
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    const employed: Employed = { worker, asked: new Map(), since: performance.now() };
    const { asked } = employed;
    worker.on('message', ({ ticket, result, problem, steps }: Answer) => {
      if (steps !== undefined) clock.add(steps);
      employed.since = performance.now();
      const one = asked.get(ticket);
      asked.delete(ticket);
      if (problem === undefined) one?.resolve(result);
      else one?.reject(new GeneratorError('ERR_WORKER', problem));
    });
    worker.on('error', (cause: unknown) => {
      workers.splice(workers.indexOf(employed), 1);
      const isFull = (cause as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
      const problem = `A worker thread failed: ${cause instanceof Error ? cause.message : String(cause)}`;
      for (const { job, resolve, reject } of asked.values()) {
        // One of the builds took all memory of the thread.
        if (isFull && job.kind === 'examine') resolve(undefined);
        else reject(new GeneratorError('ERR_WORKER', problem, { cause }));
      }
      asked.clear();
    });
    return employed;
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
