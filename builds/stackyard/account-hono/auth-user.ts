// The authenticated user in the context of Hono, and its type.

import type { Context } from 'hono';
import type { AuthUser } from './authenticate.js';

/** What `requireAuth` sets: `c.get('user')` is typed behind it. */
export interface AuthEnv {
  Variables: { user: AuthUser };
}

/** The user of a request behind `requireAuth`. Throws `TypeError` on a route that it does not protect. */
export function currentUser(c: Context): AuthUser {
  const user = c.get('user') as AuthUser | undefined;
  if (user) return user;
  throw new TypeError('Cannot read the current user: add "requireAuth" to the route, before this handler');
}
