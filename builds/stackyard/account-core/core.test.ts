// Answers of routes, and the log.

import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../account/test-app.js';
import { type AccountDependencies, type AccountRequest, answerRoute } from './core.js';
import { type AccountLog, jsonAnswer, logError } from './errors.js';

describe('route', () => {
  // The answers of a route that no handler gives.
  const deps = { realm: 'account' } as AccountDependencies;
  const route = { path: '/x', handlers: { GET: async () => jsonAnswer(200, { ok: true }), DELETE: () => Promise.reject(new Error('disk full')) } };
  const ask = (method: string) => answerRoute(deps, { route, id: '' }, { method, requestId: 'r1' } as AccountRequest);

  test('answerRoute() answers HEAD as GET', async () => {
    expect([await ask('GET'), await ask('HEAD')]).toMatchObject([{ status: 200 }, { status: 200 }]);
  });

  test.each(['PUT', 'get', 'constructor', '__proto__', ''])('answerRoute() refuses the method %j', async (method) => {
    expect(await ask(method)).toMatchObject({
      status: 405,
      body: { error: { code: 'method_not_allowed', requestId: 'r1' } },
      headers: { Allow: 'GET, HEAD, DELETE, OPTIONS' },
    });
  });

  test('answerRoute() answers OPTIONS, and leaves other errors to the host', async () => {
    expect(await ask('OPTIONS')).toMatchObject({ status: 204, headers: { Allow: 'GET, HEAD, DELETE, OPTIONS' } });
    await expect(ask('DELETE')).rejects.toThrow('disk full');
  });
});

describe('account log', () => {
  // What reaches the log of the host.
  function pinoLog() {
    const lines: Record<string, unknown>[] = [];
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
        done();
      },
    });
    return { lines, logger: pino(stream) };
  }

  describe('logError()', () => {
    test('keeps the error in a pino logger and in its children', () => {
      const { lines, logger } = pinoLog();
      for (const log of [logger, logger.child({ part: 'account' })]) logError(log, 'It failed', new Error('disk full'));
      const wanted = { level: 50, msg: 'It failed', err: expect.objectContaining({ message: 'disk full', type: 'Error' }) };
      expect(lines).toEqual([expect.objectContaining(wanted), expect.objectContaining({ ...wanted, part: 'account' })]);
    });

    test('passes the error to other logs as the second argument, and no argument without one', () => {
      const calls: unknown[][] = [];
      const log: AccountLog = { warn: () => {}, error: (...args) => void calls.push(args) };
      const error = new Error('disk full');
      logError(log, 'It failed', error);
      logError(log, 'It failed');
      expect(calls).toEqual([['It failed', error], ['It failed']]);
    });
  });

  describe('the account routes', () => {
    let app: TestApp;

    afterEach(() => app.close());

    test('log what a listener throws, with a pino logger', async () => {
      const { lines, logger } = pinoLog();
      const onEvent = (): never => {
        throw new Error('no audit');
      };
      app = await startApp({ log: logger, onEvent });
      await app.signUp();
      expect(lines).toEqual([expect.objectContaining({ err: expect.objectContaining({ message: 'no audit' }) })]);
    });

    test.each([
      ['/auth/register', { email: 'a@example.com', password: '12345678' }],
      ['/auth/login', { email: 'a@example.com', password: '12345678' }],
    ])('log why %s answers 500 without a secret, with the id of the request', async (path, body) => {
      const id = 'id-1 "quoted"';
      app = await startApp({
        secret: undefined,
        notices: [{ level: 'error', message: 'JWT_SECRET is not set: no tokens' }],
        before: [(_req, res, next) => void (res.setHeader('X-Request-Id', id), next())],
      });
      const answer = await app.post(path, body);
      expect([answer.status, answer.json().error['requestId']]).toEqual([500, id]);
      expect(answer.text).not.toContain('SECRET');
      const expected = `Cannot issue a login token for request ${JSON.stringify(id)}: JWT_SECRET is not set: no tokens`;
      expect(app.logged.filter((line) => line.startsWith('Cannot'))).toEqual([expected]);
    });
  });
});
