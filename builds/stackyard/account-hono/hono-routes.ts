// Routes of this build as an application of Hono. All that is about Hono is in the files hono-*.ts, account.ts,
// account-router.ts, auth-user.ts, recovery.ts and require-auth.ts; the others are those of stackyard/account.

import { Hono } from 'hono';
import type { AccountDependencies } from './dependencies.js';
import { toResponse } from './hono-answer.js';
import { readHonoRequest } from './hono-request.js';
import { type AccountRoute, answerRoute } from './route.js';

/** An application with these routes. Errors that are not of this build go on to the host. */
export function mountRoutes(deps: AccountDependencies, routes: readonly AccountRoute[]): Hono {
  const router = new Hono();
  for (const route of routes) {
    router.all(route.path, async (c) => toResponse(c, await answerRoute(deps, route, readHonoRequest(c))));
  }
  return router;
}
