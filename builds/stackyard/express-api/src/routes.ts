// The features of the application: one entry each.

import type { Router } from 'express';
import { createExampleRouter } from './features/example/router.js';

/** A feature and the path that its routes start with. */
export interface Route {
  readonly prefix: string;
  readonly router: Router;
}

/** All features. What they need from outside, such as a database, becomes a parameter that server.ts passes. */
export function createRoutes(): readonly Route[] {
  return [
    { prefix: '/example', router: createExampleRouter() },
  ];
}
