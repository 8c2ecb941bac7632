// The application as tests want it: quiet, with the modules of the test, and without a server.

import type { Hono } from 'hono';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createApp, type AppParts } from '../src/app.js';
import { loadConfig } from '../src/config.js';
import type { AppEnv } from '../src/http/context.js';
import { checkModules, type Module, startModules } from '../src/module.js';

const quiet = pino({ level: 'silent' });

/** Creates an application with these modules. They start now, and stop at the end of the test that calls this. */
export async function createTestApp(modules: readonly Module[], env: NodeJS.ProcessEnv = {}): Promise<Hono<AppEnv>> {
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
): Hono<AppEnv> {
  const all = { NODE_ENV: 'test', ...env };
  const config = loadConfig(all, checkModules(modules, all));
  return createApp(config, { logger: quiet, modules, ...parts });
}

export interface Sent {
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The JSON in the body; `undefined` where it is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows what it gets
  readonly body: any;
}

/** Sends a request such as `GET /health` to the application. */
export async function ask(app: Hono<AppEnv>, line: string, { json, body, headers }: Sent = {}): Promise<Answer> {
  const [method = '', path = ''] = line.split(' ');
  const sent = json === undefined ? body : JSON.stringify(json);
  const all = new Headers(headers);
  if (json !== undefined) all.set('Content-Type', 'application/json');
  // As every client does; the standard request has it not before it is sent.
  if (sent !== undefined) all.set('Content-Length', String(Buffer.byteLength(sent)));
  const response = await app.request(path, { method, headers: all, ...(sent !== undefined && { body: sent }) });
  const text = await response.text();
  const isJson = text !== '' && response.headers.get('Content-Type')?.includes('json');
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}
