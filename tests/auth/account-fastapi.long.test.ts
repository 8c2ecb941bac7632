// The account routes on stackyard/fastapi-account, on SQLite and PostgreSQL, installed and wired by the client: the
// requests of the specification, tokens and hashes shared with stackyard/account, the update from version 1.0.0, and
// accounts after kill -9.

import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPasswords } from '../../builds/stackyard/account/passwords.ts';
import { createTokens } from '../../builds/stackyard/account/tokens.ts';
import { ourRegistry, runIn } from '../foundations/our-registry.ts';
import { findDifferences } from './account-suite.ts';
import { findLost, streamRegistrations } from './acknowledged-accounts.ts';
import { addPrivateRoute, startProject } from './fastapi-host-fixture.ts';
import { type PostgresServer, startPostgres } from './postgres-fixture.ts';

const SECRET = 'a secret that the test knows, of enough bytes';
const PASSWORD = 'pässword of the test';
const BUILDS = join(import.meta.dirname, '../../builds/stackyard');

const registry = ourRegistry();
const project = (): string => join(registry.folder(), 'app');
const sqlite = (name: string): string => join(registry.folder(), `${name}.sqlite`);
let postgres: PostgresServer | undefined;

beforeAll(async () => {
  const module = ['--with', 'stackyard/fastapi-account'];
  await registry.stackyard('new', 'stackyard/fastapi-api', 'app', ...module, '--allow', 'all');
  postgres = await startPostgres();
}, 600_000);

afterAll(() => postgres?.remove());

/** The address of a new database. */
async function newDatabase(kind: string, name: string): Promise<string> {
  return kind === 'SQLite' ? `sqlite:///${sqlite(name)}` : postgres!.createDatabase(name);
}

function rowsOf(name: string, sql: string): Record<string, unknown>[] {
  const database = new Database(sqlite(name), { readonly: true });
  const rows = database.prepare(sql).all() as Record<string, unknown>[];
  database.close();
  return rows;
}

async function ask(
  url: string,
  body?: object,
  token?: string,
): Promise<[number, { user: User; token: string }]> {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const init = body === undefined ? { headers } : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(url, init);
  return [answer.status, (await answer.json()) as { user: User; token: string }];
}

interface User {
  readonly id: number;
  readonly email: string;
  readonly created_at: string;
}

test('the project has both modules in its list, in the order in which they start', () => {
  const text = readFileSync(join(project(), 'app/modules.py'), 'utf8');
  expect(text).toMatch(
    /^modules: list\[Module\] = \[\s*database_module,\s*account_module,?\s*\]$/m,
  );
});

test('the project passes its own types, linter and tests, and those of the modules', () => {
  const python = join(project(), '.venv/bin/python');
  const run = (...words: string[]): string => runIn(project(), python, '-B', '-m', ...words);
  for (const file of ['fastapi-sqlalchemy/test_database.py', 'fastapi-account/test_account.py'])
    cpSync(join(BUILDS, file), join(project(), 'tests', basename(file)));
  expect(run('ruff', 'check', '--no-cache', '.')).toContain('All checks passed');
  expect(run('ruff', 'format', '--no-cache', '--check', '.')).toContain('already formatted');
  expect(run('mypy', '--strict', '--cache-dir', '/dev/null')).toContain('Success');
  expect(run('pyright')).toContain('0 errors');
  expect(run('pytest', '-q', '-p', 'no:cacheprovider')).toMatch(/\d+ passed in/);
  // For the tests below.
  addPrivateRoute(project());
}, 400_000);

describe.each(['SQLite', 'PostgreSQL'])('on %s', (kind) => {
  test('all requests of the specification are answered as it says', async () => {
    const url = await newDatabase(kind, `suite_${kind.toLowerCase()}`);
    const env = { DATABASE_URL: url, JWT_SECRET: SECRET, CHEAP_HASHES: '1' };
    const server = await startProject(project(), env);
    const host = {
      base: `${server.url}/auth`,
      secret: SECRET,
      privateUrl: `${server.url}/private`,
    };
    const { requests, differences } = await findDifferences(host);
    await server.stop();
    expect(requests).toBeGreaterThanOrEqual(100);
    expect(differences).toEqual([]);
  });

  test('kill -9 loses no acknowledged account', async () => {
    const DATABASE_URL = await newDatabase(kind, `killed_${kind.toLowerCase()}`);
    const env = { JWT_SECRET: SECRET, CHEAP_HASHES: '1', DATABASE_URL };
    let server = await startProject(project(), env);
    const stream = streamRegistrations(server.url, 4, 'k');
    for (let crashes = 1; crashes <= 3; crashes++) {
      await expect.poll(() => stream.acknowledged.length).toBeGreaterThan(crashes * 4);
      // Not after an answer, but at any point of the next ones.
      await sleep(crashes * 37);
      await server.stop();
      server = await startProject(project(), env);
      stream.moveTo(server.url);
    }
    await stream.stop();
    expect(await findLost(server.url, stream.acknowledged)).toEqual([]);
    await server.stop();
  });
});

test('stackyard/account accepts its tokens and hashes, and the other way round', async () => {
  const env = { DATABASE_URL: `sqlite:///${sqlite('shared')}`, JWT_SECRET: SECRET };
  const server = await startProject(project(), env);
  const email = 'shared@example.com';
  const [, { user, token }] = await ask(`${server.url}/auth/register`, {
    email,
    password: PASSWORD,
  });
  const tokens = createTokens(SECRET, 604_800);
  expect(await tokens.verify(token)).toMatchObject({ userId: user.id, tokenVersion: 0 });
  const [row] = rowsOf('shared', 'SELECT password_hash AS hash FROM users');
  const hash = String(row?.['hash']);
  const passwords = createPasswords();
  expect(await passwords.verify(PASSWORD, hash)).toMatchObject({ matches: true, outdated: false });
  expect(await passwords.verify(`${PASSWORD} `, hash)).toMatchObject({ matches: false });
  const stored = { id: user.id, email, tokenVersion: 0, createdAt: user.created_at };
  const other = await tokens.issue({ ...stored, passwordHash: '' });
  expect(await ask(`${server.url}/auth/me`, undefined, other)).toEqual([200, { user }]);
  const database = new Database(sqlite('shared'));
  // Composed in another way: both normalise.
  const replaced = await passwords.hash(PASSWORD.normalize('NFD'));
  database.prepare('UPDATE users SET password_hash = ?').run(replaced);
  database.close();
  const login = await ask(`${server.url}/auth/login`, { email, password: PASSWORD });
  expect([login[0], login[1].user]).toEqual([200, user]);
  await server.stop();
});

test('update from version 1.0.0 keeps accounts, hashes, tokens and tables', async () => {
  const old = join(registry.folder(), 'old');
  const flags = ['--allow', 'all', '--no-install'];
  await registry.stackyard('new', 'stackyard/fastapi-api', 'old', ...flags);
  const version = 'stackyard/fastapi-account@1.0.0';
  await registry.stackyard('add', version, '-C', old, '--wire', ...flags);
  symlinkSync(join(project(), '.venv'), join(old, '.venv'));
  const env = { DATABASE_URL: `sqlite:///${sqlite('updated')}`, JWT_SECRET: SECRET };
  let server = await startProject(old, env);
  const credentials = { email: 'old@example.com', password: PASSWORD };
  const [status, { user, token }] = await ask(`${server.url}/auth/register`, credentials);
  expect(status).toBe(201);
  await server.stop();
  await registry.stackyard('update', 'stackyard/fastapi-account', '--latest', '-C', old, ...flags);
  const { version: newest } = JSON.parse(
    readFileSync(join(BUILDS, 'fastapi-account/stackyard.json'), 'utf8'),
  ) as { version: string };
  expect(readFileSync(join(old, 'stackyard.lock.json'), 'utf8')).toContain(
    `"version": "${newest}"`,
  );
  server = await startProject(old, env);
  expect(await ask(`${server.url}/auth/me`, undefined, token)).toEqual([200, { user }]);
  expect((await ask(`${server.url}/auth/login`, credentials))[0]).toBe(200);
  await server.stop();
  const tables = rowsOf('updated', "SELECT name FROM sqlite_master WHERE type = 'table'");
  const names = tables.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['users', 'revoked_tokens', 'account_sessions']));
  expect(rowsOf('updated', 'SELECT version_num FROM alembic_version')).toContainEqual({
    version_num: 'account_0002',
  });
});

test('the start is refused in production without a secret', async () => {
  const env = { APP_ENV: 'production', DATABASE_URL: `sqlite:///${sqlite('refused')}` };
  await expect(startProject(project(), env)).rejects.toThrow('JWT_SECRET: is not set');
});
