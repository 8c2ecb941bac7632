// Gives every request an id and a line in the log, without the query, the headers and the body, which may hold secrets.

import { randomUUID } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import type { AppEnv } from './app-env.js';
import { clientAddress } from './client-address.js';
import { handleError, toError } from './error-handler.js';

/** Ids of a proxy or client that are safe to log and to send back. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Asked for every few seconds by whatever watches the server. */
const PROBES: ReadonlySet<string> = new Set(['/health', '/ready']);

/**
 * Middleware that sets `requestId` and `clientAddress` and logs each answer, but not the successes of `/health` and
 * `/ready`.
 * @param proxies the number of trusted proxies in front of the server
 */
export function logRequests(logger: Logger, proxies: number): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const started = performance.now();
    const id = chooseRequestId(c.req.header('X-Request-Id'));
    c.set('requestId', id);
    c.set('clientAddress', clientAddress(c, proxies));
    c.set('logger', logger);
    c.header('X-Request-Id', id);
    const finish = (): void => logAnswer(logger, c, performance.now() - started);
    const outgoing = c.env?.outgoing;
    outgoing?.on('close', finish);
    try {
      await next();
    } catch (thrown) {
      // Hono hands errors to `handleError` itself, but nothing else that is thrown.
      c.res = await handleError(toError(thrown), c);
    }
    if (outgoing === undefined) finish();
  };
}

/** The log, with the request in each line. */
export function requestLog(c: Context<AppEnv>): Logger {
  return c.get('logger').child({ req: describeRequest(c) });
}

function logAnswer(logger: Logger, c: Context<AppEnv>, responseTime: number): void {
  const { method, path } = c.req;
  const outgoing = c.env?.outgoing;
  const err = c.error ?? outgoing?.errored ?? undefined;
  const req = describeRequest(c);
  if (outgoing?.writableFinished === false) {
    // The client left, or an error came too late for another answer.
    const sent = outgoing.headersSent && { res: { statusCode: outgoing.statusCode } };
    const level = err === undefined ? 'warn' : 'error';
    logger[level]({ req, ...sent, responseTime, aborted: true, err }, `${method} ${path} aborted`);
    return;
  }
  const { status: statusCode } = c.res;
  const isFailure = err !== undefined || statusCode >= 500;
  if (!isFailure && statusCode < 400 && PROBES.has(path)) return;
  const level = isFailure ? 'error' : statusCode >= 400 ? 'warn' : 'info';
  logger[level]({ req, res: { statusCode }, responseTime, err }, `${method} ${path} ${statusCode}`);
}

function describeRequest(c: Context<AppEnv>): object {
  const { method, path } = c.req;
  return { id: c.get('requestId'), method, url: path, remoteAddress: c.get('clientAddress') };
}

function chooseRequestId(given: string | undefined): string {
  return given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();
}
