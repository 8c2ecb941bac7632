// Hosts of the account routes, each a process of its own: the service with both stores, and projects of users into
// which the client has installed the module.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { findFreePort } from '../../tools/free-port.ts';
import { startServer } from '../foundations/server-process.ts';
import type { PostgresServer } from './postgres-fixture.ts';
import type { BuiltService, ServiceProcess } from './service-fixture.ts';

export type Environment = Readonly<Record<string, string>>;
type Row = Readonly<Record<string, unknown>>;

/** A running process that serves the account routes, with an empty database of its own. */
export interface AccountHost {
  /** The base URL of the account routes, with their prefix. */
  readonly url: string;
  readonly origin: string;
  readonly pid: number;
  /** Its standard output and standard error so far. */
  output(): string;
  /** Runs one SQL statement on its database, outside of the process. */
  query(sql: string): Promise<readonly Row[]>;
  /** Ends it, by SIGKILL unless another signal is given, and returns its exit status. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a host with these variables in addition to the required ones, in development by default. Rejects with its output when it ends. */
export type StartHost = (env: Environment) => Promise<AccountHost>;

/** An app of a user: the routes twice, once more behind a body parser, and one route of its own. */
interface AppCode {
  readonly imports: string;
  /** Makes `account`, with `router` and `requireAuth`. */
  readonly create: string;
  readonly hasBodyParser: boolean;
  /** The expression for the user in the app's own route. */
  readonly user: string;
  /** Further routes of the app. */
  readonly routes: string;
}

let databases = 0;

/** The service with a SQLite file. */
export function serviceOnSqlite(built: () => BuiltService): StartHost {
  return async (env) => {
    const file = newDatabaseFile(built().folder);
    const service = await startService(built(), { DATABASE_URL: `file:${file}`, ...env });
    return { ...service, query: querySqlite(file) };
  };
}

/** The service with a database of its own in a PostgreSQL server. */
export function serviceOnPostgres(
  built: () => BuiltService,
  postgres: () => PostgresServer,
): StartHost {
  return async (env) => {
    const url = await postgres().createDatabase(`host${++databases}`);
    const service = await startService(built(), { DATABASE_URL: url, ...env });
    return { ...service, query: (sql) => postgres().query(url, sql) };
  };
}

/** An Express 5 app of a user that mounts the router of the service, as docs/auth-service.md shows. */
export function appOfService(
  built: () => BuiltService,
  postgres?: () => PostgresServer,
): StartHost {
  let file: string | undefined;
  return async (env) => {
    file ??= writeServiceApp(await findMain(built()));
    const sqlite = newDatabaseFile(built().folder);
    const url = await postgres?.().createDatabase(`host${++databases}`);
    const query =
      url === undefined ? querySqlite(sqlite) : (sql: string) => postgres!().query(url, sql);
    const variables = {
      DATABASE_URL: url ?? `file:${sqlite}`,
      RATE_LIMIT: 'off',
      NODE_ENV: 'development',
      ...env,
    };
    return startNode(file, built().folder, variables, query);
  };
}

/** The compiled server of a project of `writeProject`. */
export function compiledProject(project: () => string): StartHost {
  return (env) => {
    const file = newDatabaseFile(project());
    const variables = { SQLITE_PATH: file, NODE_ENV: 'development', ...env };
    return startNode('dist/server.js', project(), variables, querySqlite(file));
  };
}

/** Writes a project with this entry file, before the module is installed that it uses. */
export function writeProject(
  project: string,
  packages: {
    readonly dependencies: Environment;
    readonly devDependencies: Environment;
  },
  server: string,
): void {
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2024',
    rootDir: 'src',
    outDir: 'dist',
  };
  const files = {
    'package.json': JSON.stringify({ name: 'app', private: true, type: 'module', ...packages }),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
    'src/server.ts': server,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
}

/** Adds a second factor to `account`, which an account gets by its id, and a challenge fulfils. */
export const FACTOR_ROUTES = `
const factors = new Set<number>();
account.addSecondFactor({ name: 'test', isRequired: (id) => factors.has(id) });
const answerFactor: AccountHandler = async (request) => {
  const { user, challenge } = (await request.readJson(4096)) as { user?: number; challenge?: string };
  if (user !== undefined) factors.add(user);
  return account.answerSignIn(user ?? (await account.readChallenge(challenge ?? '')), request);
};
account.addRoutes([{ path: '/factor', handlers: { POST: answerFactor } }]);`;

/** The entry file of an Express app that uses the module. */
export function expressApp(hasBodyParser: boolean): string {
  return formatApp({
    imports: [
      `import express from 'express';`,
      `import { type AccountHandler, createAccount, currentUser, readAccountConfigOrExit } from './account/index.js';`,
      `import { createRecovery } from './account-recovery/index.js';`,
      `import { closeDatabase, openDatabase } from './sqlite/index.js';`,
    ].join('\n'),
    create: [
      `const db = openDatabase();`,
      `process.once('exit', () => closeDatabase(db));`,
      `const account = createAccount(db, readAccountConfigOrExit(process.env));`,
      `const mails: unknown[] = [];`,
      `const sendMail = (mail: unknown) => void mails.push(mail);`,
      `const recovery = createRecovery(account, { sendMail, link: 'https://app.example.com' });`,
      FACTOR_ROUTES,
    ].join('\n'),
    hasBodyParser,
    user: 'currentUser(req)',
    routes: `
app.get('/mails', (_req, res) => {
  const answer = () => res.setHeader('Content-Type', 'application/json').end(JSON.stringify(mails));
  void recovery.settled().then(answer);
});
app.get('/verified', recovery.requireVerified, (req, res) => {
  res.setHeader('Content-Type', 'application/json').end(JSON.stringify({ user: currentUser(req) }));
});`,
  });
}

// Responds without `res.json`, which in Express 4.10.0 does not work on Node 24.
function formatApp({ imports, create, hasBodyParser, user, routes }: AppCode): string {
  return `${imports}

${create}
let calls = 0;
const app = express();
app.get('/health', (_req, res) => void res.end());
app.get('/private', account.requireAuth, (req, res) => {
  const seen = { user: ${user}, local: res.locals['user'], calls: ++calls };
  res.setHeader('Content-Type', 'application/json').end(JSON.stringify(seen));
});${routes}
app.use('/auth', account.router);
app.use('/v2/accounts', account.router);
${hasBodyParser ? `app.use('/parsed', express.json(), account.router);` : ''}
const server = app.listen(Number(process.env['PORT']), '127.0.0.1');
process.once('SIGTERM', () => server.close());
`;
}

async function startService(
  built: BuiltService,
  env: Environment,
): Promise<Omit<AccountHost, 'query'>> {
  const service = await built.start({ RATE_LIMIT: 'off', ...env });
  return {
    url: `${service.url}/auth`,
    origin: service.url,
    pid: service.process.pid ?? 0,
    output: () => service.output.stdout + service.output.stderr,
    stop: async (signal = 'SIGKILL') => (await service.kill(signal)).code,
  };
}

async function startNode(
  file: string,
  cwd: string,
  env: Environment,
  query: AccountHost['query'],
): Promise<AccountHost> {
  const port = await findFreePort();
  const command = { file: process.execPath, args: [file], cwd };
  const server = await startServer({ ...command, env: { PORT: `${port}`, ...env } }, port);
  return {
    url: `${server.url}/auth`,
    origin: server.url,
    pid: server.pid,
    output: () => server.stdout() + server.stderr(),
    query,
    async stop(signal = 'SIGKILL') {
      let hasEnded = false;
      void server.exit.then(() => (hasEnded = true));
      await Promise.resolve();
      if (!hasEnded) process.kill(server.pid, signal);
      return (await server.exit).code;
    },
  };
}

/** The compiled entry file of the service: the fixture of the service keeps its folder to itself. */
async function findMain(built: BuiltService): Promise<string> {
  const { process: child, exit }: ServiceProcess = built.run({ PORT: 'none' });
  await exit;
  return child.spawnargs.at(-1) ?? '';
}

function writeServiceApp(main: string): string {
  const file = join(dirname(main), `app-of-a-user-${process.pid}.js`);
  const code = formatApp({
    imports: [
      `import express from 'express';`,
      `import { createAuthApp } from './app.js';`,
      `import { readServiceConfig } from './config.js';`,
    ].join('\n'),
    create: `const account = await createAuthApp(readServiceConfig(process.env));`,
    hasBodyParser: true,
    user: 'req.user',
    routes: '',
  });
  writeFileSync(file, code);
  return file;
}

function newDatabaseFile(folder: string): string {
  return join(folder, `host${++databases}.sqlite`);
}

/** Runs statements on a SQLite file, on a connection of its own. */
export function querySqlite(file: string): AccountHost['query'] {
  return async (sql) => {
    const database = new Database(file, { fileMustExist: true });
    try {
      database.pragma('foreign_keys = ON');
      const statement = database.prepare(sql);
      if (statement.reader) return statement.all() as Row[];
      statement.run();
      return [];
    } finally {
      database.close();
    }
  };
}
