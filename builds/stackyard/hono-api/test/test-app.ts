// The application as tests want it: quiet, with the features of the test, and without a server.

import type { Hono } from 'hono';
import { pino } from 'pino';
import { createApp, type AppParts } from '../src/app.js';
import { loadConfig } from '../src/config.js';
import type { AppEnv } from '../src/http/app-env.js';
import type { Route } from '../src/routes.js';

/** Creates an application with these features, with `env` as its environment, and with other parts than usual. */
export function createTestApp(
  routes: readonly Route[],
  env: NodeJS.ProcessEnv = {},
  parts: Partial<AppParts> = {},
): Hono<AppEnv> {
  const config = loadConfig({ NODE_ENV: 'test', ...env });
  return createApp(config, { logger: pino({ level: 'silent' }), routes, ...parts });
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
