// Answers the methods that a path does not have.

import type { RequestHandler } from 'express';
import { HttpError } from './http-error.js';

/** The last handler of a route, `.all(allowMethods('GET', 'POST'))`: 204 to OPTIONS, 405 to other methods. */
export function allowMethods(...methods: readonly string[]): RequestHandler {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return (req, res) => {
    if (req.method !== 'OPTIONS') {
      throw new HttpError(405, `Method ${req.method} is not allowed here`, { headers: { Allow: allow } });
    }
    res.set('Allow', allow).status(204).end();
  };
}
