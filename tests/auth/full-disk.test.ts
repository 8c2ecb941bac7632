// On a full disk the service acknowledges nothing that it does not store, is not ready, and works again with space.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findLost } from './acknowledged-accounts.ts';
import { type Disk, DISKS } from './full-disk.ts';
import {
  type Answer,
  bearer,
  type BuiltService,
  buildService,
  type RunningService,
  send,
} from './service-fixture.ts';

const PASSWORD = 'correct horse';
/** Hashes are not the subject. */
const NODE_OPTIONS = `--import=${new URL('cheap-scrypt.ts', import.meta.url).href}`;
const AT_ONCE = 40;
const INTEGRITY = `sha256-${Buffer.alloc(32).toString('base64')}`;

let built: BuiltService;
let disk: Disk;
let service: RunningService;
/** The program that takes reports, on the same database. */
let reports: { readonly child: ChildProcess; readonly url: string };

beforeAll(async () => {
  built = await buildService();
});

afterAll(() => built?.remove());

const register = (email: string) =>
  send('POST', `${service.url}/auth/register`, { email, password: PASSWORD });
const ready = () => send('GET', `${service.url}/ready`);

/** How many answers have each status and code. */
function countBy(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const kind = [status, body.error?.['code']].join(' ').trim();
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

const urlOf = (path: string): string =>
  `${path.startsWith('/auth/') ? service.url : reports.url}${path}`;

/** Rows of a table, read by another process. */
function count(table: string): number {
  const db = new Database(disk.file, { readonly: true });
  try {
    return Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  } finally {
    db.close();
  }
}

async function startReports(env: Record<string, string>): Promise<typeof reports> {
  const program = new URL('../../generator/main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [program, 'reports', '--port', '0'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { port } = JSON.parse(line) as { port?: number };
    if (port !== undefined) return { child, url: `http://127.0.0.1:${port}` };
  }
  throw new Error('The program that takes reports did not start');
}

const fill = (): void => {
  for (const { pid = 0 } of [service.process, reports.child]) disk.fill(pid);
};
const free = (): void => {
  for (const { pid = 0 } of [service.process, reports.child]) disk.free(pid);
};

describe.each(DISKS)('%s', (_, makeDisk) => {
  beforeAll(async () => {
    disk = makeDisk();
    const env = {
      DATABASE_URL: `file:${disk.file}`,
      JWT_SECRET: 'a secret for tests that is long enough',
    };
    service = await built.start({ ...env, NODE_OPTIONS });
    reports = await startReports(env);
  });

  afterEach(free);

  afterAll(async () => {
    await service?.kill('SIGKILL');
    const { child } = reports;
    child.kill('SIGKILL');
    await once(child, 'close');
    disk?.remove();
  });

  test(`${AT_ONCE} registrations at once are refused, and accepted when there is space again`, async () => {
    expect((await register('before@example.com')).status).toBe(201);
    expect((await ready()).status).toBe(200);
    fill();
    const emails = Array.from({ length: AT_ONCE }, (_unused, index) => `u${index}@example.com`);
    const refused = await Promise.all(emails.map(register));
    expect(countBy(refused)).toEqual({ '503 database_unavailable': AT_ONCE });
    expect(refused.every(({ headers }) => headers.get('retry-after') === '5')).toBe(true);
    await expect.poll(async () => (await ready()).status).toBe(503);
    expect((await ready()).body['checks']).toMatchObject({ database: 'unavailable' });
    expect((await send('GET', `${service.url}/health`)).status).toBe(200);
    expect(count('users')).toBe(1);

    free();
    await expect.poll(async () => (await ready()).status).toBe(200);
    const accepted = await Promise.all(emails.map(register));
    expect(countBy(accepted)).toEqual({ 201: AT_ONCE });
    expect(await findLost(service.url, ['before@example.com', ...emails])).toEqual([]);
    expect(count('users')).toBe(AT_ONCE + 1);
  });

  test('every other change is refused as well and leaves everything as it was; logins and reads work', async () => {
    const email = 'owner@example.com';
    const { token } = (await register(email)).body;
    const session = bearer(token);
    const password = { current_password: PASSWORD, new_password: 'another password' };
    const report = { build: 'alice/web', version: '1.0.0', integrity: INTEGRITY };
    const changes: readonly (readonly [method: string, path: string, body?: object])[] = [
      ['POST', '/auth/password', password],
      ['POST', '/auth/logout'],
      ['POST', '/auth/logout-all'],
      ['DELETE', '/auth/me'],
      ['POST', '/reports', { ...report, outcome: 'success' }],
      ['POST', '/flags', { ...report, reason: 'malware', note: 'It sends the environment away' }],
    ];
    fill();
    for (const [method, path, body] of changes) {
      const { status, body: answer } = await send(method, urlOf(path), body, session);
      expect([path, status, answer.error['code']]).toEqual([path, 503, 'database_unavailable']);
    }
    const login = { email, password: PASSWORD };
    expect((await send('POST', `${service.url}/auth/login`, login)).status).toBe(200);
    expect((await send('GET', `${service.url}/auth/me`, undefined, session)).status).toBe(200);
    expect([count('reporters'), count('statements'), count('revoked_tokens')]).toEqual([0, 0, 0]);
    free();
    expect((await send('GET', `${service.url}/auth/me`, undefined, session)).status).toBe(200);
    for (const [method, path, body] of changes.slice(-2)) {
      expect((await send(method, urlOf(path), body, session)).status, path).toBe(202);
    }
    const [change] = changes;
    expect((await send('POST', `${service.url}/auth/password`, change?.[2], session)).status).toBe(
      200,
    );
  });
});
