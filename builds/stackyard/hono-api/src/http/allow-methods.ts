// Answers the methods that a path does not have.

import type { Handler } from 'hono';
import { HttpError } from './http-error.js';

/** The last handler of a path, `.all('/', allowMethods('GET', 'POST'))`: 204 to OPTIONS, 405 to other methods. */
export function allowMethods(...methods: readonly string[]): Handler {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return (c) => {
    if (c.req.method !== 'OPTIONS') {
      throw new HttpError(405, `Method ${c.req.method} is not allowed here`, { headers: { Allow: allow } });
    }
    return c.body(null, 204, { Allow: allow });
  };
}
