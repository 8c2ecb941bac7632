// The account routes as an Express router that the host mounts under a prefix.

import { Router } from 'express';
import { accountRoutes } from './account-routes.js';
import { type AccountRouterOptions, createDependencies } from './dependencies.js';
import { mountRoutes } from './express-routes.js';

/**
 * `POST /register`, `/login`, `/logout`, `/logout-all`, `/password`; `GET` and `DELETE /me`; and with `sessions`
 * `GET /sessions` and `DELETE /sessions/:id`.
 */
export function createAccountRouter(options: AccountRouterOptions): Router {
  const deps = createDependencies(options);
  return mountRoutes(deps, accountRoutes(deps));
}
