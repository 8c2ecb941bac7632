// For whatever watches the server: GET /health answers while the process lives, GET /ready while it can do its work.

import { Hono } from 'hono';
import type { Module } from '../module.js';
import type { AppEnv } from './context.js';
import { HttpError } from './errors.js';

/** A check and its name, which the answer and the log give. */
type Check = readonly [name: string, check: () => unknown];

/** A check that takes longer has failed: what asks gives up after some seconds. */
const CHECK_TIMEOUT_MS = 2000;

const NOT_STORED = { 'Cache-Control': 'no-store' };

/** Routes `/health` and `/ready`, with the checks of the modules. Their successes are not logged. */
export function createHealthRouter(modules: readonly Module[], isDraining: () => boolean): Hono<AppEnv> {
  const checks = modules.flatMap((module) => Object.entries(module.checks ?? {}));
  const router = new Hono<AppEnv>();
  router.get('/health', (c) => c.json({ status: 'ok' }, 200, NOT_STORED));
  router.get('/ready', async (c) => {
    if (isDraining()) throw new HttpError(503, 'The server is shutting down', { code: 'draining', expose: true });
    await runChecks(checks);
    return c.json({ status: 'ready' }, 200, NOT_STORED);
  });
  return router;
}

/** The causes are for the log: clients get the names only. */
async function runChecks(checks: readonly Check[]): Promise<void> {
  const results = await Promise.allSettled(checks.map(([, check]) => withTimeout(check)));
  const failed = checks.flatMap(([name], at) => {
    const result = results[at];
    return result?.status === 'rejected' ? [{ name, cause: result.reason as unknown }] : [];
  });
  if (failed.length === 0) return;
  throw new HttpError(503, `Not ready: ${failed.map(({ name }) => name).join(', ')}`, {
    code: 'not_ready',
    expose: true,
    cause: failed.length === 1 ? failed[0]?.cause : new AggregateError(failed.map(({ cause }) => cause)),
  });
}

async function withTimeout(check: () => unknown): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer in ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
