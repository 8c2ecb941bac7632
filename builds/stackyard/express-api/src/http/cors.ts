// Lets web pages of other origins call the API.

import type { RequestHandler } from 'express';

const PREFLIGHT_MAX_AGE_SECONDS = '600';

/** Headers that scripts of those pages may read, besides the few that every browser admits. */
const EXPOSED = ['ETag', 'Location', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'].join(', ');

/**
 * Middleware that admits exactly the given origins and answers their preflight requests.
 * @param hasCredentials whether they may send cookies; tokens in a header need it not
 */
export function cors(origins: readonly string[], hasCredentials = false): RequestHandler {
  return (req, res, next) => {
    res.vary('Origin');
    const origin = req.get('Origin');
    if (origin === undefined || !origins.includes(origin)) return next();
    res.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED });
    if (hasCredentials) res.set('Access-Control-Allow-Credentials', 'true');
    if (req.method !== 'OPTIONS' || !req.get('Access-Control-Request-Method')) return next();
    res.vary('Access-Control-Request-Headers').set({
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'Access-Control-Allow-Headers': req.get('Access-Control-Request-Headers') ?? '',
      'Access-Control-Max-Age': PREFLIGHT_MAX_AGE_SECONDS,
    });
    res.status(204).end();
  };
}
