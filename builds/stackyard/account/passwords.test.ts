// Hashing and verifying, with the vectors of RFC 7914.

import { describe, expect, test, vi } from 'vitest';
import { createPasswords, type DeriveKey, deriveScrypt, type PasswordOptions } from './passwords.js';

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
