/** Accounts and modules that log people in otherwise, on Express or Hono as the foundations mount them, on both databases. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import express from 'express';
import { Hono } from 'hono';
import {
  type AccountModule,
  createAccountModule,
  createPasswords,
  type ModuleOptions,
} from '../../builds/stackyard/account-core/index.ts';
import {
  accountMigrations as postgresMigrations,
  createPostgresStore,
} from '../../builds/stackyard/account-postgres/index.ts';
import {
  accountMigrations,
  createSqliteStore,
} from '../../builds/stackyard/account-sqlite/store.ts';
import { closeDatabase, createPool, migrate } from '../../builds/stackyard/postgres/index.ts';
import type { PgPool, SqliteDatabase } from '../../builds/stackyard/sql/index.ts';
import { openDatabase } from '../../builds/stackyard/sqlite/index.ts';

export type Framework = 'express' | 'hono';
export const FRAMEWORKS: readonly Framework[] = ['express', 'hono'];

/** The part of a module of a foundation that is used here. */
interface Module {
  readonly migrations: readonly unknown[];
  start(host: { env: Record<string, string>; log: { warn(message: string): void } }): Promise<void>;
  stop(): void | Promise<void>;
  readonly routes?: readonly {
    readonly prefix: string;
    readonly node: (
      req: IncomingMessage,
      res: ServerResponse,
      next: (error?: unknown) => void,
    ) => void;
    readonly fetch: (request: Request, info: { prefix: string }) => Promise<Response | undefined>;
  }[];
}

export interface LoginHost {
  readonly url: string;
  readonly account: AccountModule;
  /** That of the accounts, in milliseconds. It stands still in the middle of half a minute. */
  readonly clock: { now: number };
  readonly modules: readonly Module[];
  /** Sends JSON, with a bearer token where it is given. */
  readonly send: (method: string, path: string, body?: object, token?: string) => Promise<Answer>;
  /** Registers `email` and gives the token. */
  readonly register: (email: string) => Promise<string>;
}

export interface Answer {
  readonly status: number;
  readonly body: any;
  readonly code: string | undefined;
  readonly headers: Headers;
}

export interface HostOptions {
  readonly framework: Framework;
  /** Of a PostgreSQL database that is empty; SQLite in memory without it. */
  readonly postgresUrl?: string;
  readonly env?: Record<string, string>;
  readonly account?: ModuleOptions;
  /** A fixed port: the providers of social login know the address. */
  readonly port?: number;
  readonly create: (parts: {
    database: () => SqliteDatabase | PgPool;
    account: AccountModule;
  }) => readonly Module[];
}

export const PASSWORD = 'correct horse';

/** Starts accounts with modules. What is pushed to `closers` ends them; run it in the reverse order. */
export async function startLoginHost(
  options: HostOptions,
  closers: (() => unknown)[],
): Promise<LoginHost> {
  const clock = { now: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 };
  const { database, openStore, prepare } = await openStorage(options.postgresUrl, closers);
  const account = createAccountModule({ openStore }).configure({
    passwords: createPasswords({ cost: { logN: 2, r: 1, p: 1 } }),
    now: () => clock.now,
    ...options.account,
  });
  const modules = options.create({ database, account });
  await prepare(modules.flatMap((module) => module.migrations));
  const env = { NODE_ENV: 'test', ...options.env };
  const log = { warn: (): void => {}, error: console.error };
  await account.start({ env, log });
  for (const module of modules) {
    await module.start({ env, log });
    closers.push(() => module.stop());
  }
  const routes = [...account.routes, ...modules.flatMap((module) => module.routes ?? [])];
  const url = await listen(options, routes, closers);
  const send = async (
    method: string,
    path: string,
    body?: object,
    token?: string,
  ): Promise<Answer> => {
    const headers = {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    };
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(body && { body: JSON.stringify(body) }),
    });
    return readAnswer(answer);
  };
  const register = async (email: string): Promise<string> =>
    (await send('POST', '/auth/register', { email, password: PASSWORD })).body.token;
  return { url, account, clock, modules, send, register };
}

/** Of answers to requests at the same time. */
export function statusesOf(answers: readonly Pick<Answer, 'status'>[]): number[] {
  return answers.map(({ status }) => status).sort((a, b) => a - b);
}

export async function readAnswer(answer: Response): Promise<Answer> {
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  const body = isJson && text !== '' ? JSON.parse(text) : text;
  return { status: answer.status, body, code: body?.error?.code, headers: answer.headers };
}

async function openStorage(postgresUrl: string | undefined, closers: (() => unknown)[]) {
  if (postgresUrl === undefined) {
    const db = openDatabase(':memory:', { migrations: accountMigrations });
    closers.push(() => db.close());
    const prepare = async (migrations: readonly unknown[]): Promise<void> => {
      for (const { sql } of migrations as readonly { sql: string }[]) db.exec(sql);
    };
    return { database: () => db, openStore: () => createSqliteStore(db), prepare };
  }
  const pool = createPool({ url: postgresUrl });
  closers.push(() => closeDatabase(pool));
  await migrate(pool, postgresMigrations);
  const prepare = async (migrations: readonly unknown[]): Promise<void> => {
    for (const { up } of migrations as readonly { up: string }[]) await pool.query(up);
  };
  return { database: () => pool, openStore: () => createPostgresStore(pool), prepare };
}

async function listen(
  { framework, port = 0 }: HostOptions,
  routes: NonNullable<Module['routes']>,
  closers: (() => unknown)[],
): Promise<string> {
  const mounted =
    framework === 'express' ? mountOnExpress(routes, port) : mountOnHono(routes, port);
  await once(mounted, 'listening');
  closers.push(() => {
    mounted.close();
    if ('closeAllConnections' in mounted) mounted.closeAllConnections();
  });
  return `http://localhost:${(mounted.address() as AddressInfo).port}`;
}

function mountOnExpress(routes: NonNullable<Module['routes']>, port: number) {
  const app = express();
  for (const { prefix, node } of routes) app.use(prefix, node);
  return app.listen(port);
}

function mountOnHono(routes: NonNullable<Module['routes']>, port: number) {
  const app = new Hono();
  for (const { prefix, fetch } of routes) {
    app.all(`${prefix}/*`, async (c, next) => (await fetch(c.req.raw, { prefix })) ?? next());
  }
  return serve({ fetch: app.fetch, port });
}
