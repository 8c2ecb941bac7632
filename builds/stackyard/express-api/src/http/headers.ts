// Headers of every answer: nothing that the API answers may load anything, be framed, or be taken for another type; and
// which pages of other origins may call it. They are those of helmet that matter for an API: each one costs time.

import type { RequestHandler, Response } from 'express';

const HEADERS = [
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'SAMEORIGIN'],
] as const;

/** A route that answers pages replaces the policy for itself. */
export function setSecurityHeaders(res: Response): void {
  for (const [name, value] of HEADERS) res.setHeader(name, value);
}

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
