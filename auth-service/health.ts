// GET /ready: whether this process can do its work, so that a load balancer may send requests. GET /health only shows that
// the process answers.

import type { Logger } from 'pino';

/** The body of `/ready`. */
export interface Readiness {
  readonly status: 'ready' | 'unavailable';
  readonly checks: {
    readonly database: 'ok' | 'unavailable';
    readonly shutdown: 'no' | 'in_progress';
  };
}

/** How long a result of the database is reused: anyone may send requests. */
const CHECK_INTERVAL_MS = 1000;

/**
 * Whether the database can be used, asked at most once a second. A change is logged.
 * @param check rejects while it cannot
 */
export function watchDatabase(
  check: () => Promise<void>,
  log: Pick<Logger, 'info' | 'error'>,
  now: () => number = Date.now,
): () => Promise<boolean> {
  let wasUp = true;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking = Promise.resolve(true);

  async function ask(): Promise<boolean> {
    let isUp = true;
    try {
      await check();
      if (!wasUp) log.info('The database is back');
    } catch (error) {
      isUp = false;
      if (wasUp) log.error({ err: error }, 'Database unavailable');
    }
    wasUp = isUp;
    return isUp;
  }

  return () => {
    if (now() - checkedAt < CHECK_INTERVAL_MS) return checking;
    checkedAt = now();
    checking = ask();
    return checking;
  };
}

/** The body of `/ready`. */
export function describeReadiness(isDatabaseUp: boolean, isStopping: boolean): Readiness {
  return {
    status: isDatabaseUp && !isStopping ? 'ready' : 'unavailable',
    checks: {
      database: isDatabaseUp ? 'ok' : 'unavailable',
      shutdown: isStopping ? 'in_progress' : 'no',
    },
  };
}
