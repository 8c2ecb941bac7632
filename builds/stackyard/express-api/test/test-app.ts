// The application as tests want it: quiet, with the modules of the test, and without a port.

import type { Express } from 'express';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createApp, type AppParts } from '../src/app.js';
import { loadConfig } from '../src/config.js';
import { checkModules, type Module, startModules } from '../src/module.js';

const quiet = pino({ level: 'silent' });

/** Creates an application with these modules. They start now, and stop at the end of the test that calls this. */
export async function createTestApp(modules: readonly Module[], env: NodeJS.ProcessEnv = {}): Promise<Express> {
  onTestFinished(await startModules(modules, { ...process.env, NODE_ENV: 'test', ...env }, quiet));
  return buildTestApp(modules, env);
}

/**
 * Creates an application with these modules, none of which is started, with `env` as its environment, and with other
 * parts than usual.
 */
export function buildTestApp(
  modules: readonly Module[],
  env: NodeJS.ProcessEnv = {},
  parts: Partial<AppParts> = {},
): Express {
  const all = { NODE_ENV: 'test', ...env };
  const config = loadConfig(all, checkModules(modules, all));
  return createApp(config, { logger: quiet, modules, ...parts });
}
