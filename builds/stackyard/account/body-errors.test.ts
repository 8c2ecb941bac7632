// What a body parser of the host refuses before the account routes see the request.

import express, { type RequestHandler } from 'express';
import { afterEach, describe, expect, test } from 'vitest';
import { answerBodyErrors } from './index.js';
import { startApp, type TestApp, type TestAppOptions } from './test-app.js';

let app: TestApp;

afterEach(() => app.close());

const JSON_TYPE = { 'content-type': 'application/json' };
const INVALID_JSON = '{"error":{"status":400,"code":"invalid_json","message":"Invalid JSON body"}}';
const GOOD = '{"email":"a@example.com","password":"12345678"}';

const start = async (options: TestAppOptions = {}): Promise<void> => {
  app = await startApp({ before: [express.json()], after: answerBodyErrors, ...options });
};
const send = (body: string | Buffer, headers: Record<string, string> = JSON_TYPE, path = '/auth/register') =>
  app.send('POST', path, body, headers);

describe('behind express.json()', () => {
  test.each(['{', 'not json', '"text"', `${GOOD};`, '{"password":"my-secret",'])('%j is answered', async (body) => {
    await start();
    const answer = await send(body);
    expect([answer.status, answer.text]).toEqual([400, INVALID_JSON]);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect([app.hostErrors, app.logged]).toEqual([[], []]);
  });

  test.each([
    { 'content-type': 'application/json; charset=iso-8859-1' },
    { ...JSON_TYPE, 'content-encoding': 'compress' },
  ])('%j is answered', async (headers) => {
    await start();
    expect((await send(GOOD, headers)).text).toBe(INVALID_JSON);
  });

  test('a body over the limit of the parser is answered', async () => {
    await start({ before: [express.json({ limit: 10 })] });
    const answer = await send(GOOD);
    expect([answer.status, answer.json().error['code']]).toEqual([413, 'payload_too_large']);
  });

  test('a body that is right reaches the routes', async () => {
    await start();
    expect((await send(GOOD)).status).toBe(201);
  });

  test('other paths are left to the host', async () => {
    await start();
    expect((await send('{', JSON_TYPE, '/elsewhere')).text).toBe('host 500');
    expect(app.hostErrors).toEqual([expect.objectContaining({ type: 'entity.parse.failed' })]);
  });
});

const failing =
  (error: unknown): RequestHandler =>
  (_req, _res, next) =>
    next(error);

test.each([
  ['an error', new Error('x')],
  ['an error with a type of another library', Object.assign(new Error('x'), { type: 'toString' })],
  ['an error of the parser that is not about the body', Object.assign(new Error('x'), { type: 'stream.not.readable' })],
  ['a syntax error of the host', new SyntaxError('x')],
  ['a text', 'entity.parse.failed'],
])('answerBodyErrors() passes %s on', async (_name, error) => {
  await start({ before: [failing(error)] });
  expect((await send(GOOD)).text).toBe('host 500');
  expect(app.hostErrors).toEqual([error]);
});

test('answerBodyErrors() knows the errors of body-parser before 1.18', async () => {
  await start({ before: [failing(Object.assign(new SyntaxError('x'), { status: 400, body: '{' }))] });
  expect((await send(GOOD)).text).toBe(INVALID_JSON);
});
