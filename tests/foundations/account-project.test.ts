/** A new project with accounts: made by `new`, integrated by the code blocks of the guides, tested over HTTP. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../tools/free-port.ts';
import { carryOut } from '../../tools/prove/carry-out.ts';
import { readFileSync } from 'node:fs';
import { ourRegistry, runIn } from './our-registry.ts';
import { startServer } from './server-process.ts';

const BUILDS = join(import.meta.dirname, '../../builds');
const registry = ourRegistry();
const project = (): string => join(registry.folder(), 'app');

beforeAll(async () => {
  await registry.stackyard('new', 'stackyard/express-api', 'app', '--with', 'stackyard/account');
  for (const id of ['stackyard/sqlite', 'stackyard/account']) {
    carryOut(project(), id, readFileSync(join(BUILDS, id, 'INTEGRATION.md'), 'utf8'));
  }
});

test('passes its type check and all tests', () => {
  expect(runIn(project(), 'npm', 'run', '-s', 'typecheck')).toBe('');
  expect(runIn(project(), 'npm', 'test')).toMatch(/Tests\s+\d+ passed/);
});

test('registers, logs in and returns the current user, as specified', async () => {
  expect(runIn(project(), 'npm', 'run', '-s', 'build')).toBe('');
  const port = await findFreePort();
  const command = { file: process.execPath, args: ['dist/server.js'], cwd: project() };
  const server = await startServer({ ...command, env: { PORT: String(port) } }, port);
  try {
    const post = async (path: string, body: object): Promise<[number, unknown]> => {
      const answer = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      return [answer.status, await answer.json()];
    };
    const account = { email: ' A@Example.com ', password: 'correct horse' };
    const user = {
      id: 1,
      email: 'a@example.com',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    };
    expect(await post('/auth/register', account)).toEqual([
      201,
      { user, token: expect.any(String) },
    ]);
    expect(await post('/auth/register', account)).toEqual([
      409,
      { error: expect.objectContaining({ status: 409, message: 'Email is already registered' }) },
    ]);
    const [status, session] = await post('/auth/login', account);
    expect([status, session]).toEqual([200, { user, token: expect.any(String) }]);
    const { token } = session as { token: string };
    const me = async (headers: Record<string, string>): Promise<[number, unknown]> => {
      const answer = await fetch(`${server.url}/auth/me`, { headers });
      return [answer.status, await answer.json()];
    };
    expect(await me({ Authorization: `Bearer ${token}` })).toEqual([200, { user }]);
    expect(await me({})).toEqual([
      401,
      { error: expect.objectContaining({ status: 401, message: 'Missing bearer token' }) },
    ]);
  } finally {
    await server.stop();
  }
});

test('what git would add holds no database and no secret', () => {
  spawnSync('git', ['init', '-q'], { cwd: project() });
  const files = runIn(project(), 'git', 'ls-files', '--others', '--exclude-standard').split('\n');
  expect(files).toContain('stackyard.lock.json');
  expect(
    files.filter((file) => /^(?:data|dist|node_modules)\//.test(file) || file === '.env'),
  ).toEqual([]);
});
