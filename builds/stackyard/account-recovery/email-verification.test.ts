// GET /verification, POST /verification and POST /verification/confirm over HTTP, and `requireVerified`.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMemoryThrottle } from '../account/index.js';
import { startApp, type TestApp } from '../account/test-app.js';

const VERIFICATION = '/auth/verification';
const CONFIRM = '/auth/verification/confirm';
const USER = { id: 1, email: 'a@example.com', created_at: '2026-11-21T09:30:00.250Z' };

let app: TestApp;
let session: string;

beforeEach(async () => {
  app = await startApp();
  session = await app.signUp();
});

afterEach(() => app.close());

const request = () => app.mailedToken(VERIFICATION, undefined, session);
const confirm = (token: unknown) => app.post(CONFIRM, { token });
const state = async () => (await app.get(VERIFICATION, session)).json().user['email_verified_at'];

test('an address is verified by the token in the mail, once', async () => {
  expect((await app.get(VERIFICATION, session)).json()).toEqual({ user: { ...USER, email_verified_at: null } });
  const token = await request();
  expect(app.mails).toEqual([
    expect.objectContaining({
      to: 'a@example.com',
      purpose: 'email_verification',
      link: `https://app.example.com/verify-email?token=${token}`,
      expiresAt: '2026-11-22T09:30:00.000Z',
    }),
  ]);
  expect(await state()).toBeNull();
  app.clock.now += 60_000;
  const answer = await confirm(token);
  expect([answer.status, answer.text]).toEqual([204, '']);
  expect((await confirm(token)).json().error['code']).toBe('invalid_recovery_token');
  expect(await state()).toBe('2026-11-21T09:31:00.000Z');
  expect((await app.get('/auth/me', session)).json()).toEqual({ user: USER });
  expect(app.events.map(({ type }) => type)).toEqual([
    'registered',
    'email_verification_requested',
    'email_verified',
    'email_verification_failed',
  ]);
});

test('no mail is sent to an address that is verified, with the same answer', async () => {
  await confirm(await request());
  const answer = await app.post(VERIFICATION, undefined, session);
  await app.recovery.settled();
  expect([answer.status, answer.text, app.mails.length]).toEqual([202, '{"accepted":true}', 1]);
});

test('another address of the account is not verified', async () => {
  const early = await request();
  await confirm(await request());
  app.db.exec("UPDATE users SET email = 'b@example.com'");
  expect(await state()).toBeNull();
  expect((await confirm(early)).status).toBe(400);
  await confirm(await request());
  expect(await state()).not.toBeNull();
});

test('a token works for one of many requests at once', async () => {
  const token = await request();
  const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(token)));
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
});

test('a token works until the last millisecond before its expiry', async () => {
  const [first, second] = [await request(), await request()];
  app.clock.now = Date.parse('2026-11-22T09:30:00.000Z');
  expect((await confirm(first)).status).toBe(400);
  app.clock.now -= 1;
  expect((await confirm(second)).status).toBe(204);
});

test('sessions live on', async () => {
  await confirm(await request());
  expect((await app.get('/auth/me', session)).status).toBe(200);
});

describe('bad requests', () => {
  test('want a token', async () => {
    for (const method of ['GET', 'POST'])
      expect((await app.send(method, VERIFICATION)).json().error['code']).toBe('missing_token');
  });

  test.each([
    ['{}', 'Invalid request: token: Token must be a string'],
    ['{"token":{}}', 'Invalid request: token: Token must be a string'],
    ['1', 'Invalid request: body: Expected a JSON object'],
    ['', 'Invalid JSON body'],
    ['{"token":""}', 'Invalid or expired recovery token'],
  ])('%s', async (body, message) => {
    const answer = await app.send('POST', CONFIRM, body);
    expect([answer.status, answer.json().error['message']]).toEqual([400, message]);
  });

  test('with another method', async () => {
    const answer = await app.send('PUT', VERIFICATION);
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
    expect((await app.get(CONFIRM)).status).toBe(405);
  });

  test('are throttled by account', async () => {
    await app.close();
    app = await startApp({ throttle: createMemoryThrottle({ now: () => app.clock.now }) });
    session = await app.signUp();
    const ask = async () => (await app.post(VERIFICATION, undefined, session)).status;
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([202, 202, 202, 429]);
    await app.recovery.settled();
    expect((await confirm(app.mails[0]?.token)).status).toBe(204);
    expect(await ask()).toBe(202);
  });
});

describe('requireVerified', () => {
  test('lets verified accounts through', async () => {
    const answer = await app.get('/verified', session);
    expect([answer.status, answer.json().error]).toEqual([
      403,
      { status: 403, code: 'email_not_verified', message: 'Verify your e-mail address to do this' },
    ]);
    await confirm(await request());
    expect((await app.get('/verified', session)).json()).toEqual({ user: { id: 1, email: 'a@example.com' } });
  });

  test('wants a token first', async () => {
    expect((await app.get('/verified')).headers['www-authenticate']).toBe('Bearer realm="account"');
    expect((await app.get('/verified', `${session}x`)).json().error['code']).toBe('invalid_token');
  });
});
