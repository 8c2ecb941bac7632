/** Ends work in this thread that takes too long. It covers all that JavaScript does, regular expressions included, but no native code. */
import { Script, createContext } from 'node:vm';

/**
 * Seconds of processor time that a process may take without finishing a job. The largest packages of npm take 25. What the
 * checks read is bounded by size, depth and steps, which are the same on all machines; this is for defects of these bounds.
 */
export const MAX_SCAN_SECONDS = 180;

/** For V8, where builds are scanned: left alone, short-lived garbage grows until it is cold, and all of it to twice what is in use. */
export const FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=15'];

/** Milliseconds of the clock; on a busy machine too, a plain build takes a hundredth of it. */
const MAX_PLAIN_TIME_MS = 10_000;

/** How long a plain build may take where the limit for one build is `limit` seconds; in milliseconds of the clock. */
export function plainTime(limit: number = MAX_SCAN_SECONDS): number {
  return Math.min(limit * 1_000, MAX_PLAIN_TIME_MS);
}

/** The work did not end in time. No `finally` of it ran: what it left in memory must not be used again. */
export class OverTime extends Error {
  override readonly name = 'OverTime';
}

/** To set a limit takes up to a third of what the examination of a small build takes. */
const MAX_TOGETHER = 16;
const WAIT_MS = 2;

interface Waiting {
  /** Passes on its result or error, unless it does not end. */
  readonly work: () => void;
  readonly giveUp: () => void;
}

/**
 * Work in this thread that arrives together shares one limit. After work that did not end nothing more is done: what it left in memory must
 * not be used again.
 */
export class TimedWork {
  readonly #milliseconds: number;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isSpoiled = false;

  /** @param milliseconds of the clock, for what arrives together */
  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** The result of `work`, which must not wait for anything; `undefined` when it did not end, or was not begun after other work that did not. */
  perform<Result>(work: () => Result): Promise<Result | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) this.#timer = setTimeout(() => this.#performAll(), WAIT_MS);
      this.#waiting.push({
        work: () => {
          try {
            resolve(work());
          } catch (error) {
            reject(error);
          }
        },
        giveUp: () => resolve(undefined),
      });
      if (this.#waiting.length === MAX_TOGETHER) this.#performAll();
    });
  }

  #performAll(): void {
    clearTimeout(this.#timer);
    const together = this.#waiting;
    this.#waiting = [];
    try {
      if (!this.#isSpoiled) {
        withinTime(this.#milliseconds, () => {
          for (const { work } of together) work();
        });
      }
    } catch (error) {
      if (!(error instanceof OverTime)) throw error;
      this.#isSpoiled = true;
    }
    // Of what is settled, that changes nothing.
    for (const { giveUp } of together) giveUp();
  }
}

let context: { work?: (() => void) | undefined } | undefined;
let script: Script | undefined;

/**
 * The result of `work`, which must not wait for anything.
 *
 * @param milliseconds of the clock
 * @throws {OverTime}
 */
export function withinTime<Result>(milliseconds: number, work: () => Result): Result {
  context ??= createContext({}) as { work?: () => void };
  script ??= new Script('work()');
  let result: { readonly value: Result } | undefined;
  context.work = () => {
    result = { value: work() };
  };
  try {
    script.runInContext(context, { timeout: milliseconds });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new OverTime('Work took too long', { cause: error });
  } finally {
    context.work = undefined;
  }
  return result!.value;
}
