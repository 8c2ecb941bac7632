// Rows X1 to X10 of the account API: bodies, headers, errors and logs, on every route.

// oxlint-disable vitest/expect-expect -- expectError() and expectInvalidToken() do

import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { AccountHost } from './account-host-fixture.ts';
import {
  answeredTokens,
  type Contract,
  createAccount,
  expectError,
  login,
  me,
  newEmail,
  PASSWORD,
  post,
  register,
  type Reply,
  SECRET,
  send,
  withHeaders,
  withHost,
} from './account-request.contract.ts';

const JSON_HEADER = ['Content-Type', 'application/json'];
const GZIP = [...JSON_HEADER, 'Content-Encoding', 'gzip'];
const MAX_BODY_BYTES = 16_384;
const POSTED = ['/register', '/login'];

export function describeTransport(contract: Contract): void {
  const { host, hashingHost, startHost, startHashingHost, traits } = contract;
  describe('transport', () => {
    test('X1 what is not JSON is refused', async () => {
      const gzipped = gzipSync('{"email":"a@x.co","password":"12345678"}');
      const bodies: readonly (readonly [body: string | Buffer, headers: readonly string[]])[] = [
        ...[
          '',
          ' ',
          '{',
          '{"email":"a@x.co",',
          '{"email":"a@x.co",}',
          '{}{}',
          "{'a':1}",
          'NaN',
        ].map((body) => [body, JSON_HEADER] as const),
        ['email=a%40x.co&password=12345678', ['Content-Type', 'application/x-www-form-urlencoded']],
        ['email=a%40x.co&password=12345678', JSON_HEADER],
        [Buffer.from([0x22, 0xff, 0xfe, 0x22]), JSON_HEADER],
        [Buffer.from('{"email":"\xe9@x.co","password":"12345678"}', 'latin1'), JSON_HEADER],
        [gzipped.subarray(0, 20), GZIP],
        ['{"email":"a@x.co","password":"12345678"}', GZIP],
        [gzipped, JSON_HEADER],
      ];
      for (const path of POSTED) {
        for (const [body, headers] of bodies)
          expectError(
            await post(host(), path, body, headers),
            400,
            'invalid_json',
            'Invalid JSON body',
          );
        const none = await send(host().url + path, { method: 'POST' });
        expectError(none, 400, 'invalid_json', 'Invalid JSON body');
      }
    });

    test('X2 JSON is accepted whatever the content type', async () => {
      const types = [undefined, 'text/plain', 'application/vnd.api+json', ';;', 'APPLICATION/JSON'];
      for (const type of types) {
        const headers = type === undefined ? [] : ['Content-Type', type];
        const body = { email: newEmail(), password: PASSWORD };
        expect((await post(host(), '/register', body, headers)).status, type).toBe(201);
      }
      const charset = ['Content-Type', 'application/json; charset=utf-8'];
      const gzipped = gzipSync(JSON.stringify({ email: newEmail(), password: PASSWORD }));
      const encoded = [...charset, 'Content-Encoding', 'gzip'];
      expect((await post(host(), '/register', gzipped, encoded)).status).toBe(201);
    });

    test('X3 a byte order mark is accepted', async () => {
      const body = `\uFEFF${JSON.stringify({ email: newEmail(), password: PASSWORD })}`;
      expect((await post(host(), '/register', body)).status).toBe(201);
    });

    test('X4 a body above 16 kB is too large, compressed or not', async () => {
      const ofLength = (length: number): string => {
        const body = JSON.stringify({ email: 'a@localhost', password: PASSWORD, pad: '' });
        return body.replace('"pad":""', `"pad":"${'x'.repeat(length - body.length)}"`);
      };
      expect(Buffer.byteLength(ofLength(MAX_BODY_BYTES))).toBe(MAX_BODY_BYTES);
      const largest = await post(host(), '/register', ofLength(MAX_BODY_BYTES));
      expectError(largest, 400, 'invalid_request');
      for (const path of POSTED) {
        for (const [body, headers] of [
          [ofLength(MAX_BODY_BYTES + 1), JSON_HEADER],
          [ofLength(3_000_000), JSON_HEADER],
          [gzipSync(ofLength(10_000_000)), GZIP],
        ] as const)
          expectError(await post(host(), path, body, headers), 413, 'payload_too_large');
        const body = ofLength(100_000);
        const chunked = await send(host().url + path, { method: 'POST', body, isChunked: true });
        expectError(chunked, 413, 'payload_too_large');
      }
      await createAccount(host());
    });

    test('X5 deep nesting is refused', async () => {
      for (const path of POSTED) {
        const open = await post(host(), path, '['.repeat(MAX_BODY_BYTES));
        expectError(open, 400, 'invalid_json');
        const closed = `${'['.repeat(8000)}${']'.repeat(8000)}`;
        expectError(await post(host(), path, closed), 400, 'invalid_request');
        expectError(await post(host(), path, `{"email":${closed}}`), 400, 'invalid_request');
        const objects = `${'{"a":'.repeat(2500)}1${'}'.repeat(2500)}`;
        expectError(await post(host(), path, objects), 400, 'invalid_request');
      }
      await createAccount(host());
    });

    const unknown = traits.isService ? 'as JSON' : 'left to the app';
    test(`X6 other methods are 405 with Allow (DELETE /me is a route), unknown paths 404, ${unknown}`, async () => {
      const ask = (method: string, path: string): Promise<Reply> =>
        send(host().url + path, { method });
      for (const [path, methods, allowed] of [
        ['/register', ['GET', 'PUT', 'PATCH', 'DELETE'], 'POST'],
        ['/login', ['GET', 'PUT', 'PATCH', 'DELETE'], 'POST'],
        ['/me', ['POST', 'PUT', 'PATCH'], 'GET'],
      ] as const) {
        for (const method of methods) {
          const reply = await ask(method, path);
          expectError(reply, 405, 'method_not_allowed');
          const names = reply.headers.allow?.split(', ') ?? [];
          expect(names).toContain(allowed);
          expect(names).not.toContain(method);
        }
        const options = await ask('OPTIONS', path);
        expect(options.status).toBeLessThan(300);
        expect(options.headers.allow).toContain(allowed);
      }
      expectError(await ask('DELETE', '/me'), 401, 'missing_token');
      for (const path of ['/unknown', '/me/more', '/registers', '/']) {
        const reply = await ask('GET', path);
        if (traits.isService) expectError(reply, 404, 'not_found');
        else expect(reply.status).toBe(404);
      }
    });

    test('X7 no response may be cached, names its software or has an ETag', async () => {
      const { user, token } = await createAccount(host());
      const head = await send(`${host().url}/me`, {
        method: 'HEAD',
        headers: ['Authorization', `Bearer ${token}`],
      });
      expect([head.status, head.text]).toEqual([200, '']);
      for (const reply of [
        head,
        await register(host()),
        await register(host(), user.email),
        await login(host(), user.email),
        await login(host(), user.email, 'wrong'),
        await post(host(), '/login', '{'),
        await me(host(), token),
        await withHeaders(host()),
        await send(`${host().url}/me`, { method: 'PUT' }),
      ]) {
        expect(reply.headers).toMatchObject({
          'cache-control': 'no-store',
          'content-type': 'application/json; charset=utf-8',
        });
        expect(reply.headers).not.toHaveProperty('x-powered-by');
        expect(reply.headers).not.toHaveProperty('etag');
      }
      // Without an ETag there is nothing to compare with.
      const again = await withHeaders(
        host(),
        'Authorization',
        `Bearer ${token}`,
        'If-None-Match',
        '*',
      );
      expect(again.status).toBe(200);
    });

    test('X8 messages of bad bodies have one form, and the same text with every zod', async () => {
      const texts: Record<string, string> = {
        '{}': 'email: Email must be a string; password: Password must be a string',
        '{"email":1}': 'email: Email must be a string; password: Password must be a string',
        '{"email":"a@x.co","password":null}': 'password: Password must be a string',
        '{"email":"a","password":"1234567"}':
          'email: Email must be a valid email address; password: Password must be at least 8 characters',
        '[]': 'body: Expected a JSON object',
        null: 'body: Expected a JSON object',
      };
      for (const [body, text] of Object.entries(texts)) {
        const reply = await post(host(), '/register', body);
        expectError(reply, 400, 'invalid_request', `Invalid request: ${text}`);
        const { message, issues = [] } = reply.body.error;
        expect(message).toMatch(/^Invalid request: (?:body|[a-zA-Z0-9_.]+): .+(?:; .+)*$/);
        expect(issues.map((issue) => `${issue.path}: ${issue.message}`).join('; ')).toBe(text);
      }
    });

    test('X9 neither passwords nor tokens reach the log, also when something fails', async () => {
      const password = 'never in a log 4711';
      const askAll = async (to: AccountHost): Promise<void> => {
        const email = newEmail();
        await register(to, email, password);
        await register(to, email, password);
        await login(to, email, password);
        await login(to, email, `${password} wrong`);
        await login(to, password, password);
        await post(to, '/login', `{"email":"${email}","password":"${password}",}`);
        await post(to, '/login', `${password}`);
        await post(to, `/login?password=${encodeURIComponent(password)}`, { password });
        const [token = ''] = answeredTokens(to).slice(-1);
        await me(to, token);
        await me(to, `${token}x`);
        await send(`${to.url}/me?access_token=${token}`);
      };
      const expectSilent = (to: AccountHost): void => {
        const output = to.output();
        expect(output).not.toContain(password);
        expect(output).not.toContain(encodeURIComponent(password));
        expect(output).not.toContain(PASSWORD);
        expect(output).not.toContain(SECRET);
        for (const token of answeredTokens(to)) {
          expect(output).not.toContain(token);
          // The signature alone would complete the rest of the token.
          expect(output).not.toContain(token.split('.')[2]);
        }
      };
      await askAll(host());
      expect(answeredTokens(host()).length).toBeGreaterThan(0);
      expectSilent(host());
      expect(answeredTokens(hashingHost()).length).toBeGreaterThan(0);
      expectSilent(hashingHost());
      const env = { NODE_ENV: 'development', JWT_SECRET: SECRET };
      await withHost(startHost, env, async (broken) => {
        await askAll(broken);
        await broken.query('ALTER TABLE users RENAME TO elsewhere');
        expect((await login(broken, newEmail(), password)).status).toBe(500);
        await askAll(broken);
        await broken.stop('SIGTERM');
        expectSilent(broken);
      });
    });

    test('X10 clients that disconnect, and SIGTERM while logins wait, do no harm', async () => {
      await withHost(startHashingHost, { NODE_ENV: 'test', JWT_SECRET: SECRET }, async (other) => {
        const { user } = await createAccount(other);
        const body = JSON.stringify({ email: user.email, password: PASSWORD });
        // In the middle of the body, and in the middle of the hash.
        for (const text of [body.slice(0, 20), body, body.slice(0, -1), body])
          await leave(other, body.length, text);
        expect((await login(other, user.email)).status).toBe(200);

        const waiting = Array.from({ length: 6 }, () => login(other, user.email));
        // After one response all requests have been sent, and the others still wait for their hashes.
        await Promise.race(waiting);
        const exit = other.stop('SIGTERM');
        const replies = await Promise.all(waiting);
        expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
        expect(await exit).toBe(0);
        expect(other.output()).not.toMatch(/unhandled|uncaught|ERR_HTTP_HEADERS_SENT/i);
      });
    });
  });
}

/** Sends the head of a login with `text` as the beginning of its body, and closes the connection. */
function leave(host: AccountHost, length: number, text: string): Promise<void> {
  const { hostname, port } = new URL(host.origin);
  const path = new URL(host.url).pathname;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.once('error', reject);
    socket.once('close', () => resolve());
    const head = `POST ${path}/login HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: ${length}\r\n\r\n`;
    // Closed in the middle once the bytes have left.
    socket.write(head + text, () => setTimeout(() => socket.destroy(), 30));
  });
}
