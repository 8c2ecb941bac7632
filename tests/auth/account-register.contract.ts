// Rows R1 to R21 of the account API: POST /register.

// oxlint-disable vitest/expect-expect -- expectError() and expectInvalidToken() do

import { dictionary } from '@zxcvbn-ts/language-common';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Contract,
  createAccount,
  expectError,
  login,
  me,
  newEmail,
  PASSWORD,
  post,
  quote,
  register,
  withHost,
} from './account-request.contract.ts';

const NO_STRINGS: readonly unknown[] = [undefined, null, 12_345_678, ['a@x.co'], { a: 1 }, true];
const NO_STRING_ISSUES = 'email: Email must be a string; password: Password must be a string';
const SHORT = 'Invalid request: password: Password must be at least 8 characters';
const EMOJI = '\u{1F600}';
const DECOMPOSED = 'e\u0301';

export function describeRegister({ host, hashingHost, startHost, traits }: Contract): void {
  describe('POST /register', () => {
    test('R1 an account is created, and its token works', async () => {
      const reply = await register(host(), ' R1.New@X.co', '12345678');
      expect(reply.status).toBe(201);
      expect(Object.keys(reply.body)).toEqual(['user', 'token']);
      expect(Number.isSafeInteger(reply.body.user.id) && reply.body.user.id > 0).toBe(true);
      expect(reply.body.user.email).toBe('r1.new@x.co');
      expect((await me(host(), reply.body.token)).status).toBe(200);
    });

    test('R2 the user has exactly id, email, created_at, byte for byte the same in all answers', async () => {
      const email = newEmail();
      const registered = await register(host(), email);
      const { user, token } = registered.body;
      expect(Object.keys(user)).toEqual(['id', 'email', 'created_at']);
      expect(user.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
      expect(Math.abs(Date.parse(user.created_at) - Date.now())).toBeLessThan(600_000);
      const prefix = (await me(host(), token)).text.replace(/\}$/, ',');
      expect(registered.text.startsWith(prefix)).toBe(true);
      expect((await login(host(), email)).text.startsWith(prefix)).toBe(true);
    });

    test('R3 no answer has a hash, and equal passwords are stored as different scrypt hashes', async () => {
      const emails = [newEmail(), newEmail()];
      for (const email of emails) {
        const replies = [await register(hashingHost(), email), await login(hashingHost(), email)];
        replies.push(await me(hashingHost(), replies[0]!.body.token));
        for (const { text } of replies) expect(text).not.toMatch(/password|hash|scrypt|salt/i);
      }
      const rows = await hashingHost().query(
        `SELECT password_hash FROM users WHERE email IN (${emails.map(quote).join()})`,
      );
      const hashes = rows.map((row) => String(row['password_hash']));
      expect(hashes).toHaveLength(2);
      expect(new Set(hashes).size).toBe(2);
      for (const hash of hashes) expect(hash.startsWith('$scrypt$')).toBe(true);
    });

    test('R4 white space of all kinds is trimmed and letters are lower-cased', async () => {
      const spaces = [
        ['  ', ' \n'],
        ['\u00A0', ''],
        ['\uFEFF', '\uFEFF'],
        ['', '\u2003\t'],
      ];
      for (const [index, [before, after]] of spaces.entries()) {
        const reply = await register(host(), `${before}R4.${index}.B@Example.COM${after}`);
        expect(reply.status).toBe(201);
        expect(reply.body.user.email).toBe(`r4.${index}.b@example.com`);
      }
    });

    test('R5 the same address in another case or spacing is taken', async () => {
      const { user } = await createAccount(host());
      for (const email of [user.email, user.email.toUpperCase(), `\u2003${user.email} \n`]) {
        const reply = await register(host(), email);
        expectError(reply, 409, 'email_taken', 'Email is already registered');
      }
    });

    test('R6 the Kelvin sign is a k', async () => {
      expect((await register(host(), 'kate@x.co')).status).toBe(201);
      expectError(await register(host(), '\u212Aate@x.co'), 409, 'email_taken');
    });

    test('R7 an address has at most 254 characters, counted after trimming', async () => {
      const ofLength = (length: number, first: string): string =>
        `${first}${'a'.repeat(length - 6)}@x.co`;
      expect((await register(host(), ofLength(254, 'a'))).status).toBe(201);
      expectError(await register(host(), ofLength(255, 'b')), 400, 'invalid_request');
      const padded = `${' '.repeat(10)}${ofLength(254, 'c')}${' '.repeat(10)}`;
      expect((await register(host(), padded)).status).toBe(201);
    });

    test('R8 an address must be valid', async () => {
      const wrong = ['a@localhost', 'a..b@x.co', 'a@x.co.', '"a b"@x.co', 'a@[127.0.0.1]'];
      for (const email of [...wrong, 'jörg@x.co', 'a@müller.de', 'a', '', ' ', '@x.co', 'a@']) {
        const reply = await register(host(), email);
        expectError(reply, 400, 'invalid_request');
        expect(reply.body.error.message).toMatch(/^Invalid request: email: [^;]+$/);
      }
      for (const email of ['a@xn--mller-kva.de', "o'neil@x.co", 'a+b@x.co'])
        expect((await register(host(), email)).status, email).toBe(201);
    });

    test('R9 an address is trimmed before its form is looked at, and a long one is one issue', async () => {
      expect((await register(host(), `\t ${newEmail()} \r\n`)).status).toBe(201);
      for (const long of [`${'a'.repeat(15_000)}@x.co`, 'a@'.repeat(7000), '.'.repeat(15_000)]) {
        const reply = await register(host(), long);
        expectError(reply, 400, 'invalid_request');
        expect(reply.body.error.issues).toEqual([{ path: 'email', message: expect.any(String) }]);
        expect(reply.text.length).toBeLessThan(1000);
      }
    });

    test('R10 a password has 8 to 200 characters', async () => {
      const short = await register(host(), newEmail(), '1234567');
      expectError(short, 400, 'invalid_request', SHORT);
      expect(short.body.error.issues).toEqual([
        { path: 'password', message: 'Password must be at least 8 characters' },
      ]);
      expect((await register(host(), newEmail(), '12345678')).status).toBe(201);
      expect((await register(host(), newEmail(), 'p'.repeat(200))).status).toBe(201);
      const long = await register(host(), newEmail(), 'p'.repeat(201));
      expectError(long, 400, 'invalid_request');
      expect(long.body.error.message).toMatch(/^Invalid request: password: [^;]+$/);
    });

    test('R11 the characters of a password are code points, as received', async () => {
      const statusOf = async (password: string): Promise<number> =>
        (await register(host(), newEmail(), password)).status;
      expectError(
        await register(host(), newEmail(), EMOJI.repeat(4)),
        400,
        'invalid_request',
        SHORT,
      );
      expect(await statusOf(EMOJI.repeat(8))).toBe(201);
      expect(await statusOf(EMOJI.repeat(200))).toBe(201);
      expect(await statusOf(EMOJI.repeat(201))).toBe(400);
      expect(await statusOf(DECOMPOSED.repeat(8))).toBe(201);
      // 4 and 101 characters only after composition.
      expect(await statusOf(DECOMPOSED.repeat(4))).toBe(201);
      expect(await statusOf(DECOMPOSED.repeat(101))).toBe(400);
    });

    test('R12 a password is neither trimmed nor cut', async () => {
      const other: readonly (readonly [password: string, wrong: string])[] = [
        ['  spaces  ', 'spaces'],
        ['nul\0in the middle', 'nul'],
        ['\ttab and line\n', '\ttab and line'],
        [' '.repeat(8), ' '.repeat(9)],
        [`${'x'.repeat(199)}a`, `${'x'.repeat(199)}b`],
      ];
      for (const [password, wrong] of other) {
        const email = newEmail();
        expect((await register(host(), email, password)).status).toBe(201);
        expect((await login(host(), email, password)).status).toBe(200);
        expectError(await login(host(), email, wrong), 401, 'invalid_credentials');
      }
    });

    test('R13 composed and decomposed forms of a password are the same', async () => {
      const password = 'pässwörd é';
      for (const [stored, sent] of [
        ['NFC', 'NFD'],
        ['NFD', 'NFC'],
      ] as const) {
        const email = newEmail();
        expect((await register(host(), email, password.normalize(stored))).status).toBe(201);
        expect((await login(host(), email, password.normalize(sent))).status).toBe(200);
      }
    });

    test('R14 a password with half a surrogate pair is refused', async () => {
      for (const password of ['\uD800'.repeat(8), 'long enough \uDC00']) {
        const reply = await register(host(), newEmail(), password);
        expectError(reply, 400, 'invalid_request');
        expect(reply.body.error.issues?.map(({ path }) => path)).toEqual(['password']);
      }
    });

    test('R15 fields that are not strings are refused, one issue each, in the order of the fields', async () => {
      for (const value of NO_STRINGS) {
        const both = await post(host(), '/register', { email: value, password: value });
        expectError(both, 400, 'invalid_request', `Invalid request: ${NO_STRING_ISSUES}`);
        // The order is that of the fields, not that of the body.
        const swapped = await post(host(), '/register', { password: value, email: value });
        expect(swapped.body.error.issues?.map(({ path }) => path)).toEqual(['email', 'password']);
        for (const [email, password, path] of [
          [value, PASSWORD, 'email'],
          [newEmail(), value, 'password'],
        ] as const) {
          const reply = await post(host(), '/register', { email, password });
          expectError(reply, 400, 'invalid_request');
          expect(reply.body.error.issues?.map((issue) => issue.path)).toEqual([path]);
        }
      }
    });

    test('R16 unknown keys are ignored', async () => {
      const email = newEmail();
      const extra =
        '"id":987654321,"role":"admin","created_at":"2000-01-01T00:00:00.000Z","token_version":7,' +
        '"password_hash":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}';
      const body = `{${extra},"email":"${email}","password":"${PASSWORD}"}`;
      const reply = await post(host(), '/register', body);
      expect(reply.status).toBe(201);
      const { user, token } = reply.body;
      expect(user.id).not.toBe(987_654_321);
      expect(user.created_at.startsWith('2000')).toBe(false);
      expect(user).toEqual({ id: user.id, email, created_at: user.created_at });
      expect((await me(host(), token)).body).toEqual({ user });
      expect((await login(host(), email)).status).toBe(200);
      const prototype = `{"__proto__":{"email":"${newEmail()}","password":"${PASSWORD}"}}`;
      expectError(await post(host(), '/register', prototype), 400, 'invalid_request');
    });

    test('R17 of a duplicate key the last value is checked and stored', async () => {
      const [first, last] = [newEmail(), newEmail()];
      const body = (one: string, two: string): string =>
        `{"email":"${one}","password":"short","email":"${two}","password":"${PASSWORD}"}`;
      expectError(
        await post(host(), '/register', body(first, 'no address')),
        400,
        'invalid_request',
      );
      const reply = await post(host(), '/register', body(first, last));
      expect([reply.status, reply.body.user.email]).toEqual([201, last]);
      expect((await login(host(), last)).status).toBe(200);
      expectError(await login(host(), first), 401, 'invalid_credentials');
    });

    test('R18 a body is checked before its address is looked up', async () => {
      const { user } = await createAccount(host());
      expectError(await register(host(), user.email, 'short'), 400, 'invalid_request', SHORT);
    });

    test('R19 of fifty registrations of an address at once one succeeds', async () => {
      const email = newEmail();
      const replies = await Promise.all(Array.from({ length: 50 }, () => register(host(), email)));
      const refused = replies.filter(({ status }) => status !== 201);
      expect(refused).toHaveLength(49);
      for (const reply of refused) expectError(reply, 409, 'email_taken');
      const rows = await host().query(`SELECT id FROM users WHERE email = ${quote(email)}`);
      expect(rows).toHaveLength(1);
    });

    test.skipIf(traits.refusesStart)(
      'R20 a registration that fails because the secret is missing leaves no row',
      async () => {
        await withHost(startHost, { NODE_ENV: 'production' }, async (broken) => {
          expect((await register(broken)).status).toBe(500);
          expect(await broken.query('SELECT id FROM users')).toEqual([]);
        });
      },
    );

    test('R21 by default every password of 8 to 200 characters is accepted, common ones too', async () => {
      const common = dictionary['passwords-common'].filter(({ length }) => length >= 8);
      const any = fc.string({ unit: 'binary', minLength: 8, maxLength: 200 });
      await fc.assert(
        fc.asyncProperty(fc.oneof(fc.constantFrom(...common), any), async (password) => {
          const email = newEmail();
          expect((await register(host(), email, password)).status).toBe(201);
          expect((await login(host(), email, password)).status).toBe(200);
        }),
      );
    });
  });
}
