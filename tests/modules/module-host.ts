/** Modules in the real applications of the foundations, on both databases. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import pg from 'pg';
import { type Logger, pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createApp as createExpress } from '../../builds/stackyard/express-api/src/app.ts';
import { loadConfig } from '../../builds/stackyard/express-api/src/config.ts';
import {
  checkModules,
  type Module,
  startModules,
} from '../../builds/stackyard/express-api/src/module.ts';
import { createApp as createHono } from '../../builds/stackyard/hono-api/src/app.ts';
import {
  createPostgresModule,
  database as postgresDatabase,
} from '../../builds/stackyard/postgres/index.ts';
import { migrate as migratePostgres } from '../../builds/stackyard/postgres/migrate.ts';
import type { Authenticate } from '../../builds/stackyard/module-routes/index.ts';
import type { PortableMigration } from '../../builds/stackyard/sql/index.ts';
import { openDatabase } from '../../builds/stackyard/sqlite/database.ts';
import {
  createSqliteModule,
  database as sqliteDatabase,
} from '../../builds/stackyard/sqlite/index.ts';
import { migrate as migrateSqlite } from '../../builds/stackyard/sqlite/migrate.ts';

export type Framework = 'express' | 'hono';
export const FRAMEWORKS: readonly Framework[] = ['express', 'hono'];

interface ModuleParts {
  readonly database: typeof postgresDatabase | typeof sqliteDatabase;
  /** What builds import from the tag `auth`. */
  readonly authenticate: Authenticate;
}

export interface HostOptions {
  readonly framework: Framework;
  /** Of a server in which the module of the database makes a database of its own; SQLite in memory without it. */
  readonly postgresUrl?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly create: (parts: ModuleParts) => readonly Module[];
}

interface Sent {
  readonly json?: unknown;
  readonly body?: NonNullable<RequestInit['body']>;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows what it gets
  readonly body: any;
  readonly text: string;
  readonly code: string | undefined;
  readonly headers: Headers;
}

interface Host {
  readonly url: string;
  /** The lines of the log, as objects. */
  readonly log: readonly Record<string, unknown>[];
  /** Sends a request such as `GET /files`. */
  ask(line: string, sent?: Sent): Promise<Answer>;
  stop(): Promise<void>;
}

export interface ModuleHost extends Host, Accounts {}

interface Accounts {
  readonly authenticate: Authenticate;
  /** Adds a user, and gives the token. */
  readonly register: (email: string) => string;
  /** The id of the user as the accounts have it. */
  idOf(token: string): number | string;
  remove(token: string): void;
}

/** The contract of the tag `auth` without its builds. Ids are numbers or texts, as builds have them. */
export function createAccounts(hasNumbers: boolean): Accounts {
  const users = new Map<string, { readonly id: number | string; readonly email: string }>();
  return {
    register(email) {
      const [token, count] = [`token-of-${email}`, users.size + 1];
      users.set(token, { id: hasNumbers ? count : `user-${count}`, email });
      return token;
    },
    idOf: (token) => users.get(token)!.id,
    remove: (token) => void users.delete(token),
    async authenticate({ headers }) {
      const token = headers.get('Authorization')?.replace('Bearer ', '') ?? '';
      const error = { status: 401, code: 'missing_token', message: 'Log in' };
      return users.get(token) ?? Response.json({ error }, { status: 401 });
    },
  };
}

/** Starts `modules` and an application with them; both end with the test, unless it ends them before. */
export async function startHost(
  framework: Framework,
  modules: readonly Module[],
  env: Record<string, string> = { NODE_ENV: 'test' },
): Promise<Host> {
  const host = await start(framework, modules, env);
  onTestFinished(() => host.stop());
  return host;
}

/** Starts a database and modules until `stop()`, with accounts in memory: with numbers as ids on Express, texts on Hono. */
export async function startModuleHost(options: HostOptions): Promise<ModuleHost> {
  const { framework, postgresUrl, create } = options;
  const database = postgresUrl === undefined ? sqliteDatabase : postgresDatabase;
  const databaseModule = postgresUrl === undefined ? createSqliteModule() : createPostgresModule();
  const accounts = createAccounts(framework === 'express');
  const { authenticate } = accounts;
  const modules = [databaseModule, ...create({ database, authenticate })] as readonly Module[];
  const env = { NODE_ENV: 'test', DATABASE_URL: postgresUrl, ...options.env };
  return { ...(await start(framework, modules, env)), ...accounts };
}

async function start(
  framework: Framework,
  modules: readonly Module[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Host> {
  const log: Record<string, unknown>[] = [];
  const logger: Logger = pino(
    { level: 'info' },
    { write: (line: string) => void log.push(JSON.parse(line)) },
  );
  const config = loadConfig(env, checkModules(modules, env));
  const stopModules = await startModules(modules, env, logger);
  const server = createServer(listenerOf(framework, config, { logger, modules }));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let stopped: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await stopModules();
  };
  return {
    url,
    log,
    stop: () => (stopped ??= end()),
    async ask(line, { json, body, token, headers } = {}) {
      const [method = '', path = ''] = line.split(' ');
      const sent = json === undefined ? body : JSON.stringify(json);
      const answer = await fetch(url + path, {
        method,
        redirect: 'manual',
        headers: {
          ...(json !== undefined && { 'Content-Type': 'application/json' }),
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(sent !== undefined && { body: sent }),
        ...(sent instanceof ReadableStream && { duplex: 'half' }),
      } as RequestInit);
      return readAnswer(answer);
    },
  };
}

/** The statuses of answers, in their order. */
export function statusesOf(answers: readonly Answer[]): number[] {
  return answers.map(({ status }) => status).toSorted((a, b) => a - b);
}

async function readAnswer(answer: Response): Promise<Answer> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  const body = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : bytes;
  const { status, headers } = answer;
  return { status, headers, body, text: bytes.toString(), code: body?.error?.code };
}

function listenerOf(
  framework: Framework,
  config: ReturnType<typeof loadConfig>,
  parts: { readonly logger: Logger; readonly modules: readonly Module[] },
): RequestListener {
  if (framework === 'express') return createExpress(config, parts);
  const app = createHono(config as never, parts as never);
  return getRequestListener(app.fetch, { overrideGlobalObjects: false }) as RequestListener;
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
