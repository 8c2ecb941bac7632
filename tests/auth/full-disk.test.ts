// The service on a full disk: what cannot be stored is refused, and all else works.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import Database from 'better-sqlite3';
import { findLost } from './acknowledged-accounts.ts';
import { type Disk, DISKS } from './full-disk.ts';
import {
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

let built: BuiltService;
let disk: Disk;
let service: RunningService;

beforeAll(async () => {
  built = await buildService();
});

afterAll(() => built?.remove());

const register = (email: string) =>
  send('POST', `${service.url}/auth/register`, { email, password: PASSWORD });
const status = async (path: string, headers = {}) =>
  (await send('GET', service.url + path, undefined, headers)).status;

/** Accounts in the file, read by another process. */
function countAccounts(): number {
  const db = new Database(disk.file, { readonly: true });
  try {
    return Number(db.prepare('SELECT count(*) FROM users').pluck().get());
  } finally {
    db.close();
  }
}

describe.each(DISKS)('%s', (_, makeDisk) => {
  beforeAll(async () => {
    disk = makeDisk();
    service = await built.start({ DATABASE_URL: `file:${disk.file}`, NODE_OPTIONS });
  });

  afterEach(() => disk.free(service.process.pid ?? 0));

  afterAll(async () => {
    await service?.kill('SIGKILL');
    disk?.remove();
  });

  test(`${AT_ONCE} registrations at once are refused, and accepted when there is space again`, async () => {
    const before = await register('before@example.com');
    expect(before.status).toBe(201);
    disk.fill(service.process.pid ?? 0);
    const emails = Array.from({ length: AT_ONCE }, (_unused, index) => `u${index}@example.com`);
    for (const { status: refused, headers, body } of await Promise.all(emails.map(register))) {
      expect([refused, headers.get('retry-after')]).toEqual([503, '5']);
      expect(body.error).toMatchObject({ status: 503, code: 'database_unavailable' });
    }
    expect(await findLost(service.url, ['before@example.com'])).toEqual([]);
    expect(await status('/auth/me', bearer(before.body.token))).toBe(200);
    expect(await status('/health')).toBe(200);
    expect(await status('/ready')).toBe(200);
    expect(countAccounts()).toBe(1);

    disk.free(service.process.pid ?? 0);
    const accepted = await Promise.all(emails.map(register));
    expect(accepted.filter((answer) => answer.status === 201)).toHaveLength(AT_ONCE);
    expect(await findLost(service.url, emails)).toEqual([]);
    expect(countAccounts()).toBe(AT_ONCE + 1);
  });
});
