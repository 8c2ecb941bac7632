// The request id, which identifies a request in the logs of every system that handled it.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

// Clients choose it: only characters that are safe in a log, a header and JSON are accepted.
const REQUEST_ID = /^[A-Za-z0-9_.:-]{1,64}$/;

/** Uses `X-Request-Id` of a proxy or creates one, and sets it on the response. */
export function assignRequestId(req: IncomingMessage, res: ServerResponse): string {
  const given = req.headers['x-request-id'];
  const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
  res.setHeader('X-Request-Id', id);
  return id;
}
