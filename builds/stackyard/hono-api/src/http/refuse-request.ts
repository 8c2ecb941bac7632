// Answers requests that the application never gets, because they have no valid URL: a broken `Host`, or a target that
// is no path.

import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { HttpError } from './http-error.js';

/** Makes the handler of what the server package refuses. */
export function refuseRequest(logger: Logger): (error: unknown) => Response {
  return (err) => {
    const requestId = randomUUID();
    logger.warn({ err, req: { id: requestId } }, 'a request has no valid URL');
    const { status, code, message } = new HttpError(400);
    const error = { status, code, message, requestId };
    return Response.json({ error }, { status, headers: { 'X-Request-Id': requestId } });
  };
}
