// Apps of users on Express and Hono with stackyard/account-postgres, each a process with a database of its own.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../tools/free-port.ts';
import { startServer } from '../foundations/server-process.ts';
import { FACTOR_ROUTES, type StartHost } from './account-host-fixture.ts';
import type { PostgresServer } from './postgres-fixture.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const BUILDS = ['account-core', 'account-postgres', 'account-recovery', 'postgres'];

const ACCOUNTS = `import { type AccountHandler, createConfiguredAccounts, currentUser, readAccountConfigOrExit } from './account-core/index.js';
import { accountMigrations, createPostgresStore } from './account-postgres/index.js';
import { createRecovery } from './account-recovery/index.js';
import { checkDatabase, closeDatabase, createPool, migrate } from './postgres/index.js';

const config = readAccountConfigOrExit(process.env);
const db = createPool({ onConnectionLost: ({ message }) => console.log(message) });
await migrate(db, accountMigrations);
const account = createConfiguredAccounts(createPostgresStore(db), config);
const mails: unknown[] = [];
const sendMail = (mail: unknown) => void mails.push(mail);
const recovery = createRecovery(account, { sendMail, link: 'https://app.example.com' });
${FACTOR_ROUTES}
let calls = 0;
const port = Number(process.env['PORT']);
`;

const EXPRESS = `import express from 'express';
${ACCOUNTS}
const app = express();
const statusOf = (error: unknown): number => (error as { status?: number }).status ?? 500;
app.get('/health', (_req, res) => void res.end());
app.get('/ready', (_req, res) => {
  checkDatabase(db).then(() => res.end(), (error: unknown) => res.status(statusOf(error)).end());
});
app.get('/private', account.requireAuth, (req, res) => {
  res.json({ user: currentUser(req), local: res.locals['user'], calls: ++calls });
});
app.get('/mails', (_req, res) => void recovery.settled().then(() => res.json(mails)));
app.get('/verified', recovery.requireVerified, (req, res) => void res.json({ user: currentUser(req) }));
app.use('/auth', account.node);
app.use('/v2/accounts', account.node);
app.use('/parsed', express.json(), account.node);
// As the foundations do: an error that has a status is answered with it.
const answer: express.ErrorRequestHandler = (error: unknown, _req, res, next) => {
  const status = statusOf(error);
  if (res.headersSent || status !== 503) next(error);
  else res.status(status).json({ error: { status, code: 'unavailable', message: 'Service Unavailable' } });
};
app.use(answer);
const server = app.listen(port, '127.0.0.1');
process.once('SIGTERM', () => server.close(() => void closeDatabase(db)));
`;

const HONO = `import { serve } from '@hono/node-server';
import { Hono } from 'hono';
${ACCOUNTS}
const app = new Hono();
app.get('/health', (c) => c.body(null));
app.get('/private', account.requireAuth, (c) => {
  return c.json({ user: c.get('user' as never), local: currentUser(c), calls: ++calls });
});
app.get('/mails', async (c) => {
  await recovery.settled();
  return c.json(mails as object[]);
});
app.get('/verified', recovery.requireVerified, (c) => c.json({ user: currentUser(c) }));
app.use('/auth/*', account.context('/auth'));
app.use('/v2/accounts/*', account.context('/v2/accounts'));
app.use('/parsed/*', async (c, next) => {
  await c.req.json().catch(() => undefined);
  await next();
});
app.use('/parsed/*', account.context('/parsed'));
const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' });
process.once('SIGTERM', () => server.close(() => void closeDatabase(db)));
`;

/** A compiled project with both apps. */
export interface PostgresApps {
  /** Starts an app with `DATABASE_URL`, or else with an empty database of its own. */
  start(app: 'express' | 'hono', server: () => PostgresServer): StartHost;
  remove(): void;
}

/** Writes and compiles the apps. Throws with the output of the compiler. */
export function buildPostgresApps(): PostgresApps {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-apps-'));
  mkdirSync(join(folder, 'src'));
  for (const build of BUILDS) {
    const isInstalled = (file: string) => !/\.test\.ts$|\/test-app\.ts$|\.json$|\.md$/.test(file);
    cpSync(join(ROOT, 'builds/stackyard', build), join(folder, 'src', build), {
      recursive: true,
      filter: isInstalled,
    });
  }
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2024',
    types: ['node'],
    skipLibCheck: true,
    rootDir: 'src',
    outDir: 'dist',
  };
  const files = {
    'package.json': JSON.stringify({ name: 'app', private: true, type: 'module' }),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
    'src/express.ts': EXPRESS,
    'src/hono.ts': HONO,
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`Cannot compile the apps: ${stdout}`);

  let databases = 0;
  return {
    start: (app, server) => async (env) => {
      const database =
        env['DATABASE_URL'] ?? (await server().createDatabase(`${app}${++databases}`));
      const port = await findFreePort();
      const variables = {
        NODE_ENV: 'development',
        ...env,
        DATABASE_URL: database,
        PORT: `${port}`,
      };
      const command = { file: process.execPath, args: [`dist/${app}.js`], cwd: folder };
      const host = await startServer({ ...command, env: variables }, port);
      return {
        url: `${host.url}/auth`,
        origin: host.url,
        pid: host.pid,
        output: () => host.stdout() + host.stderr(),
        query: (sql) => server().query(database, sql),
        async stop(signal = 'SIGKILL') {
          let hasEnded = false;
          void host.exit.then(() => (hasEnded = true));
          await Promise.resolve();
          if (!hasEnded) process.kill(host.pid, signal);
          return (await host.exit).code;
        },
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
