// Hashes, and the queue that bounds how many are computed at once.

import { expect, test, vi } from 'vitest';
import { createPasswords } from './passwords.js';

const cost = { ln: 4, r: 1, p: 1 };
const passwords = createPasswords({ cost });

test('hash() makes another text each time, and verify() accepts both', async () => {
  const [first, second] = [await passwords.hash('correct horse'), await passwords.hash('correct horse')];
  expect(first).toMatch(/^\$scrypt\$ln=4,r=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(first).not.toBe(second);
  expect(await passwords.verify('correct horse', first)).toEqual({ matches: true, outdated: false });
  expect(await passwords.verify('correct horsf', first)).toEqual({ matches: false, outdated: false });
});

test('verify() finds nothing without a hash', async () => {
  expect(await passwords.verify('correct horse', undefined)).toEqual({ matches: false, outdated: false });
});

test('verify() composes characters, and calls a hash of another cost outdated', async () => {
  const stored = await createPasswords({ cost: { ln: 5, r: 2, p: 3 } }).hash('cafe\u0301 cafe\u0301');
  expect(await passwords.verify('caf\u00E9 caf\u00E9', stored)).toEqual({ matches: true, outdated: true });
});

test.each([
  '',
  'no hash',
  '$2b$10$abcdefghijklmnopqrstuuW1Zc5pJ3YyqNq1Zc5pJ3YyqNq1Zc5pJ',
  '$scrypt$ln=24,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  '$scrypt$ln=15,r=99,p=3$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  '$scrypt$ln=4,r=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAA',
])('verify() refuses the stored text %j, and logs it', async (stored) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(await passwords.verify('correct horse', stored)).toEqual({ matches: false, outdated: false });
  expect(log).toHaveBeenCalledTimes(1);
  log.mockRestore();
});

test('hashes wait for their turn, and too many are refused', async () => {
  const busy = createPasswords({ cost, maxRunning: 1, maxQueued: 2 });
  const all = await Promise.allSettled(Array.from({ length: 5 }, () => busy.hash('correct horse')));
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected']);
  expect(all[4]).toMatchObject({ reason: { status: 503, headers: { 'Retry-After': '5' } } });
  expect(await busy.hash('correct horse')).toContain('$scrypt$');
});
