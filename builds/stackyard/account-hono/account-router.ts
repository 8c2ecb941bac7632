// The account routes as an application of Hono that the host mounts under a prefix.

import type { Hono } from 'hono';
import { accountRoutes } from './account-routes.js';
import { type AccountRouterOptions, createDependencies } from './dependencies.js';
import { mountRoutes } from './hono-routes.js';

/**
 * `POST /register`, `/login`, `/logout`, `/logout-all`, `/password`; `GET` and `DELETE /me`; and with `sessions`
 * `GET /sessions` and `DELETE /sessions/:id`.
 */
export function createAccountRouter(options: AccountRouterOptions): Hono {
  const deps = createDependencies(options);
  return mountRoutes(deps, accountRoutes(deps));
}
