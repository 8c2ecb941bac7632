// The id by which a request is found in the logs of all who handled it.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

// A stranger chooses it, so only what is harmless in a log, a header and a JSON text is taken.
const REQUEST_ID = /^[A-Za-z0-9_.:-]{1,64}$/;

/** Takes `X-Request-Id` of a proxy or makes one, and puts it on the response. */
export function assignRequestId(req: IncomingMessage, res: ServerResponse): string {
  const given = req.headers['x-request-id'];
  const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
  res.setHeader('X-Request-Id', id);
  return id;
}
