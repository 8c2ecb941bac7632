// Lets web pages of other origins call the API. Cookies are not shared: tokens go into a header.

import type { RequestHandler } from 'express';

const PREFLIGHT_MAX_AGE_SECONDS = '600';

/** Middleware that admits exactly the given origins and answers their preflight requests. */
export function cors(origins: readonly string[]): RequestHandler {
  return (req, res, next) => {
    res.vary('Origin');
    const origin = req.get('Origin');
    if (origin === undefined || !origins.includes(origin)) return next();
    res.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': 'X-Request-Id' });
    if (req.method !== 'OPTIONS' || !req.get('Access-Control-Request-Method')) return next();
    res.vary('Access-Control-Request-Headers').set({
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'Access-Control-Allow-Headers': req.get('Access-Control-Request-Headers') ?? '',
      'Access-Control-Max-Age': PREFLIGHT_MAX_AGE_SECONDS,
    });
    res.status(204).end();
  };
}
