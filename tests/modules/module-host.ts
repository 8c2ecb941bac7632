/** Modules in the real applications of the foundations, on a database that the test opens. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import pg from 'pg';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createApp as createExpress } from '../../builds/stackyard/express-api/src/app.js';
import { loadConfig } from '../../builds/stackyard/express-api/src/config.js';
import { type Module, startModules } from '../../builds/stackyard/express-api/src/module.js';
import { createApp as createHono } from '../../builds/stackyard/hono-api/src/app.js';
import { loadConfig as loadHonoConfig } from '../../builds/stackyard/hono-api/src/config.js';
import { migrate as migratePostgres } from '../../builds/stackyard/postgres/migrate.js';
import type { PortableMigration } from '../../builds/stackyard/sql/index.js';
import { openDatabase } from '../../builds/stackyard/sqlite/database.js';
import { migrate as migrateSqlite } from '../../builds/stackyard/sqlite/migrate.js';

export type Framework = 'express' | 'hono';
export const FRAMEWORKS: readonly Framework[] = ['express', 'hono'];

export interface ModuleHost {
  readonly url: string;
  /** The lines of the log, as objects. */
  readonly log: readonly Record<string, unknown>[];
  ask(line: string, headers?: Record<string, string>): Promise<HostAnswer>;
  stop(): Promise<void>;
}

interface HostAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows what it gets
  readonly body: any;
}

/** Starts `modules` and an application with them; both end with the test, unless it ends them before. */
export async function startHost(
  framework: Framework,
  modules: readonly Module[],
  env: Record<string, string> = { NODE_ENV: 'test' },
): Promise<ModuleHost> {
  const log: Record<string, unknown>[] = [];
  const logger = pino(
    { level: 'info' },
    { write: (line: string) => void log.push(JSON.parse(line)) },
  );
  const stopModules = await startModules(modules, env, logger);
  const { url, close } = await (framework === 'express'
    ? listenExpress(modules, env, logger)
    : listenHono(modules, env, logger));
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= close().then(stopModules));
  onTestFinished(stop);
  return {
    url,
    log,
    stop,
    async ask(line, headers = {}) {
      const [method = '', path = ''] = line.split(' ');
      const answer = await fetch(`${url}${path}`, { method, headers });
      const text = await answer.text();
      const isJson = text !== '' && answer.headers.get('content-type')?.includes('json');
      return {
        status: answer.status,
        headers: answer.headers,
        text,
        body: isJson ? JSON.parse(text) : undefined,
      };
    },
  };
}

async function listenExpress(
  modules: readonly Module[],
  env: Record<string, string>,
  logger: pino.Logger,
) {
  const server = createServer(createExpress(loadConfig(env, []), { logger, modules }));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: urlOf(server.address()), close: () => closed(server) };
}

async function listenHono(
  modules: readonly Module[],
  env: Record<string, string>,
  logger: pino.Logger,
) {
  const app = createHono(loadHonoConfig(env, []), { logger, modules: modules as never });
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  return {
    url: urlOf(server.address()),
    close: () => closed(server as ReturnType<typeof createServer>),
  };
}

function urlOf(address: AddressInfo | string | null): string {
  return `http://127.0.0.1:${(address as AddressInfo).port}`;
}

async function closed(server: ReturnType<typeof createServer>): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** A database of SQLite with these tables, closed at the end of the test. In memory without a file. */
export function openSqlite(migrations: readonly PortableMigration[], file = ':memory:') {
  const db = openDatabase(file);
  onTestFinished(() => void db.close());
  migrateSqlite(db, migrations);
  return db;
}

/** The same on PostgreSQL. */
export async function openPostgres(
  migrations: readonly PortableMigration[],
  url: string,
): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: url });
  pool.on('error', () => {});
  onTestFinished(() => pool.end());
  await migratePostgres(pool, migrations);
  return pool;
}
