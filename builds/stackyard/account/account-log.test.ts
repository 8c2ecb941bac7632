// What reaches the log of the host.

import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { type AccountLog, logError } from './account-log.js';
import { startApp, type TestApp } from './test-app.js';

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
