// For whatever watches the server: GET /health answers while the process lives, GET /ready while it can do its work.

import type { Express, RequestHandler } from 'express';
import type { Module } from '../module.js';
import { allowMethods, HttpError } from './errors.js';

/** A check and its name, which the answer and the log give. */
type Check = readonly [name: string, check: () => unknown];

/** A check that takes longer has failed: what asks gives up after some seconds. */
const CHECK_TIMEOUT_MS = 2000;

/** Adds `/health` and `/ready`, with the checks of the modules. Their successes are not logged. */
export function addHealthRoutes(app: Express, modules: readonly Module[], isDraining: () => boolean): void {
  const checks = modules.flatMap((module) => Object.entries(module.checks ?? {}));
  const get = (path: string, handle: RequestHandler) => app.route(path).get(handle).all(allowMethods('GET'));
  get('/health', (_req, res) => {
    res.setHeader('Cache-Control', 'no-store');
    res.json({ status: 'ok' });
  });
  get('/ready', async (_req, res) => {
    res.setHeader('Cache-Control', 'no-store');
    if (isDraining()) throw new HttpError(503, 'The server is shutting down', { code: 'draining', expose: true });
    await runChecks(checks);
    res.json({ status: 'ready' });
  });
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
