// Rows L1 to L10 of the account API: POST /login.

// oxlint-disable vitest/expect-expect -- expectError() and expectInvalidToken() do

import { randomBytes, scryptSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type Contract,
  createAccount,
  expectError,
  login,
  newEmail,
  PASSWORD,
  post,
  quote,
  type Reply,
} from './account-request.contract.ts';

const WRONG = 'a wrong password';
const REFUSED = 'Invalid email or password';
const SAMPLES = 4;

export function describeLogin({ host, hashingHost }: Contract): void {
  const readHash = async (email: string): Promise<string> => {
    const rows = await hashingHost().query(
      `SELECT password_hash FROM users WHERE email = ${quote(email)}`,
    );
    return String(rows[0]?.['password_hash']);
  };
  const writeHash = (email: string, hash: string) =>
    hashingHost().query(
      `UPDATE users SET password_hash = ${quote(hash)} WHERE email = ${quote(email)}`,
    );

  describe('POST /login', () => {
    test('L1 the right credentials get the user and a token', async () => {
      const { user } = await createAccount(hashingHost());
      for (const email of [user.email, ` \t${user.email.toUpperCase()}\u00A0`]) {
        const reply = await login(hashingHost(), email);
        expect(reply.status).toBe(200);
        expect(reply.body).toEqual({ user, token: expect.any(String) });
        expect(Object.keys(reply.body.user)).toEqual(['id', 'email', 'created_at']);
      }
    });

    test('L2 an unknown e-mail and a wrong password get the same answer', async () => {
      const { user } = await createAccount(hashingHost());
      // The service gives each request an id, unless it has one.
      const headers = ['Content-Type', 'application/json', 'X-Request-Id', 'a-request'];
      const ask = (email: string): Promise<Reply> =>
        post(hashingHost(), '/login', { email, password: WRONG }, headers);
      const replies = [await ask(user.email), await ask(newEmail())];
      for (const reply of replies) {
        expectError(reply, 401, 'invalid_credentials', REFUSED);
        delete reply.headers.date;
      }
      expect(replies[1]).toEqual(replies[0]);
    });

    test('L3 neither the form of the e-mail nor the length of the password matters', async () => {
      const { user } = await createAccount(host());
      for (const email of ['not-an-email', '', 'a'.repeat(10_000), 'a\0b@x.co', '\uD800@x.co'])
        expectError(await login(host(), email), 401, 'invalid_credentials', REFUSED);
      for (const password of ['', 'p', 'p'.repeat(5000), '\uD800'.repeat(8)])
        expectError(await login(host(), user.email, password), 401, 'invalid_credentials', REFUSED);
    });

    test('L4 fields that are not strings are refused', async () => {
      for (const value of [undefined, null, 1, [], ['a@x.co'], { $ne: null }, true]) {
        for (const body of [
          { email: value, password: PASSWORD },
          { email: 'a@x.co', password: value },
          { email: value, password: value },
        ]) {
          const reply = await post(host(), '/login', body);
          expectError(reply, 400, 'invalid_request');
          expect(reply.body.error.message).toMatch(/^Invalid request: (?:email|password): /);
        }
      }
    });

    test('L5 a body that is no object is refused as a whole', async () => {
      for (const body of ['[]', 'null', '"s"', '1', 'true', '[{"email":"a@x.co"}]']) {
        const reply = await post(host(), '/login', body);
        expectError(reply, 400, 'invalid_request');
        expect(reply.body.error.message).toMatch(/^Invalid request: body: [^;]+$/);
        expect(reply.body.error.issues?.map(({ path }) => path)).toEqual(['body']);
      }
    });

    test('L6 an e-mail is never SQL', async () => {
      const { user } = await createAccount(host());
      for (const email of ["' OR '1'='1", `${user.email}' --`, "'; DROP TABLE users; --", '%', '"'])
        expectError(await login(host(), email), 401, 'invalid_credentials', REFUSED);
      expect((await login(host(), user.email)).status).toBe(200);
    });

    // Response times prove nothing on a busy machine; the processor time of the process does.
    test.runIf(existsSync('/proc/self/stat'))(
      'L7 an unknown e-mail takes as much of the processor as a wrong password, within a factor of two',
      async () => {
        const { user } = await createAccount(hashingHost());
        const measure = async (email: () => string): Promise<number> => {
          const before = readCpuTicks(hashingHost().pid);
          for (let index = 0; index < SAMPLES; index++)
            expect((await login(hashingHost(), email(), WRONG)).status).toBe(401);
          return readCpuTicks(hashingHost().pid) - before;
        };
        const known = await measure(() => user.email);
        const unknown = await measure(newEmail);
        expect(unknown).toBeGreaterThan(known / 2);
        expect(unknown).toBeLessThan(known * 2);
      },
    );

    test('L8 a hash of earlier parameters is replaced, by a successful login only', async () => {
      const { user } = await createAccount(hashingHost());
      const current = await readHash(user.email);
      const old = hashAsFormerly(PASSWORD);
      await writeHash(user.email, old);
      expectError(await login(hashingHost(), user.email, WRONG), 401, 'invalid_credentials');
      expect(await readHash(user.email)).toBe(old);
      const replies = await Promise.all([1, 2, 3].map(() => login(hashingHost(), user.email)));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
      const replaced = await readHash(user.email);
      expect(parametersOf(replaced)).toBe(parametersOf(current));
      expect((await login(hashingHost(), user.email)).status).toBe(200);
      expect(await readHash(user.email)).toBe(replaced);
    });

    test('L9 a stored hash that is damaged or asks for too much is refused, with an error in the log', async () => {
      const { user } = await createAccount(hashingHost());
      const good = await readHash(user.email);
      const [, , , salt = '', key = ''] = good.split('$');
      for (const hash of [
        'no hash',
        '',
        '$2b$10$abcdefghijklmnopqrstuuW1Zc5pJ3YyqNq1Zc5pJ3YyqNq1Zc5pJ',
        `$scrypt$ln=24,r=8,p=1$${salt}$${key}`,
        `$scrypt$ln=15,r=99,p=3$${salt}$${key}`,
        `$scrypt$ln=15,r=8,p=99$${salt}$${key}`,
        // Its first 16 bytes would still be a key.
        good.slice(0, -30),
      ]) {
        await writeHash(user.email, hash);
        const before = hashingHost().output().length;
        expectError(await login(hashingHost(), user.email), 401, 'invalid_credentials', REFUSED);
        await expect
          .poll(() => hashingHost().output().slice(before))
          .toContain(`account ${user.id}`);
      }
      await writeHash(user.email, good);
      expect((await login(hashingHost(), user.email)).status).toBe(200);
    });

    test('L10 a password of 1 MB is too large', async () => {
      const { user } = await createAccount(host());
      for (const length of [100_000, 1_000_000]) {
        const reply = await login(host(), user.email, 'p'.repeat(length));
        expectError(reply, 413, 'payload_too_large');
      }
      expect((await login(host(), user.email)).status).toBe(200);
    });
  });
}

/** Time on the processor in user and system mode (proc(5)). */
function readCpuTicks(pid: number): number {
  // The second field is a name that may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

function hashAsFormerly(password: string): string {
  const salt = randomBytes(16);
  const key = scryptSync(password, salt, 32, { N: 2 ** 14, r: 8, p: 1 });
  const encode = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
  return `$scrypt$ln=14,r=8,p=1$${encode(salt)}$${encode(key)}`;
}

function parametersOf(hash: string): string | undefined {
  return hash.split('$')[2];
}
