// The features of the application: one entry each.

import type { Router } from 'express';
import type { Operations } from './docs/operation.js';
import { exampleOperations } from './features/example/operations.js';
import { createExampleRouter } from './features/example/router.js';

/** A feature and the path that its routes start with. */
export interface Route {
  readonly prefix: string;
  readonly router: Router;
  /** What /openapi.json has of it; nothing without. */
  readonly operations?: Operations;
}

/** All features. What they need from outside, such as a database, becomes a parameter that server.ts passes. */
export function createRoutes(): readonly Route[] {
  return [
    // One entry for each feature.
    { prefix: '/example', router: createExampleRouter(), operations: exampleOperations },
  ];
}
