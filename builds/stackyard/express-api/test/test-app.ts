// The application as tests want it: quiet, and with the features of the test.

import type { Express } from 'express';
import { pino } from 'pino';
import { createApp, type AppParts } from '../src/app.js';
import { loadConfig } from '../src/config.js';
import type { Route } from '../src/routes.js';

/** Creates an application with these features, with `env` as its environment, and with other parts than usual. */
export function createTestApp(
  routes: readonly Route[],
  env: NodeJS.ProcessEnv = {},
  parts: Partial<AppParts> = {},
): Express {
  const config = loadConfig({ NODE_ENV: 'test', ...env });
  return createApp(config, { logger: pino({ level: 'silent' }), routes, ...parts });
}
