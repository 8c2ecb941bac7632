/** Repeats requests that fail for a moment: a server that is busy or restarts, a connection that breaks. */
import { setTimeout as wait } from 'node:timers/promises';

/** How long and by which clock a request is repeated. */
export interface Patience {
  /** Since the first failure. */
  readonly forMs: number;
  /** Milliseconds since any moment. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 8_000;

/** By the clock of the machine. */
export function patience(forMs: number): Patience {
  return { forMs, now: () => performance.now(), sleep: (ms) => wait(ms) };
}

/**
 * The result of the first attempt that succeeds. Pauses double, and differ between requests that failed together.
 * @param isPassing whether another attempt may succeed
 * @throws the last failure
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  isPassing: (error: unknown) => boolean,
  { forMs, now, sleep }: Patience,
): Promise<Result> {
  let failedAt: number | undefined;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await attempt();
    } catch (error) {
      failedAt ??= now();
      if (!isPassing(error) || now() - failedAt + pause > forMs) throw error;
      await sleep(pause * (0.5 + Math.random() / 2));
    }
  }
}
