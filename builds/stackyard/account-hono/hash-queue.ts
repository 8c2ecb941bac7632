// Limits how many password hashes are computed at once, and how many wait. A hash takes 32 MiB and a fifth of a second
// of a core: without a limit a burst of logins would take all memory and every thread of the pool.

import { AccountError } from './account-error.js';

export interface HashQueueLimits {
  /** How many tasks run at once. */
  readonly maxRunning: number;
  /** How many wait beside those. */
  readonly maxQueued: number;
  /** How long one waits, in milliseconds. */
  readonly maxWaitMs: number;
}

export interface HashQueue {
  /** Runs `task` when there is room for it. Rejects with `AccountError`, code `overloaded`, when the queue or the wait is too long. */
  run<T>(task: () => Promise<T>): Promise<T>;
}

const RETRY_AFTER_SECONDS = 5;

/** A first-in, first-out queue. Throws `RangeError` for limits with which no task could run. */
export function createHashQueue({ maxRunning, maxQueued, maxWaitMs }: HashQueueLimits): HashQueue {
  checkCount('maxRunning', maxRunning, 1);
  checkCount('maxQueued', maxQueued, 0);
  checkCount('maxWaitMs', maxWaitMs, 0);
  let running = 0;
  const waiting = new Set<() => void>();

  function waitForTurn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(start);
        reject(overloaded());
      }, maxWaitMs);
      waiting.add(start);
    });
  }

  // A finished task passes its place to the next one, so `running` does not change.
  function finish(): void {
    const [next] = waiting;
    if (!next) {
      running--;
      return;
    }
    waiting.delete(next);
    next();
  }

  return {
    async run(task) {
      if (running < maxRunning) running++;
      else if (waiting.size < maxQueued) await waitForTurn();
      else throw overloaded();
      try {
        return await task();
      } finally {
        finish();
      }
    },
  };
}

function checkCount(name: string, value: number, min: number): void {
  if (Number.isInteger(value) && value >= min && value <= 0x7fffffff) return;
  throw new RangeError(`Option "${name}" is "${value}": use a whole number from ${min}`);
}

function overloaded(): AccountError {
  return new AccountError('overloaded', { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } });
}
