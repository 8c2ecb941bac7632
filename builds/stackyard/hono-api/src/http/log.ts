// One line in the log for each request, without the query, the headers and the body, which may hold secrets.

import type { Context } from 'hono';
import { getPath } from 'hono/utils/url';
import type { Logger } from 'pino';
import type { AppEnv } from './context.js';

/** Asked for every few seconds by whatever watches the server. */
const PROBE = /^\/(?:health|ready)\/?$/;

/** The log, with the request in each line. */
export function requestLog(c: Context<AppEnv>): Logger {
  return c.env.logger.child({ req: describeRequest(c.env, c.req.method, c.req.path) });
}

/**
 * Logs the answer to a request, but not the successes of `/health` and `/ready`.
 * @param responseTime in milliseconds
 */
export function logAnswer(request: Request, env: AppEnv['Bindings'], status: number, responseTime: number): void {
  const { method } = request;
  const path = getPath(request);
  const { logger, outgoing } = env;
  const err = env.error ?? outgoing?.errored ?? undefined;
  if (outgoing?.writableFinished === false) {
    // The client left, or an error came too late for another answer.
    const sent = outgoing.headersSent && { res: { statusCode: status } };
    const level = err === undefined ? 'warn' : 'error';
    const line = { req: describeRequest(env, method, path), ...sent, responseTime, aborted: true, err };
    logger[level](line, `${method} ${path} aborted`);
    return;
  }
  const isFailure = err !== undefined || status >= 500;
  if (!isFailure && status < 400 && PROBE.test(path)) return;
  const level = isFailure ? 'error' : status >= 400 ? 'warn' : 'info';
  const line = { req: describeRequest(env, method, path), res: { statusCode: status }, responseTime, err };
  logger[level](line, `${method} ${path} ${status}`);
}

function describeRequest(env: AppEnv['Bindings'], method: string, path: string): object {
  return { id: env.requestId, method, url: path, remoteAddress: env.clientAddress };
}
