/**
 * A process of its own for work on untrusted files. Whatever a file makes the scanner do there (overflow a stack, crash a native
 * parser, take all memory, never end) ends that process and not the one that asked.
 *
 *     parent                                  process
 *     { setup }                         ->
 *                                       <-    { ticket: 0, used }
 *     { ticket: 1, job }                ->
 *                                       <-    { ticket: 1, result, used }
 *
 * The limit is one of processor time, so that a busy machine does not fail a scan.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { StackyardError } from '../format/errors.ts';
import type { Care, ScanEnd } from './examine-build.ts';
import { FLAGS, MAX_SCAN_SECONDS } from './within-time.ts';

/** How often a busy process is looked at. */
const LOOK_EVERY_MS = 1_000;

/** A process that nobody asked for so long ends: the next run of a program that stays takes it over before. */
const SPARE_MS = 5_000;

/** Of what a process wrote last: the end of V8's report about memory. */
const MAX_TRACE = 20_000;

/** For the memory of the native parser, where the system has glibc: what is freed goes back to the system. */
const MEMORY = { MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_TRIM_THRESHOLD_: '262144' };

/** Begins the lines on standard error by which a process with one job reports which file it reads. */
export const READING = 'reading ';

/** An error, as it is sent: only its texts arrive. */
export interface Problem {
  readonly message: string;
  /** Of our own errors. */
  readonly code?: string;
  readonly hint?: string | undefined;
}

/** The error of a job that failed, without ending its process. */
export class JobFailed extends Error {
  override readonly name = 'JobFailed';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** What a process sends back. */
export interface Answer {
  /** 0 when it is ready for its first job. */
  readonly ticket: number;
  readonly result?: unknown;
  /** Why the job failed, where it did not end the process. */
  readonly problem?: Problem;
  /** Seconds of processor time that the process used in all. */
  readonly used: number;
}

/** The process ended in a job. */
export class ScanEnded extends Error {
  override readonly name = 'ScanEnded';
  readonly end: ScanEnd;

  constructor(end: ScanEnd) {
    super(`The process that examines builds ended: ${end.cause}`);
    this.end = end;
  }
}

/** The process ended before its first job: that is no fault of a build. */
export class ScanNotStarted extends StackyardError<'ERR_WORKER'> {}

interface Asked {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** What a process needs once, before its first job. */
interface ScanSetup {
  /** The program: it answers messages. */
  readonly program: URL;
  /** The first message. */
  readonly setup: unknown;
  /** In seconds of processor time; `MAX_SCAN_SECONDS` by default. */
  readonly limit?: number | undefined;
  /** A process that no other one used, and that no other one uses later. */
  readonly isFresh?: boolean;
}

/** A process without jobs, for the next `ScanProcess` of its program. */
interface Spare {
  readonly program: string;
  readonly environment: string;
  readonly child: ChildProcess;
  readonly used: number;
}

const spares: Spare[] = [];

export class ScanProcess {
  readonly #child: ChildProcess;
  readonly #program: string;
  readonly #limit: number;
  readonly #isFresh: boolean;
  readonly #asked = new Map<number, Asked>();
  #ticket = 0;
  #used = 0;
  #reported = 0;
  /** When it answered last, or got the first of its jobs. */
  #since = 0;
  #trace = '';
  #isReady = false;
  #isOverTime = false;
  #look: NodeJS.Timeout | undefined;
  #end: ScanEnded | ScanNotStarted | undefined;
  readonly #onMessage = (answer: Answer): void => this.#take(answer);
  // After its streams: what it wrote last gives the reason.
  readonly #onEnd = (code: number | null, signal: string | null): void => this.#fail(code, signal);
  /** It could not be started. */
  readonly #onError = (error: Error): void => this.#fail(null, error.message);
  readonly #onTrace = (text: string): void => {
    this.#trace = (this.#trace + text).slice(-MAX_TRACE);
  };

  constructor({ program, setup, limit = MAX_SCAN_SECONDS, isFresh = false }: ScanSetup) {
    this.#isFresh = isFresh;
    this.#program = program.href;
    this.#limit = limit;
    const spare = isFresh ? undefined : spareFor(program.href);
    this.#child = spare?.child ?? start(program);
    this.#used = this.#reported = spare?.used ?? 0;
    this.#child.on('message', this.#onMessage).on('close', this.#onEnd).on('error', this.#onError);
    this.#child.stderr?.setEncoding('utf8').on('data', this.#onTrace);
    this.#hold(true);
    this.#child.send({ setup });
  }

  /** How many jobs it was sent and has not answered. */
  get jobs(): number {
    return this.#asked.size;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Seconds of processor time since the last call. */
  take(): number {
    const seconds = this.#used - this.#reported;
    this.#reported = this.#used;
    return Math.max(0, seconds);
  }

  /** @throws {ScanEnded} @throws {JobFailed} @throws {ScanNotStarted} */
  perform(job: unknown): Promise<unknown> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    const ticket = (this.#ticket += 1);
    return new Promise((resolve, reject) => {
      this.#asked.set(ticket, { resolve, reject });
      if (this.#look === undefined) {
        this.#since = performance.now();
        this.#look = setInterval(() => this.#checkTime(), LOOK_EVERY_MS);
      }
      // Where it has ended, `close` gives the reason.
      this.#child.send({ ticket, job }, () => {});
    });
  }

  /** Ends the process, or leaves it to the next `ScanProcess` of this program. */
  close(): void {
    clearInterval(this.#look);
    if (this.#end !== undefined) return;
    const child = this.#child;
    if (this.#asked.size > 0 || this.#isFresh) {
      child.removeListener('close', this.#onEnd).kill('SIGKILL');
      return;
    }
    child.removeListener('message', this.#onMessage).removeListener('close', this.#onEnd);
    child.stderr?.removeListener('data', this.#onTrace);
    child.send({ setup: undefined }, () => {});
    this.#hold(false);
    keepSpare({ program: this.#program, environment: environment(), child, used: this.#used });
  }

  #take({ ticket, result, problem, used }: Answer): void {
    this.#used = used;
    this.#since = performance.now();
    this.#isReady = true;
    const asked = this.#asked.get(ticket);
    this.#asked.delete(ticket);
    if (this.#asked.size === 0) {
      clearInterval(this.#look);
      this.#look = undefined;
    }
    if (problem === undefined) asked?.resolve(result);
    else asked?.reject(new JobFailed(problem));
  }

  #checkTime(): void {
    // Its start is no work on a build.
    if (!this.#isReady) return;
    const used = processorSeconds(this.#child.pid ?? 0);
    const clock = (performance.now() - this.#since) / 1_000;
    if ((used === undefined ? clock : used - this.#used) <= this.#limit) return;
    this.#isOverTime = true;
    this.#child.kill('SIGKILL');
  }

  #fail(code: number | null, signal: string | null): void {
    clearInterval(this.#look);
    const cause = this.#isOverTime
      ? 'time'
      : /heap out of memory|Allocation failed/.test(this.#trace)
        ? 'memory'
        : 'crash';
    const file =
      this.#trace
        .split('\n')
        .findLast((line) => line.startsWith(READING))
        ?.slice(READING.length) ?? '';
    const detail = cause === 'crash' ? (signal ?? `status ${code}`) : `${this.#limit}`;
    this.#end = this.#isReady
      ? new ScanEnded({ cause, detail, file })
      : new ScanNotStarted(
          'ERR_WORKER',
          `Cannot start the process that examines builds: ${detail}${this.#trace === '' ? '' : `: ${this.#trace.trim()}`}`,
        );
    for (const { reject } of this.#asked.values()) reject(this.#end);
    this.#asked.clear();
  }

  /** Whether the process keeps this one from ending. */
  #hold(isHeld: boolean): void {
    const handles = [this.#child, this.#child.channel, this.#child.stderr];
    for (const handle of handles as ({ ref: () => void; unref: () => void } | null)[]) {
      if (isHeld) handle?.ref();
      else handle?.unref();
    }
  }
}

function start(program: URL): ChildProcess {
  return fork(program, {
    execArgv: FLAGS,
    env: { ...MEMORY, ...process.env },
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
}

function environment(): string {
  return JSON.stringify([process.cwd(), process.env]);
}

function spareFor(program: string): Spare | undefined {
  const now = environment();
  const at = spares.findIndex((one) => one.program === program && one.environment === now);
  return at < 0 ? undefined : spares.splice(at, 1)[0];
}

function keepSpare(spare: Spare): void {
  const { child } = spare;
  const remove = (): void => {
    const at = spares.indexOf(spare);
    if (at >= 0) spares.splice(at, 1);
  };
  child.once('exit', remove);
  spares.push(spare);
  setTimeout(() => {
    if (!spares.includes(spare)) return;
    remove();
    child.kill();
  }, SPARE_MS).unref();
}

/** Of a process, in all; `undefined` where the system does not report it: there, the limit is one of the clock. */
function processorSeconds(pid: number): number | undefined {
  try {
    // Fields 14 and 15, in hundredths of a second: the name, in parentheses, may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return undefined;
  }
}

/**
 * The result of a job on a build, whatever its scan does to a process.
 *
 * @param first does it beside others
 * @param alone does it in a process of its own: the same again, as another job may have ended the process; then
 *   without the scan
 * @throws {ScanEnded} reading or packing the build ends the process, too
 */
export async function performSafely<Result>(
  first: () => Promise<Result>,
  alone: (care: Care) => Promise<Result>,
): Promise<Result> {
  let ended: ScanEnded | undefined;
  const tries = [first, () => alone({ isWatched: true }), () => alone({ ended: ended?.end })];
  for (const attempt of tries) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ScanEnded)) throw error;
      ended = error;
    }
  }
  throw ended;
}
