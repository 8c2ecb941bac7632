// The account API over HTTP on stackyard/fastapi-account, on SQLite and PostgreSQL, installed and wired by the client;
// tokens and hashes that it shares with the implementation in TypeScript; and accounts after kill -9.

import { cpSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ourRegistry, runIn } from '../foundations/our-registry.ts';
import { findLost, streamRegistrations } from './acknowledged-accounts.ts';
import { describeAccountApi } from './account-api.contract.ts';
import { type AccountHost, serviceOnSqlite, type StartHost } from './account-host-fixture.ts';
import { login, me, PASSWORD, quote, register, SECRET } from './account-request.contract.ts';
import { addPrivateRoutes, fastapiProject } from './fastapi-host-fixture.ts';
import { type PostgresServer, startPostgres } from './postgres-fixture.ts';
import { type BuiltService, buildService } from './service-fixture.ts';

/** Each registration then costs little: what is killed is mostly at work in the database. */
const CHEAP = { NODE_OPTIONS: 'cheap' };

const registry = ourRegistry();
const project = (): string => join(registry.folder(), 'app');
let server: PostgresServer | undefined;
let service: BuiltService | undefined;
const built = (): BuiltService => service!;

beforeAll(async () => {
  const module = ['--with', 'stackyard/fastapi-account'];
  await registry.stackyard('new', 'stackyard/fastapi-api', 'app', ...module, '--allow', 'all');
}, 600_000);

beforeAll(async () => {
  server = await startPostgres();
  service = await buildService();
});

afterAll(() => {
  server?.remove();
  service?.remove();
});

const startOnSqlite = fastapiProject(project);
const startOnPostgres = fastapiProject(project, () => server!);

describe('the project', () => {
  test('has both modules in its list, in the order in which they start', () => {
    const text = readFileSync(join(project(), 'app/modules.py'), 'utf8');
    expect(text).toMatch(
      /^modules: list\[Module\] = \[\s*database_module,\s*account_module,?\s*\]$/m,
    );
  });

  test('passes its own types, linter and tests', () => {
    const python = join(project(), '.venv/bin/python');
    const run = (...words: string[]): string => runIn(project(), python, '-B', '-m', ...words);
    const builds = join(import.meta.dirname, '../../builds/stackyard');
    const tests = ['fastapi-sqlalchemy/test_database.py', 'fastapi-account/test_account.py'];
    // The modules have them in their folders, and do not install them.
    for (const file of tests) {
      cpSync(join(builds, file), join(project(), 'tests', basename(file)));
    }
    expect(run('ruff', 'check', '--no-cache', '.')).toContain('All checks passed');
    expect(run('ruff', 'format', '--no-cache', '--check', '.')).toContain('already formatted');
    expect(run('mypy', '--strict', '--cache-dir', '/dev/null')).toContain('Success');
    expect(run('pyright')).toContain('0 errors');
    expect(run('pytest', '-q', '-p', 'no:cacheprovider')).toMatch(/\d+ passed in/);
  }, 400_000);

  test('has routes for the contract', () => {
    addPrivateRoutes(project());
    expect(readFileSync(join(project(), 'app/routers/__init__.py'), 'utf8')).toContain('private');
  });
});

const TRAITS = {
  hasBodyParser: false,
  hasSessions: true,
  hasCookies: false,
  hasRecovery: false,
  isService: false,
  refusesStart: true,
  // h11 answers 400 where the head does not arrive in one piece; else the token is too long.
  longHeaderStatuses: [400, 401],
};

describeAccountApi('FastAPI on SQLite', startOnSqlite, { ...TRAITS, startApp: startOnSqlite });
describeAccountApi('FastAPI on PostgreSQL', startOnPostgres, {
  ...TRAITS,
  startApp: startOnPostgres,
});

describe('beside the implementation in TypeScript', () => {
  let hosts: readonly [python: AccountHost, node: AccountHost];
  const email = 'shared@example.com';

  beforeAll(async () => {
    const env = { NODE_ENV: 'test', JWT_SECRET: SECRET };
    const start: readonly StartHost[] = [startOnSqlite, serviceOnSqlite(built)];
    const [python, node] = await Promise.all(start.map((one) => one(env)));
    hosts = [python!, node!];
  });
  afterAll(() => Promise.all(hosts.map((host) => host.stop())));

  test('each accepts the tokens of the other, and answers byte for byte the same', async () => {
    const [python, node] = hosts;
    const [ofPython, ofNode] = [await register(python, email), await register(node, email)];
    // The first account of each has the same id; only their times differ.
    const row = `UPDATE users SET created_at = ${quote(ofPython.body.user.created_at)}`;
    await node.query(row);
    for (const { body } of [ofPython, ofNode]) {
      const answers = [await me(python, body.token), await me(node, body.token)];
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(answers[0]?.text).toBe(answers[1]?.text);
    }
  });

  test('each accepts the hashes of the other', async () => {
    const [python, node] = hosts;
    const read = async (host: AccountHost): Promise<string> =>
      String((await host.query('SELECT password_hash FROM users'))[0]?.['password_hash']);
    const hashes = [await read(python), await read(node)];
    expect(new Set(hashes.map((hash) => hash.split('$').slice(0, 3).join('$'))).size).toBe(1);
    for (const [host, hash] of [
      [python, hashes[1]!],
      [node, hashes[0]!],
    ] as const) {
      await host.query(`UPDATE users SET password_hash = ${quote(hash)}`);
      expect((await login(host, email, PASSWORD)).status).toBe(200);
      expect((await login(host, email, `${PASSWORD} `)).status).toBe(401);
      // It is as strong as its own: nothing replaces it.
      expect(await read(host)).toBe(hash);
    }
  });
});

describe.each([
  ['SQLite', startOnSqlite],
  ['PostgreSQL', startOnPostgres],
])('kill -9 on %s', (_name, start) => {
  test('loses no acknowledged account', async () => {
    const env = { JWT_SECRET: SECRET, ...CHEAP, DATABASE_URL: '' };
    // One database for all starts.
    env.DATABASE_URL =
      start === startOnSqlite
        ? `sqlite:///${join(project(), 'killed.sqlite')}`
        : await server!.createDatabase('killed_fastapi');
    let host = await start(env);
    const stream = streamRegistrations(host.origin, 4, 'k');
    for (let crashes = 1; crashes <= 3; crashes++) {
      await expect.poll(() => stream.acknowledged.length).toBeGreaterThan(crashes * 4);
      // Not after an answer, but at any point of the next ones.
      await sleep(crashes * 37);
      await host.stop('SIGKILL');
      host = await start(env);
      stream.moveTo(host.origin);
    }
    const count = stream.acknowledged.length;
    await expect.poll(() => stream.acknowledged.length).toBeGreaterThan(count);
    await stream.stop();
    expect(await findLost(host.origin, stream.acknowledged)).toEqual([]);
    expect(Object.keys(stream.counts).sort()).toEqual(['201', 'broken']);
    await host.stop();
  });
});
