/** Modules in the applications of our foundations, on both databases, as `stackyard new` puts them together. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type Logger, pino } from 'pino';
import {
  type AccountModule,
  createPasswords,
  currentUser,
} from '../../builds/stackyard/account-core/index.ts';
import { accountModule as postgresAccount } from '../../builds/stackyard/account-postgres/index.ts';
import { accountModule as sqliteAccount } from '../../builds/stackyard/account-sqlite/index.ts';
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
  database as openPostgres,
} from '../../builds/stackyard/postgres/index.ts';
import { createSqliteModule, database as openSqlite } from '../../builds/stackyard/sqlite/index.ts';

export type Framework = 'express' | 'hono';
export const FRAMEWORKS: readonly Framework[] = ['express', 'hono'];

interface ModuleParts {
  readonly database: typeof openPostgres | typeof openSqlite;
  readonly account: AccountModule;
  /** What builds import from the tag `auth`. */
  readonly auth: Pick<AccountModule, 'requireAuth' | 'onUserDeleted'> & {
    readonly currentUser: typeof currentUser;
  };
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
  readonly code: string | undefined;
  readonly headers: Headers;
}

export interface ModuleHost {
  readonly url: string;
  readonly account: AccountModule;
  /** The lines of the log. */
  readonly log: string[];
  /** Sends a request such as `GET /files`. */
  ask(line: string, sent?: Sent): Promise<Answer>;
  /** Registers `email` and gives the token. */
  register(email: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts accounts and modules behind a port. */
export async function startModuleHost(options: HostOptions): Promise<ModuleHost> {
  const { framework, postgresUrl, create } = options;
  const account = postgresUrl === undefined ? sqliteAccount : postgresAccount;
  account.configure({ passwords: createPasswords({ cost: { logN: 2, r: 1, p: 1 } }) });
  const database = postgresUrl === undefined ? openSqlite : openPostgres;
  const databaseModule = postgresUrl === undefined ? createSqliteModule() : createPostgresModule();
  const { requireAuth } = account;
  const auth = {
    requireAuth,
    currentUser,
    onUserDeleted: account.onUserDeleted.bind(account),
  };
  const modules = [
    databaseModule,
    account,
    ...create({ database, account, auth }),
  ] as readonly Module[];
  const env = { NODE_ENV: 'test', DATABASE_URL: postgresUrl, ...options.env };
  const log: string[] = [];
  const logger: Logger = pino({ level: 'info' }, { write: (line) => void log.push(line) });
  const config = loadConfig(env, checkModules(modules, env));
  const stopModules = await startModules(modules, env, logger);
  const server = createServer(listenerOf(framework, config, { logger, modules }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async (line: string, { json, body, token, headers }: Sent = {}): Promise<Answer> => {
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
  };
  return {
    url,
    account,
    log,
    ask,
    register: async (email) =>
      (await ask('POST /auth/register', { json: { email, password: 'correct horse' } })).body.token,
    async stop() {
      server.closeAllConnections();
      server.close();
      await stopModules();
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
  return { status: answer.status, body, code: body?.error?.code, headers: answer.headers };
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
