// Rows K1 to K5 of the account API: sessions in a cookie, and second factors.

// oxlint-disable vitest/expect-expect -- expectError() does

import { describe, expect, test } from 'vitest';
import {
  type Contract,
  expectError,
  newEmail,
  PASSWORD,
  post,
  type Reply,
  send,
} from './account-request.contract.ts';

const OWN = ['Sec-Fetch-Site', 'same-origin'];

export function describeCookies({ host, startHost, traits }: Contract): void {
  const ask = (path: string, body: object, ...headers: string[]): Promise<Reply> =>
    post(host(), path, body, ['X-Session', 'cookie', ...headers]);
  const cookieOf = ({ headers }: Reply): string => headers['set-cookie']?.join() ?? '';
  const begin = async (email = newEmail()): Promise<[pair: string, reply: Reply]> => {
    const reply = await ask('/register', { email, password: PASSWORD }, ...OWN);
    expect(reply.status, reply.text).toBe(201);
    return [cookieOf(reply).split(';')[0] ?? '', reply];
  };
  const by = (method: string, path: string, ...headers: string[]): Promise<Reply> =>
    send(host().url + path, { method, headers });

  describe.skipIf(!traits.hasCookies)('cookies', () => {
    test('K1 a page gets the token as a cookie that scripts cannot read, and not in the body', async () => {
      const [pair, reply] = await begin();
      expect(Object.keys(reply.body)).toEqual(['user']);
      expect(cookieOf(reply)).toMatch(
        /^(__Host-)?auth_session=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+(?:; Secure)?$/,
      );
      expect((await by('GET', '/me', 'Cookie', pair)).body.user).toEqual(reply.body.user);
      const login = await ask('/login', { email: reply.body.user.email, password: PASSWORD });
      expectError(login, 403, 'cross_origin');
    });

    test('K2 what changes something needs the own origin', async () => {
      const [pair] = await begin();
      const { host: name } = new URL(host().url);
      for (const foreign of [
        [],
        ['Origin', 'https://evil.example'],
        ['Origin', 'null'],
        ['Origin', `http://${name}.evil.example`],
        ['Origin', `http://${name}`, 'Sec-Fetch-Site', 'cross-site'],
        ['Sec-Fetch-Site', 'same-site'],
      ]) {
        const reply = await by('POST', '/logout', 'Cookie', pair, ...foreign);
        expectError(reply, 403, 'cross_origin');
      }
      expect((await by('GET', '/me', 'Cookie', pair)).status).toBe(200);
      const out = await by('POST', '/logout', 'Cookie', pair, 'Origin', `http://${name}`);
      expect([out.status, cookieOf(out)]).toEqual([
        204,
        expect.stringMatching(/auth_session=;.*Max-Age=0/),
      ]);
      expectError(await by('GET', '/me', 'Cookie', pair), 401, 'invalid_token');
    });

    test('K3 a bearer token goes first, and a damaged cookie is a bad token', async () => {
      const [pair] = await begin();
      const bearer = await by('GET', '/me', 'Cookie', pair, 'Authorization', 'Bearer a.b.c');
      expectError(bearer, 401, 'invalid_token');
      expectError(await by('GET', '/me', 'Cookie', `${pair}x`), 401, 'invalid_token');
      const [name = ''] = pair.split('=');
      expectError(await by('GET', '/me', 'Cookie', `${name}=`), 401, 'missing_token');
    });

    test('K4 requireAuth of an application takes the cookie', async () => {
      const app = await startHost({ NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32) });
      try {
        const body = { email: newEmail(), password: PASSWORD };
        const reply = await post(app, '/register', body, ['X-Session', 'cookie', ...OWN]);
        const [pair = ''] = cookieOf(reply).split(';');
        expect(cookieOf(reply)).toMatch(/^__Host-auth_session=.*; Secure$/);
        if (traits.isService) return;
        const seen = await send(`${app.origin}/private`, { headers: ['Cookie', pair] });
        expect([seen.status, seen.body.user.email]).toEqual([200, body.email]);
      } finally {
        await app.stop();
      }
    });
  });

  describe.skipIf(!traits.hasRecovery)('second factors', () => {
    test('K5 a password alone gives a challenge, which works once and is no token', async () => {
      const [pair, { body }] = await begin();
      await post(host(), '/factor', { user: body.user.id });
      const login = { email: body.user.email, password: PASSWORD };
      const asked = await ask('/login', login, ...OWN);
      const { challenge, secondFactor } = asked.body as unknown as Record<string, string>;
      expect([asked.status, secondFactor, cookieOf(asked)]).toEqual([200, ['test'], '']);
      const asToken = await by('GET', '/me', 'Authorization', `Bearer ${challenge}`);
      expectError(asToken, 401, 'invalid_token');
      const done = await ask('/factor', { challenge }, ...OWN);
      expect([done.status, Object.keys(done.body)]).toEqual([200, ['user']]);
      const [next = ''] = cookieOf(done).split(';');
      expect((await by('GET', '/me', 'Cookie', next)).status).toBe(200);
      expectError(await ask('/factor', { challenge }, ...OWN), 401, 'invalid_token');
      // The sessions of before stay.
      expect((await by('GET', '/me', 'Cookie', pair)).status).toBe(200);
    });
  });
}
