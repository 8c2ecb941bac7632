// Rows S1 to S7 of the account API: the list of sessions, and the end of a single one.

// oxlint-disable vitest/expect-expect -- expectError() does

import { describe, expect, test } from 'vitest';
import {
  type Contract,
  createAccount,
  expectError,
  login,
  me,
  PASSWORD,
  post,
  readToken,
  type Reply,
  send,
} from './account-request.contract.ts';

interface Session {
  readonly id: string;
  readonly device: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly current: boolean;
}

export function describeSessions({ host, traits }: Contract): void {
  const ask = (method: string, path: string, token: string): Promise<Reply> =>
    send(host().url + path, { method, headers: ['Authorization', `Bearer ${token}`] });
  const list = async (token: string): Promise<readonly Session[]> => {
    const reply = await ask('GET', '/sessions', token);
    expect(reply.status, reply.text).toBe(200);
    return (reply.body as unknown as { readonly sessions: readonly Session[] }).sessions;
  };
  const idOf = (token: string): string => String(readToken(token)[1]['jti']);
  const isOpen = async (token: string): Promise<boolean> =>
    (await me(host(), token)).status === 200;
  const loginAs = async (email: string, userAgent: string): Promise<string> => {
    const headers = ['Content-Type', 'application/json', 'User-Agent', userAgent];
    return (await post(host(), '/login', { email, password: PASSWORD }, headers)).body.token;
  };

  describe.skipIf(!traits.hasSessions)('sessions', () => {
    test('S1 the list has each login with its device and times, newest first', async () => {
      const { user, token } = await createAccount(host());
      const second = await loginAs(user.email, 'Browser/1.0 (Device)');
      const sessions = await list(second);
      expect(sessions).toHaveLength(2);
      expect(sessions.find(({ current }) => current)).toEqual({
        id: idOf(second),
        device: 'Browser/1.0 (Device)',
        created_at: new Date(Number(readToken(second)[1]['iat']) * 1000).toISOString(),
        expires_at: new Date(Number(readToken(second)[1]['exp']) * 1000).toISOString(),
        current: true,
      });
      expect(sessions.find(({ current }) => !current)).toMatchObject({ id: idOf(token) });
      const times = sessions.map(({ created_at }) => created_at);
      expect(times).toEqual(times.toSorted().toReversed());
    });

    test('S2 a device is one line of at most 200 characters', async () => {
      const { user } = await createAccount(host());
      const long = await loginAs(user.email, `\t${'x'.repeat(3000)}`);
      expect((await list(long)).find(({ current }) => current)?.device).toBe('x'.repeat(200));
      const odd = await loginAs(user.email, 'a\tb\t\tc');
      expect((await list(odd)).find(({ current }) => current)?.device).toBe('a b c');
    });

    test('S3 the end of a session refuses its token at once, and no other', async () => {
      const { user, token } = await createAccount(host());
      const second = (await login(host(), user.email)).body.token;
      const reply = await ask('DELETE', `/sessions/${idOf(token)}`, second);
      expect([reply.status, reply.text]).toEqual([204, '']);
      expect([await isOpen(token), await isOpen(second)]).toEqual([false, true]);
      expect((await list(second)).map(({ id }) => id)).toEqual([idOf(second)]);
      expectError(
        await ask('DELETE', `/sessions/${idOf(token)}`, second),
        404,
        'session_not_found',
        'Session not found',
      );
    });

    test('S4 the end of the current session is a logout', async () => {
      const { token } = await createAccount(host());
      expect((await ask('DELETE', `/sessions/${idOf(token)}`, token)).status).toBe(204);
      expect(await isOpen(token)).toBe(false);
    });

    test('S5 sessions of others are not found, and stay open', async () => {
      const [mine, other] = [await createAccount(host()), await createAccount(host())];
      const ids = [
        idOf(other.token),
        'x',
        '%',
        '%00',
        '%E0%A4%A',
        "'%20OR%201=1--",
        'x'.repeat(4000),
      ];
      for (const id of ids) {
        expectError(await ask('DELETE', `/sessions/${id}`, mine.token), 404, 'session_not_found');
      }
      expect([await isOpen(mine.token), await isOpen(other.token)]).toEqual([true, true]);
    });

    test('S6 logout, logout-all and another password are seen in the list', async () => {
      const { user, token } = await createAccount(host());
      const second = (await login(host(), user.email)).body.token;
      const third = (await login(host(), user.email)).body.token;
      await ask('POST', '/logout', second);
      expect(await list(token)).toHaveLength(2);
      const headers = ['Content-Type', 'application/json', 'Authorization', `Bearer ${third}`];
      const body = { current_password: PASSWORD, new_password: `${PASSWORD}!` };
      const fourth = (await post(host(), '/password', body, headers)).body.token;
      expect((await list(fourth)).map(({ id }) => id)).toEqual([idOf(fourth)]);
      await ask('POST', '/logout-all', fourth);
      expectError(await ask('GET', '/sessions', fourth), 401, 'invalid_token');
    });

    test('S7 both routes require a token, and refuse other methods', async () => {
      expectError(await send(`${host().url}/sessions`), 401, 'missing_token');
      expectError(
        await send(`${host().url}/sessions/x`, { method: 'DELETE' }),
        401,
        'missing_token',
      );
      expectError(await ask('POST', '/sessions', 'x'), 405, 'method_not_allowed');
      expectError(await ask('GET', '/sessions/x', 'x'), 405, 'method_not_allowed');
    });
  });
}
