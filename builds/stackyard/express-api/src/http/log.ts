// Gives every request an id and a line in the log, without the query, the headers and the body, which may hold secrets.

import { randomUUID } from 'node:crypto';
import type { Express, Request, Response } from 'express';
import type { Logger } from 'pino';

declare global {
  namespace Express {
    interface Request {
      /** In the header `X-Request-Id`, in error bodies and in the log. */
      id: string;
      /** The log, with the request in each line. */
      readonly log: Logger;
    }
    interface Response {
      /** Why the request failed, for the log. */
      err?: Error;
    }
  }
}

/** Ids of a proxy or client that are safe to log and to send back. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Asked for every few seconds by whatever watches the server. */
const PROBE = /^\/(?:health|ready)\/?$/i;

/**
 * Adds `req.log` to `app`. Returns what begins each request: it sets `req.id`, and logs the answer, but not the
 * successes of `/health` and `/ready`.
 */
export function logRequests(app: Express, appLogger: Logger): (req: Request, res: Response) => void {
  // A request as a whole has headers with secrets.
  const logger = appLogger.child({}, { serializers: { req: describeRequest } });
  Object.defineProperty(app.request, 'log', {
    // Few requests log lines of their own: the others need no child logger.
    get(this: Request): Logger {
      const value = logger.child({ req: this });
      Object.defineProperty(this, 'log', { value });
      return value;
    },
  });
  return (req, res) => {
    const started = performance.now();
    req.id = chooseRequestId(req);
    // Unknown once the connection is closed, unless it was read before.
    void req.socket.remoteAddress;
    res.setHeader('X-Request-Id', req.id);
    res.on('close', () => logAnswer(logger, req, res, performance.now() - started));
  };
}

/** What the log has of a request. */
function describeRequest(req: Request): object {
  return { id: req.id, method: req.method, url: pathOf(req), remoteAddress: req.ip };
}

function logAnswer(logger: Logger, req: Request, res: Response, responseTime: number): void {
  const { err, statusCode } = res;
  const path = pathOf(req);
  if (!res.writableFinished) {
    // The client left, or an error came too late for another answer.
    const line = { req, ...(res.headersSent && { res: { statusCode } }), responseTime, aborted: true };
    const message = `${req.method} ${path} aborted`;
    if (err === undefined) logger.warn(line, message);
    else logger.error({ ...line, err }, message);
    return;
  }
  const isFailure = err !== undefined || statusCode >= 500;
  if (!isFailure && statusCode < 400 && PROBE.test(path)) return;
  const line = { req, res: { statusCode }, responseTime, err };
  logger[isFailure ? 'error' : statusCode >= 400 ? 'warn' : 'info'](line, `${req.method} ${path} ${statusCode}`);
}

function chooseRequestId(req: Request): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

function pathOf({ originalUrl }: Request): string {
  const end = originalUrl.indexOf('?');
  return end < 0 ? originalUrl : originalUrl.slice(0, end);
}
