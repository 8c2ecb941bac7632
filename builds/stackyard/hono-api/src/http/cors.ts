// Lets web pages of other origins call the API.

import type { MiddlewareHandler } from 'hono';

const PREFLIGHT_MAX_AGE_SECONDS = '600';

/** Headers that scripts of those pages may read, besides the few that every browser admits. */
const EXPOSED = ['ETag', 'Location', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'].join(', ');

/**
 * Middleware that admits exactly the given origins and answers their preflight requests.
 * @param hasCredentials whether they may send cookies; tokens in a header need it not
 */
export function cors(origins: readonly string[], hasCredentials = false): MiddlewareHandler {
  return async (c, next) => {
    c.header('Vary', 'Origin');
    const origin = c.req.header('Origin');
    if (origin === undefined || !origins.includes(origin)) return next();
    c.header('Access-Control-Allow-Origin', origin);
    c.header('Access-Control-Expose-Headers', EXPOSED);
    if (hasCredentials) c.header('Access-Control-Allow-Credentials', 'true');
    if (c.req.method !== 'OPTIONS' || !c.req.header('Access-Control-Request-Method')) return next();
    return c.body(null, 204, {
      Vary: 'Origin, Access-Control-Request-Headers',
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'Access-Control-Allow-Headers': c.req.header('Access-Control-Request-Headers') ?? '',
      'Access-Control-Max-Age': PREFLIGHT_MAX_AGE_SECONDS,
    });
  };
}
