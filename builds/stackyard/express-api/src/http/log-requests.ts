// Gives every request an id and a line in the log.

import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger, SerializedRequest, SerializedResponse } from 'pino';
import { pinoHttp } from 'pino-http';

/** Ids of a proxy or client that are safe to log and to send back. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Asked for every few seconds by whatever watches the server. */
const HEALTH = /^\/health\/?(?:\?|$)/i;

/** Middleware that sets `req.id` and `req.log` and logs each answer but those of `/health`. */
export function logRequests(logger: Logger): RequestHandler {
  return pinoHttp<Request, Response>({
    logger,
    genReqId: chooseRequestId,
    autoLogging: { ignore: ({ url }) => HEALTH.test(url) },
    customLogLevel: (_req, res) => {
      if (res.err !== undefined || res.statusCode >= 500) return 'error';
      return res.statusCode >= 400 ? 'warn' : 'info';
    },
    customSuccessMessage: describeRequest,
    customErrorMessage: describeRequest,
    serializers: {
      req: ({ id, method, url, remoteAddress, headers }: SerializedRequest) => {
        return { id, method, url, remoteAddress, headers };
      },
      res: ({ statusCode }: SerializedResponse) => ({ statusCode }),
    },
  });
}

function chooseRequestId(req: Request, res: Response): string {
  const given = req.get('X-Request-Id');
  const id = given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();
  res.set('X-Request-Id', id);
  return id;
}

function describeRequest(req: Request, res: Response): string {
  return `${req.method} ${req.originalUrl} ${res.statusCode}`;
}
