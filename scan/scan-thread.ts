/**
 * A worker thread that examines untrusted builds, with limits of memory and processor time: a build that exceeds one ends the
 * thread, and not the program.
 *
 *     program                         thread (`answer-scans.ts`)
 *                               <-    { ready: true }
 *     { ticket: 1, job, care }  ->
 *                               <-    { reading: 'src/a.ts' }
 *                               <-    { ticket: 1, result }
 *
 * Jobs that the thread had when it ended are done again, each alone in a new thread. One that ends that thread too is done without
 * its scan.
 */
import { Worker } from 'node:worker_threads';
import { StackyardError } from '../format/errors.ts';
import type { ScanEnd } from './examine-build.ts';

/**
 * Seconds of processor time that a thread may take without finishing a job. What the checks read is bounded by size, depth and
 * steps, which are the same on all machines; this is for defects of these bounds.
 */
const MAX_SCAN_SECONDS = 180;

/** Left alone, V8 lets short-lived garbage grow with the memory of the machine, which costs a fifth of the speed. */
const RESOURCE_LIMITS = {
  maxOldGenerationSizeMb: 2_000,
  maxYoungGenerationSizeMb: 24,
  stackSizeMb: 4,
};

/** How often a busy thread is looked at. */
const LOOK_EVERY_MS = 1_000;

/** How a job is done again after it may have ended a thread. */
interface Care {
  /** The thread reports which file it reads. */
  readonly isWatched?: boolean;
  /** Nothing is scanned: this is reported. */
  readonly ended?: ScanEnd;
}

/** A job as it is sent to the thread. */
export interface Sent<Job> {
  readonly ticket: number;
  readonly job: Job;
  readonly care: Care;
}

/** An error, as it is sent: only its texts arrive. */
export interface Problem {
  readonly message: string;
  /** Of our own errors. */
  readonly code?: string | undefined;
  readonly hint?: string | undefined;
}

/** What the thread sends. */
export type Answer =
  | { readonly ready: true }
  | { readonly reading: string }
  | { readonly ticket: number; readonly result: unknown }
  | { readonly ticket: number; readonly problem: Problem };

interface Asked {
  readonly job: unknown;
  readonly care: Care;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class ScanThread {
  readonly #program: URL;
  readonly #limit: number;
  #thread: Worker | undefined;
  #isReady = false;
  #isOverTime = false;
  /** The file that is being read, where the job is watched. */
  #reading = '';
  /** Jobs that were not sent yet. */
  #waiting: Asked[] = [];
  /** Jobs that were sent and have no answer, by ticket. */
  readonly #sent = new Map<number, Asked>();
  #ticket = 0;
  #look: NodeJS.Timeout | undefined;
  /** Seconds of processor time of the thread at the first look after an answer. */
  #used: number | undefined;

  /**
   * Starts the thread.
   *
   * @param program calls `answerScans`
   * @param limit seconds of processor time for one job
   */
  constructor(program: URL, limit: number = MAX_SCAN_SECONDS) {
    this.#program = program;
    this.#limit = limit;
    this.#thread = this.#start();
  }

  /** How many jobs have no answer. */
  get jobs(): number {
    return this.#waiting.length + this.#sent.size;
  }

  /** @throws {StackyardError} of the job, or `ERR_WORKER` when the thread failed @throws {Error} any other of the job */
  perform(job: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, care: {}, resolve, reject });
      this.#send();
    });
  }

  /** Ends the thread; jobs without an answer get none. */
  async close(): Promise<void> {
    clearInterval(this.#look);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(this.#program, { resourceLimits: RESOURCE_LIMITS });
    [this.#isReady, this.#isOverTime, this.#reading] = [false, false, ''];
    let failure: unknown;
    thread.on('message', (answer: Answer) => this.#take(answer));
    thread.on('error', (error: unknown) => (failure = error));
    thread.on('exit', () => {
      if (thread === this.#thread) this.#end(failure);
    });
    // A listener for messages would keep the program running; the timer of `#send` does while there are jobs.
    thread.unref();
    return thread;
  }

  #send(): void {
    const [next] = this.#waiting;
    if (next === undefined) return;
    const [before] = this.#sent.values();
    if (before !== undefined && (isSuspect(before) || isSuspect(next))) return;
    this.#waiting.shift();
    this.#ticket += 1;
    this.#sent.set(this.#ticket, next);
    this.#thread ??= this.#start();
    this.#look ??= setInterval(() => void this.#checkTime(), LOOK_EVERY_MS);
    const { job, care } = next;
    this.#thread.postMessage({ ticket: this.#ticket, job, care } satisfies Sent<unknown>);
    this.#send();
  }

  #take(answer: Answer): void {
    if ('reading' in answer) {
      this.#reading = answer.reading;
      return;
    }
    this.#used = undefined;
    if ('ready' in answer) {
      this.#isReady = true;
      return;
    }
    const asked = this.#sent.get(answer.ticket);
    this.#sent.delete(answer.ticket);
    if (this.#sent.size === 0) this.#stopLooking();
    if ('problem' in answer) asked?.reject(errorOf(answer.problem));
    else asked?.resolve(answer.result);
    this.#send();
  }

  async #checkTime(): Promise<void> {
    const thread = this.#thread;
    // Its start is no work on a build.
    if (thread === undefined || !this.#isReady) return;
    const used = await processorSeconds(thread);
    if (used === undefined || thread !== this.#thread || this.#sent.size === 0) return;
    this.#used ??= used;
    if (used - this.#used <= this.#limit) return;
    this.#isOverTime = true;
    void thread.terminate();
  }

  #stopLooking(): void {
    clearInterval(this.#look);
    [this.#look, this.#used] = [undefined, undefined];
  }

  #end(failure: unknown): void {
    this.#thread = undefined;
    this.#stopLooking();
    const asked = [...this.#sent.values()];
    this.#sent.clear();
    const isFull = (failure as { code?: unknown } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
    const isLimit = this.#isReady && (this.#isOverTime || isFull);
    const problem = failure instanceof Error ? failure.message : `it took ${this.#limit} s`;
    const ended: ScanEnd = {
      cause: this.#isOverTime ? 'time' : 'memory',
      detail: `${this.#limit}`,
      file: this.#reading,
    };
    for (const one of asked) {
      if (!isLimit || one.care.ended !== undefined) {
        one.reject(new StackyardError('ERR_WORKER', `A worker thread failed: ${problem}`));
      } else {
        const care: Care = one.care.isWatched ? { ended } : { isWatched: true };
        this.#waiting.unshift({ ...one, care });
      }
    }
    this.#send();
  }
}

/** Whether a job may have ended a thread: it is done alone. */
function isSuspect({ care }: Asked): boolean {
  return care.isWatched === true || care.ended !== undefined;
}

function errorOf({ message, code, hint }: Problem): Error {
  return code === undefined ? new Error(message) : new StackyardError(code, message, { hint });
}

/** `undefined` when the thread has ended. Older releases of Node.js do not know it: there, the clock counts. */
async function processorSeconds(thread: Worker): Promise<number | undefined> {
  const known: Partial<Pick<Worker, 'cpuUsage'>> = thread;
  try {
    const used = await known.cpuUsage?.();
    return used === undefined ? performance.now() / 1_000 : (used.user + used.system) / 1e6;
  } catch {
    return undefined;
  }
}
