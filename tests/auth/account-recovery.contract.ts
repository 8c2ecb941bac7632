// Rows V1 to V14 of the account API: password reset and e-mail verification.

// oxlint-disable vitest/expect-expect -- expectError() does

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
  type Reply,
  SECRET,
  send,
  withHost,
} from './account-request.contract.ts';
import type { AccountHost } from './account-host-fixture.ts';

interface Mail {
  readonly to: string;
  readonly purpose: string;
  readonly token: string;
  readonly link: string;
  readonly expiresAt: string;
  readonly subject: string;
  readonly text: string;
}

const NEXT = 'battery staple';
const CONFIRM_RESET = '/password-reset/confirm';
const CONFIRM_ADDRESS = '/verification/confirm';

export function describeRecovery({ host, startHost, traits }: Contract): void {
  const ask = (method: string, path: string, token: string): Promise<Reply> =>
    send(host().url + path, { method, headers: ['Authorization', `Bearer ${token}`] });
  const askReset = (email: unknown): Promise<Reply> => post(host(), '/password-reset', { email });
  const reset = (token: unknown, password: unknown = NEXT): Promise<Reply> =>
    post(host(), CONFIRM_RESET, { token, new_password: password });
  const expectRefused = (reply: Reply): void =>
    expectError(reply, 400, 'invalid_recovery_token', 'Invalid or expired recovery token');
  const resetToken = async (email: string): Promise<string> => {
    expect((await askReset(email)).status).toBe(202);
    return (await lastMail(host(), email)).token;
  };
  const verificationToken = async (email: string, session: string): Promise<string> => {
    expect((await ask('POST', '/verification', session)).status).toBe(202);
    return (await lastMail(host(), email)).token;
  };
  const verifiedAt = async (session: string): Promise<unknown> => {
    const { body } = await ask('GET', '/verification', session);
    return (body.user as unknown as { readonly email_verified_at: unknown }).email_verified_at;
  };

  describe.skipIf(!traits.hasRecovery)('recovery', () => {
    test('V1 a reset replaces the password, ends all sessions and verifies the address', async () => {
      const { user, token } = await createAccount(host());
      const second = (await login(host(), user.email)).body.token;
      const reply = await reset(await resetToken(user.email));
      expect([reply.status, reply.text]).toEqual([204, '']);
      for (const old of [token, second]) expectError(await me(host(), old), 401, 'invalid_token');
      expectError(await login(host(), user.email), 401, 'invalid_credentials');
      const fresh = await login(host(), user.email, NEXT);
      expect(fresh.status).toBe(200);
      expect(await verifiedAt(fresh.body.token)).toMatch(/^\d{4}-\d\d-\d\dT[\d:]+\.000Z$/);
    });

    test('V2 the mail has the token, a link and the time of its expiry', async () => {
      const { user } = await createAccount(host());
      const before = Date.now();
      await resetToken(user.email);
      const mail = await lastMail(host(), user.email);
      expect(mail).toEqual({
        to: user.email,
        purpose: 'password_reset',
        token: expect.stringMatching(/^[\w-]{43}$/),
        link: `https://app.example.com/reset-password?token=${mail.token}`,
        expiresAt: expect.stringMatching(/Z$/),
        subject: 'Reset your password',
        text: expect.stringContaining(mail.link),
      });
      const seconds = (Date.parse(mail.expiresAt) - before) / 1000;
      expect(seconds).toBeGreaterThan(1790);
      expect(seconds).toBeLessThan(1860);
    });

    test('V3 the answer is the same whether the account exists', async () => {
      const { user } = await createAccount(host());
      const unknown = newEmail();
      const replies = [await askReset(user.email), await askReset(unknown)];
      const comparable = replies.map(({ status, text, headers }) => {
        const { date: _date, 'x-request-id': _id, ...others } = headers;
        return { status, text, headers: others };
      });
      expect(comparable[0]).toEqual(comparable[1]);
      expect(replies[0]).toMatchObject({ status: 202, text: '{"accepted":true}' });
      expect((await mailsOf(host())).filter(({ to }) => to === unknown)).toEqual([]);
    });

    test('V4 the address is normalised as in a registration', async () => {
      const { user } = await createAccount(host());
      expect((await askReset(`  ${user.email.toUpperCase()} \n`)).status).toBe(202);
      expect((await lastMail(host(), user.email)).purpose).toBe('password_reset');
    });

    test('V5 bad bodies are refused, with the texts of the other routes', async () => {
      const issues: readonly (readonly [path: string, body: unknown, text: string])[] = [
        ['/password-reset', {}, 'email: Email must be a string'],
        ['/password-reset', { email: 'nobody' }, 'email: Email must be a valid email address'],
        [
          '/password-reset',
          { email: `a@x.co\r\nBcc: b@x.co` },
          'email: Email must be a valid email address',
        ],
        ['/password-reset', [], 'body: Expected a JSON object'],
        [
          CONFIRM_RESET,
          {},
          'token: Token must be a string; new_password: Password must be a string',
        ],
        [
          CONFIRM_RESET,
          { token: 'x', new_password: '1234567' },
          'new_password: Password must be at least 8 characters',
        ],
        [CONFIRM_ADDRESS, { token: null }, 'token: Token must be a string'],
        [CONFIRM_ADDRESS, 'null', 'body: Expected a JSON object'],
      ];
      for (const [path, body, text] of issues)
        expectError(
          await post(host(), path, body),
          400,
          'invalid_request',
          `Invalid request: ${text}`,
        );
      for (const path of ['/password-reset', CONFIRM_RESET, CONFIRM_ADDRESS]) {
        expectError(await post(host(), path, '{'), 400, 'invalid_json', 'Invalid JSON body');
        expectError(await post(host(), path, ' '.repeat(20_000)), 413, 'payload_too_large');
        expectError(await ask('PUT', path, 'x'), 405, 'method_not_allowed');
      }
    });

    test('V6 a token works once, whatever the attempts at the same time', async () => {
      const { user } = await createAccount(host());
      const token = await resetToken(user.email);
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) => reset(token, `password number ${index}`)),
      );
      const winner = replies.findIndex(({ status }) => status === 204);
      expect(replies.filter(({ status }) => status === 204)).toHaveLength(1);
      for (const reply of replies) if (reply.status !== 204) expectRefused(reply);
      expect((await login(host(), user.email, `password number ${winner}`)).status).toBe(200);
      expectRefused(await reset(token));
    });

    test('V7 changed tokens are refused, and do no harm to the right one', async () => {
      const { user } = await createAccount(host());
      const token = await resetToken(user.email);
      for (let index = 0; index < token.length; index += 6) {
        const other = token[index] === 'A' ? 'B' : 'A';
        expectRefused(await reset(token.slice(0, index) + other + token.slice(index + 1)));
      }
      for (const text of ['', `${token}A`, ` ${token}`, token.slice(1), "' OR 1=1 --", '\0'])
        expectRefused(await reset(text));
      expect((await reset(token)).status).toBe(204);
    });

    test('V8 a token is for its purpose only', async () => {
      const { user, token } = await createAccount(host());
      const verification = await verificationToken(user.email, token);
      expectRefused(await reset(verification));
      const password = await resetToken(user.email);
      expectRefused(await post(host(), CONFIRM_ADDRESS, { token: password }));
      expect((await post(host(), CONFIRM_ADDRESS, { token: verification })).status).toBe(204);
      expect((await reset(password)).status).toBe(204);
    });

    test('V9 an expired token is refused', async () => {
      const { user } = await createAccount(host());
      const token = await resetToken(user.email);
      const now = Math.floor(Date.now() / 1000);
      await host().query(
        `UPDATE account_recovery_tokens SET expires_at = ${now} WHERE user_id = ${user.id}`,
      );
      expectRefused(await reset(token));
      expect((await login(host(), user.email)).status).toBe(200);
    });

    test('V10 an account has three open tokens: a fourth replaces the oldest', async () => {
      const { user } = await createAccount(host());
      const tokens: string[] = [];
      for (let count = 0; count < 4; count++) tokens.push(await resetToken(user.email));
      expectRefused(await reset(tokens[0]));
      expect((await reset(tokens[1])).status).toBe(204);
      for (const token of tokens) expectRefused(await reset(token));
    });

    test('V11 another password voids an open reset', async () => {
      const { user, token } = await createAccount(host());
      const open = await resetToken(user.email);
      const headers = ['Content-Type', 'application/json', 'Authorization', `Bearer ${token}`];
      const body = { current_password: PASSWORD, new_password: `${PASSWORD}!` };
      expect((await post(host(), '/password', body, headers)).status).toBe(200);
      expectRefused(await reset(open));
    });

    test('V12 an address is verified by the token of its mail, and sessions live on', async () => {
      const { user, token } = await createAccount(host());
      const verified = (): Promise<Reply> =>
        send(`${host().origin}/verified`, { headers: ['Authorization', `Bearer ${token}`] });
      const shown = await ask('GET', '/verification', token);
      expect(shown.body).toEqual({ user: { ...user, email_verified_at: null } });
      expectError(await verified(), 403, 'email_not_verified');
      const mailed = await verificationToken(user.email, token);
      expect((await post(host(), CONFIRM_ADDRESS, { token: mailed })).status).toBe(204);
      expectRefused(await post(host(), CONFIRM_ADDRESS, { token: mailed }));
      expect(await verifiedAt(token)).toEqual(expect.any(String));
      expect((await verified()).body).toEqual({ user: { id: user.id, email: user.email } });
      expect((await me(host(), token)).body).toEqual({ user });
      const another = newEmail();
      await host().query(`UPDATE users SET email = '${another}' WHERE id = ${user.id}`);
      expect(await verifiedAt(token)).toBeNull();
    });

    test('V13 the storage has no token, and the log neither', async () => {
      const { user, token } = await createAccount(host());
      const tokens = [await resetToken(user.email), await verificationToken(user.email, token)];
      // pg gives BIGINT as a string.
      const rows = await host().query('SELECT * FROM account_recovery_tokens');
      expect(rows.filter((row) => Number(row['user_id']) === user.id)).toHaveLength(2);
      for (const each of tokens) {
        expect(JSON.stringify(rows)).not.toContain(each);
        expect(host().output()).not.toContain(each);
      }
    });

    test('V14 in production mails are limited by account, registered or not, apart from logins', async () => {
      const env = { NODE_ENV: 'production', JWT_SECRET: SECRET };
      await withHost(startHost, env, async (limited) => {
        const { user } = await createAccount(limited);
        for (const email of [user.email, newEmail()]) {
          const statuses: number[] = [];
          for (let count = 0; count < 3; count++)
            statuses.push((await post(limited, '/password-reset', { email })).status);
          expect(statuses).toEqual([202, 202, 202]);
          const reply = await post(limited, '/password-reset', { email });
          expectError(reply, 429, 'rate_limited');
          expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/);
        }
        expect((await login(limited, user.email)).status).toBe(200);
      });
    });
  });
}

async function mailsOf(host: AccountHost): Promise<readonly Mail[]> {
  return JSON.parse((await send(`${host.origin}/mails`)).text) as readonly Mail[];
}

async function lastMail(host: AccountHost, to: string): Promise<Mail> {
  const mail = (await mailsOf(host)).findLast((each) => each.to === to);
  if (mail === undefined) throw new Error(`No mail was sent to ${to}`);
  return mail;
}
