// Reads JSON bodies into `c.get('body')`, which stays undefined for a request without one.

import type { Context, MiddlewareHandler } from 'hono';
import type { AppEnv } from './app-env.js';
import { HttpError } from './http-error.js';
import { readBody } from './read-body.js';

const JSON_TYPE = /^application\/(?:[^;\s]+\+)?json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Middleware that parses JSON up to `limit` bytes and refuses what is not JSON. */
export function parseJson(limit: number): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const type = c.req.header('Content-Type');
    if (type !== undefined && hasBody(c) && JSON_TYPE.test(type)) {
      const charset = CHARSET.exec(type)?.[1]?.toLowerCase() ?? 'utf-8';
      // RFC 8259 section 8.1: JSON between systems is UTF-8.
      if (charset !== 'utf-8') throw new HttpError(415);
      c.set('body', parse(await readBody(c, limit)));
    }
    await next();
  };
}

/** A GET has none: what it sends, the standard API of requests does not show. */
function hasBody({ req }: Context): boolean {
  if (req.method === 'GET' || req.method === 'HEAD') return false;
  return req.header('Content-Length') !== undefined || req.header('Transfer-Encoding') !== undefined;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes)) as unknown;
  } catch (error) {
    // The parser's own message quotes the body, so it stays in `cause`.
    throw new HttpError(400, 'Invalid JSON body', { code: 'invalid_json', cause: error });
  }
}
