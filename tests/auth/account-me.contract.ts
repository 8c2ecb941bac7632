// Rows M1 to M5 and A1 to A5 of the account API: GET /me, and routes behind `requireAuth`.

// oxlint-disable vitest/expect-expect -- expectError() and expectInvalidToken() do

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AccountHost } from './account-host-fixture.ts';
import {
  type Contract,
  createAccount,
  expectError,
  expectInvalidToken,
  forge,
  login,
  me,
  newEmail,
  PASSWORD,
  register,
  type Reply,
  SECRET,
  send,
  type User,
  withHost,
} from './account-request.contract.ts';

const GONE = 'Account no longer exists';

export function describeMe({ host, startHost, traits }: Contract): void {
  const deleteAccount = (from: AccountHost, { id }: User) =>
    from.query(`DELETE FROM users WHERE id = ${id}`);

  describe('GET /me', () => {
    test('M1 the user is read fresh from the storage', async () => {
      const { user, token } = await createAccount(host());
      const first = await me(host(), token);
      expect([first.status, first.body]).toEqual([200, { user }]);
      const email = newEmail();
      await host().query(`UPDATE users SET email = '${email}' WHERE id = ${user.id}`);
      expect((await me(host(), token)).body).toEqual({ user: { ...user, email } });
    });

    test('M2 the token of a deleted account is refused', async () => {
      const { user, token } = await createAccount(host());
      await deleteAccount(host(), user);
      expectError(await me(host(), token), 401, 'account_gone', GONE);
    });

    test('M3 the token of a deleted account is not that of the next account', async () => {
      const gone = await createAccount(host());
      await deleteAccount(host(), gone.user);
      const next = await createAccount(host());
      expect(next.user.id).not.toBe(gone.user.id);
      expectError(await me(host(), gone.token), 401, 'account_gone', GONE);
      // Nor the same person's who comes back.
      expect((await register(host(), gone.user.email)).status).toBe(201);
      expectError(await me(host(), gone.token), 401, 'account_gone', GONE);
    });

    test('M4 a correctly signed token for an account that never existed is refused', async () => {
      const { user, token } = await createAccount(host());
      for (const sub of [user.id + 1_000_000, Number.MAX_SAFE_INTEGER])
        expectError(
          await me(host(), forge(token, { sub: String(sub) })),
          401,
          'account_gone',
          GONE,
        );
    });

    test('M5 a subject that is no account id in its one spelling is refused', async () => {
      const { user, token } = await createAccount(host());
      const { id } = user;
      for (const sub of [
        '1e0',
        '01',
        '1 ',
        '9007199254740993',
        '',
        '0',
        '-1',
        '0x1',
        '1.0',
        '١',
        'null',
        `${id}e0`,
        `0${id}`,
        `${id} `,
        ` ${id}`,
        `+${id}`,
        `${id}.0`,
        `${id}\n`,
        `-${id}`,
        id,
        id + 0.5,
        -id,
        1.5,
        -1,
        {},
        [String(id)],
        null,
        true,
        undefined,
      ])
        expectInvalidToken(await me(host(), forge(token, { sub })));
    });
  });

  describe('requireAuth, in an app of a user', () => {
    let app: AccountHost;
    beforeAll(async () => {
      app = await traits.startApp({ NODE_ENV: 'test', JWT_SECRET: SECRET });
    });
    afterAll(() => app?.stop());

    const askPrivate = (token?: string): Promise<Reply> =>
      send(`${app.origin}/private`, {
        headers: token === undefined ? [] : ['Authorization', `Bearer ${token}`],
      });
    const read = ({ body }: Reply) => body as Reply['body'] & { local: unknown; calls: number };

    test('A1 the handler sees id and e-mail', async () => {
      const { user, token } = await createAccount(app);
      const reply = await askPrivate(token);
      expect(reply.status).toBe(200);
      expect(read(reply).user).toEqual({ id: user.id, email: user.email });
      expect(read(reply).local).toEqual({ id: user.id, email: user.email });
    });

    test('A2 without a valid token the handler is not called', async () => {
      const { token } = await createAccount(app);
      const { calls } = read(await askPrivate(token));
      expectError(await askPrivate(), 401, 'missing_token', 'Missing bearer token');
      expectInvalidToken(await askPrivate(`${token.slice(0, -4)}AAAA`));
      expectInvalidToken(await askPrivate('nonsense'));
      expect(read(await askPrivate(token)).calls).toBe(calls + 1);
    });

    test('A3 after the account is deleted the handler is not called', async () => {
      const { user, token } = await createAccount(app);
      const other = await createAccount(app);
      const { calls } = read(await askPrivate(other.token));
      await deleteAccount(app, user);
      expectError(await askPrivate(token), 401, 'account_gone', GONE);
      expect(read(await askPrivate(other.token)).calls).toBe(calls + 1);
    });

    const places = traits.hasBodyParser
      ? 'at two places, and behind a body parser'
      : 'at two places (this app has no body parser)';
    test(`A4 the routes work ${places}`, async () => {
      const email = newEmail();
      const json = ['Content-Type', 'application/json'];
      const prefixes = ['/auth', '/v2/accounts', ...(traits.hasBodyParser ? ['/parsed'] : [])];
      expect((await register(app, email)).status).toBe(201);
      for (const prefix of prefixes) {
        const url = app.origin + prefix;
        const body = JSON.stringify({ email, password: PASSWORD });
        const sent = { method: 'POST', headers: json, body };
        expectError(await send(`${url}/register`, sent), 409, 'email_taken');
        const reply = await send(`${url}/login`, sent);
        expect([reply.status, reply.body.user.email]).toEqual([200, email]);
        const headers = ['Authorization', `Bearer ${reply.body.token}`];
        expect((await send(`${url}/me`, { headers })).status).toBe(200);
        const wrong = { ...sent, body: JSON.stringify({ email }) };
        expectError(await send(`${url}/login`, wrong), 400, 'invalid_request');
        const created = {
          ...sent,
          body: JSON.stringify({ email: newEmail(), password: PASSWORD }),
        };
        expect((await send(`${url}/register`, created)).status).toBe(201);
      }
    });

    test('A5 an error of the storage is a 500, and the process goes on', async () => {
      for (const start of new Set([startHost, traits.startApp])) {
        await withHost(start, { NODE_ENV: 'test', JWT_SECRET: SECRET }, async (broken) => {
          const { user, token } = await createAccount(broken);
          await broken.query('ALTER TABLE users RENAME TO elsewhere');
          for (const ask of [
            () => me(broken, token),
            () => login(broken, user.email),
            () => register(broken),
            ...(start === traits.startApp
              ? [
                  () =>
                    send(`${broken.origin}/private`, {
                      headers: ['Authorization', `Bearer ${token}`],
                    }),
                ]
              : []),
          ])
            expect((await ask()).status).toBe(500);
          expectError(await me(broken, 'nonsense'), 401, 'invalid_token');
          await broken.query('ALTER TABLE elsewhere RENAME TO users');
          expect((await login(broken, user.email)).status).toBe(200);
          expect((await me(broken, token)).status).toBe(200);
        });
      }
    });
  });
}
