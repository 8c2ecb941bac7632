// The authenticated user on a request of Express, and its types.

import type { Request } from 'express';
import type { AuthUser } from './authenticate.js';

declare global {
  namespace Express {
    // The same names as passport uses, so that both can be installed.
    interface User extends AuthUser {}
    interface Request {
      /** Set by `requireAuth`. */
      user?: User | undefined;
    }
    interface Locals {
      /** Set by `requireAuth`. */
      user?: User | undefined;
    }
  }
}

/** The user of a request behind `requireAuth`. Throws `TypeError` on a route that it does not protect. */
export function currentUser(req: Request): AuthUser {
  if (req.user) return req.user;
  throw new TypeError('Cannot read the current user: add "requireAuth" to the route, before this handler');
}
