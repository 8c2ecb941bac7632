// Passwords: hashes, the stored text, the queue.

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createHashQueue,
  createPasswords,
  type DeriveKey,
  deriveScrypt,
  formatScryptHash,
  isAcceptableCost,
  isWeaker,
  type PasswordOptions,
  tryParseScryptHash,
} from './passwords.js';

describe('passwords', () => {
  // Hashing and verifying, with the vectors of RFC 7914.
  // Real hashes take their time on a busy machine.
  vi.setConfig({ testTimeout: 30_000 });

  // RFC 7914 section 12. Its fourth vector, with N = 2^20, takes 1 GiB and several seconds and is left out.
  test.each([
    [
      '',
      '',
      4,
      1,
      1,
      '77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906',
    ],
    [
      'password',
      'NaCl',
      10,
      8,
      16,
      'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640',
    ],
    [
      'pleaseletmein',
      'SodiumChloride',
      14,
      8,
      1,
      '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
    ],
  ])('deriveScrypt() holds for the password %j of RFC 7914', async (password, salt, logN, r, p, expected) => {
    const key = await deriveScrypt(Buffer.from(password), Buffer.from(salt), { logN, r, p }, 64);
    expect(key.toString('hex')).toBe(expected);
  });

  test('deriveScrypt() has the memory for the largest parameters that are accepted', async () => {
    const key = await deriveScrypt(Buffer.from('a'), Buffer.from('b'), { logN: 17, r: 8, p: 1 }, 32);
    expect(key).toHaveLength(32);
  });

  const CHEAP = { logN: 2, r: 1, p: 1 };
  const create = (options: PasswordOptions = {}) => createPasswords({ cost: CHEAP, ...options });

  describe('hash()', () => {
    test('uses N = 2^15, r = 8, p = 3, 16 bytes of salt and 32 of key by default', async () => {
      const hash = await createPasswords().hash('password');
      expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
      expect((await createPasswords().verify('password', hash)).matches).toBe(true);
    });

    test('salts', async () => {
      const passwords = create();
      expect(await passwords.hash('password')).not.toBe(await passwords.hash('password'));
    });

    test('makes none when "before" rejects', async () => {
      const derive = vi.fn<DeriveKey>(deriveScrypt);
      const passwords = create({ derive });
      await expect(passwords.hash('password', () => Promise.reject(new Error('taken')))).rejects.toThrow(
        'taken',
      );
      expect(derive).not.toHaveBeenCalled();
    });
  });

  describe('verify()', () => {
    const passwords = create();
    const verify = async (password: string, stored: string) =>
      (await passwords.verify(password, stored)).matches;

    test('compares the whole password', async () => {
      const long = 'x'.repeat(1000);
      const hash = await passwords.hash(long);
      expect(await verify(long, hash)).toBe(true);
      expect(await verify(`${long}x`, hash)).toBe(false);
      expect(await verify(long.slice(1), hash)).toBe(false);
      expect(await verify('', hash)).toBe(false);
    });

    test('composes characters (NFC), and does not fold distinct ones (NFKC)', async () => {
      const hash = await passwords.hash('Ångström ﬁ');
      expect(await verify('A\u030angstro\u0308m ﬁ', hash)).toBe(true);
      expect(await verify('Ångström fi', hash)).toBe(false);
    });

    test('matches no password with a lone surrogate', async () => {
      const hash = await passwords.hash('\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd');
      expect(await verify('\ud800'.repeat(8), hash)).toBe(false);
    });

    test('says when a hash has less work than today, and only of one that matches', async () => {
      const stored = await passwords.hash('password');
      const today = create({ cost: { logN: 3, r: 1, p: 1 } });
      expect(await today.verify('password', stored)).toEqual({
        matches: true,
        outdated: true,
        unreadable: false,
      });
      expect(await today.verify('wrong', stored)).toEqual({
        matches: false,
        outdated: false,
        unreadable: false,
      });
      expect(await passwords.verify('password', await today.hash('password'))).toMatchObject({
        outdated: false,
      });
    });

    test.each([undefined, '', 'x', '$scrypt$ln=31,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA'])(
      'derives one key with the parameters of today for the stored text %j, and does not match',
      async (stored) => {
        const derive = vi.fn<DeriveKey>(deriveScrypt);
        const check = await create({ derive }).verify('password', stored);
        expect(check).toEqual({ matches: false, outdated: false, unreadable: stored !== undefined });
        expect(derive.mock.calls.map(([, salt, cost, length]) => [salt.length, cost, length])).toEqual([
          [16, CHEAP, 32],
        ]);
      },
    );
  });

  test.each([
    { logN: 18, r: 8, p: 1 },
    { logN: 15, r: 9, p: 1 },
    { logN: 15, r: 8, p: 11 },
    { logN: 0, r: 8, p: 1 },
  ])('createPasswords() refuses %j, which it would not verify', (cost) => {
    expect(() => createPasswords({ cost })).toThrow(RangeError);
  });
});

describe('scrypt hash', () => {
  // The stored text of a password hash, and its bounds.
  const SALT = Buffer.alloc(16, 1);
  const KEY = Buffer.alloc(32, 2);
  const SALT_TEXT = 'AQEBAQEBAQEBAQEBAQEBAQ';
  const KEY_TEXT = 'AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI';
  const TEXT = `$scrypt$ln=15,r=8,p=3$${SALT_TEXT}$${KEY_TEXT}`;

  test('formatScryptHash() writes the PHC form', () => {
    expect(formatScryptHash({ cost: { logN: 15, r: 8, p: 3 }, salt: SALT, key: KEY })).toBe(TEXT);
  });

  test('tryParseScryptHash() is its inverse', () => {
    fc.assert(
      fc.property(
        fc.record({
          logN: fc.integer({ min: 1, max: 17 }),
          r: fc.integer({ min: 1, max: 8 }),
          p: fc.integer({ min: 1, max: 10 }),
        }),
        fc.uint8Array({ minLength: 8, maxLength: 64 }),
        fc.uint8Array({ minLength: 16, maxLength: 64 }),
        (cost, salt, key) => {
          const hash = { cost, salt: Buffer.from(salt), key: Buffer.from(key) };
          expect(tryParseScryptHash(formatScryptHash(hash))).toEqual(hash);
        },
      ),
    );
  });

  describe('tryParseScryptHash() refuses', () => {
    test.each([
      '',
      '$',
      'scrypt',
      TEXT.slice(1),
      `${TEXT}\n`,
      ` ${TEXT}`,
      `${TEXT}$`,
      `${TEXT}=`,
      TEXT.replace('scrypt', 'SCRYPT'),
      TEXT.replace('scrypt', 'argon2id'),
      TEXT.replace('ln=15', 'ln=18'),
      TEXT.replace('ln=15', 'ln=0'),
      TEXT.replace('ln=15', 'ln=015'),
      TEXT.replace('ln=15', 'ln=99'),
      TEXT.replace('ln=15', 'ln=1e1'),
      TEXT.replace('ln=15', 'ln=-1'),
      TEXT.replace('ln=15,r=8', 'r=8,ln=15'),
      TEXT.replace('r=8', 'r=9'),
      TEXT.replace('r=8', 'r=0'),
      TEXT.replace('p=3', 'p=11'),
      TEXT.replace('p=3', 'p=0'),
      TEXT.replace(',p=3', ''),
      TEXT.replace(SALT_TEXT, ''),
      TEXT.replace(SALT_TEXT, 'AQEBAQEBAQ'.slice(0, 8)),
      TEXT.replace(SALT_TEXT, `${SALT_TEXT}==`),
      TEXT.replace(SALT_TEXT, SALT_TEXT.replace(/Q$/, 'R')),
      TEXT.replace(SALT_TEXT, 'AQEB AQEBAQEBAQEBAQEBA'),
      TEXT.replace(KEY_TEXT, ''),
      TEXT.replace(KEY_TEXT, 'AgICAgICAgI'),
      TEXT.replace(KEY_TEXT, '-_'.repeat(20)),
      TEXT.replace(KEY_TEXT, 'A'.repeat(400)),
      '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
      'scrypt$32768$8$3$AQEB$AgIC',
    ])('%j', (text) => {
      expect(tryParseScryptHash(text)).toBeUndefined();
    });
  });

  test('isAcceptableCost() bounds each parameter', () => {
    expect(isAcceptableCost({ logN: 17, r: 8, p: 10 })).toBe(true);
    expect(isAcceptableCost({ logN: 18, r: 8, p: 1 })).toBe(false);
    expect(isAcceptableCost({ logN: 15, r: 8.5, p: 1 })).toBe(false);
    expect(isAcceptableCost({ logN: 15, r: 8, p: 0 })).toBe(false);
  });

  test('isWeaker() compares the work', () => {
    const current = { logN: 15, r: 8, p: 3 };
    expect(isWeaker({ logN: 14, r: 8, p: 5 }, current)).toBe(true);
    expect(isWeaker({ logN: 17, r: 8, p: 1 }, current)).toBe(false);
    expect(isWeaker(current, current)).toBe(false);
  });
});

describe('hash queue', () => {
  // The bounded queue.
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  // A task that ends when told to.
  function createTask(started: string[], name: string) {
    let end = (_error?: Error) => {};
    const task = () => {
      started.push(name);
      return new Promise<string>((resolve, reject) => {
        end = (error) => (error ? reject(error) : resolve(name));
      });
    };
    return { task, end: (error?: Error) => end(error) };
  }

  const settle = () => vi.advanceTimersByTimeAsync(0);
  const OVERLOADED = expect.objectContaining({
    code: 'overloaded',
    status: 503,
    headers: { 'Retry-After': '5' },
  });

  test('run() keeps to the number at once, and to the order', async () => {
    const queue = createHashQueue({ maxRunning: 2, maxQueued: 10, maxWaitMs: 1000 });
    const started: string[] = [];
    const tasks = ['a', 'b', 'c', 'd'].map((name) => createTask(started, name));
    const results = tasks.map(({ task }) => queue(task));
    await settle();
    expect(started).toEqual(['a', 'b']);
    tasks[1]?.end();
    await settle();
    expect(started).toEqual(['a', 'b', 'c']);
    // A task that fails makes room as well.
    tasks[0]?.end(new Error('failed'));
    await expect(results[0]).rejects.toThrow('failed');
    await settle();
    expect(started).toEqual(['a', 'b', 'c', 'd']);
    tasks[2]?.end();
    tasks[3]?.end();
    expect(await Promise.all(results.slice(1))).toEqual(['b', 'c', 'd']);
    await expect(queue(async () => 'again')).resolves.toBe('again');
  });

  test('run() refuses at once what does not fit into the queue', async () => {
    const queue = createHashQueue({ maxRunning: 1, maxQueued: 1, maxWaitMs: 1000 });
    const started: string[] = [];
    const [a, b] = [createTask(started, 'a'), createTask(started, 'b')];
    const results = [queue(a.task), queue(b.task)];
    await expect(queue(async () => 'c')).rejects.toEqual(OVERLOADED);
    a.end();
    await settle();
    b.end();
    expect(await Promise.all(results)).toEqual(['a', 'b']);
  });

  test('run() refuses what has waited too long, and lets the others go on', async () => {
    const queue = createHashQueue({ maxRunning: 1, maxQueued: 5, maxWaitMs: 1000 });
    const started: string[] = [];
    const a = createTask(started, 'a');
    const first = queue(a.task);
    const second = queue(async () => 'b');
    const refused = second.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(500);
    const third = queue(async () => 'c');
    await vi.advanceTimersByTimeAsync(500);
    expect(await refused).toEqual(OVERLOADED);
    a.end();
    expect(await Promise.all([first, third])).toEqual(['a', 'c']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    { maxRunning: 0 },
    { maxRunning: 1.5 },
    { maxQueued: -1 },
    { maxWaitMs: NaN },
    { maxWaitMs: 2 ** 31 },
  ])('createHashQueue() refuses %j', (limits) => {
    expect(() => createHashQueue({ maxRunning: 1, maxQueued: 1, maxWaitMs: 1, ...limits })).toThrow(RangeError);
  });
});
