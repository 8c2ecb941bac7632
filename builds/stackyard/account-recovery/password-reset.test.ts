// POST /password-reset and POST /password-reset/confirm over HTTP.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMemoryThrottle, createPasswords } from '../account/index.js';
import { deriveScrypt } from '../account-core/passwords.js';
import { PASSWORD, startApp, type TestApp, type TestAppOptions } from '../account/test-app.js';

const EMAIL = 'a@example.com';
const NEXT = 'battery staple';
const RESET = '/auth/password-reset';
const CONFIRM = '/auth/password-reset/confirm';
const TTL_MS = 1_800_000;

let app: TestApp;

beforeEach(async () => {
  app = await startApp();
});

afterEach(() => app.close());

const restart = async (options: TestAppOptions) => {
  await app.close();
  app = await startApp(options);
};
const request = (email = EMAIL) => app.mailedToken(RESET, { email });
const confirm = (token: unknown, password: unknown = NEXT) => app.post(CONFIRM, { token, new_password: password });
const login = (password: string) => app.post('/auth/login', { email: EMAIL, password });
const isOpen = async (token: string) => (await app.get('/auth/me', token)).status === 200;
const count = () => app.db.prepare('SELECT count(*) FROM account_recovery_tokens').pluck().get();

const REFUSED = { status: 400, code: 'invalid_recovery_token', message: 'Invalid or expired recovery token' };

describe('a password reset', () => {
  test('replaces the password, ends all sessions and verifies the address', async () => {
    const tokens = [await app.signUp(), (await login(PASSWORD)).json().token];
    const token = await request('  A@Example.com ');
    expect(app.mails).toEqual([
      {
        to: EMAIL,
        html: expect.stringContaining(`?token=${token}">`),
        purpose: 'password_reset',
        token,
        link: `https://app.example.com/reset-password?token=${token}`,
        expiresAt: '2026-11-21T10:00:00.000Z',
        subject: 'Reset your password',
        text: expect.stringContaining(token),
      },
    ]);
    const answer = await confirm(token);
    expect([answer.status, answer.text, answer.headers['cache-control']]).toEqual([204, '', 'no-store']);
    for (const old of tokens) expect(await isOpen(old)).toBe(false);
    expect((await login(PASSWORD)).status).toBe(401);
    const session = (await login(NEXT)).json().token;
    expect((await app.get('/auth/verification', session)).json().user['email_verified_at']).toBe('2026-11-21T09:30:00.000Z');
    expect(app.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['password_reset_requested', 'password_reset']),
    );
    expect(app.logged).toEqual([]);
  });

  test('stores no token, only its SHA-256', async () => {
    await app.signUp();
    const token = await request();
    const rows = app.db.prepare('SELECT * FROM account_recovery_tokens').all();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
    const tokenHash = createHash('sha256').update(`password_reset\n${token}`).digest('hex');
    expect(rows).toEqual([expect.objectContaining({ token_hash: tokenHash, email: EMAIL, user_id: 1 })]);
    expect(JSON.stringify([app.events, app.logged])).not.toContain(token);
  });

  test('lets a client log in that had to wait after wrong passwords', async () => {
    await restart({ throttle: createMemoryThrottle({ freeFailures: 2, now: () => app.clock.now }) });
    await app.signUp();
    for (let index = 0; index < 2; index++) expect((await login('wrong password')).status).toBe(401);
    expect((await login(PASSWORD)).status).toBe(429);
    expect((await confirm(await request())).status).toBe(204);
    expect((await login(NEXT)).status).toBe(200);
  });
});

describe('POST /password-reset', () => {
  test('answers the same whether the account exists', async () => {
    await app.signUp();
    const ask = async (email: string) => {
      const { status, text, headers } = await app.post(RESET, { email });
      return { status, text, headers: { ...headers, date: '' } };
    };
    const [known, unknown] = [await ask(EMAIL), await ask('b@example.com')];
    await app.recovery.settled();
    expect(known).toEqual(unknown);
    expect([known.status, known.text]).toEqual([202, '{"accepted":true}']);
    expect(app.mails.map(({ to }) => to)).toEqual([EMAIL]);
  });

  test('answers before it looks for the account', async () => {
    await app.signUp();
    let found = false;
    const users = app.account.users as { findByEmail(email: string): Promise<undefined> };
    users.findByEmail = () => {
      found = true;
      return new Promise(() => {});
    };
    expect((await app.post(RESET, { email: EMAIL })).status).toBe(202);
    await expect.poll(() => found).toBe(true);
  });

  test('has the same answer, and a line in the log, when the mailer fails, throws or hangs', async () => {
    const signals: AbortSignal[] = [];
    const mailers = [
      async () => Promise.reject(new Error('refused')),
      () => {
        throw new Error('refused');
      },
      (_mail: unknown, signal: AbortSignal) => {
        signals.push(signal);
        return new Promise<void>(() => {});
      },
    ];
    for (const sendMail of mailers) {
      await restart({ recovery: { sendMail, mailTimeoutMs: 20 } });
      await app.signUp();
      expect((await app.post(RESET, { email: EMAIL })).text).toBe('{"accepted":true}');
      await app.recovery.settled();
      expect(app.logged).toEqual([
        expect.stringMatching(/^Cannot send the mail of purpose "password_reset" to account 1 (?:refused|"sendMail" has not)/),
      ]);
      expect(app.hostErrors).toEqual([]);
    }
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('has the same answer when the link or the storage fails', async () => {
    await restart({
      recovery: {
        link: () => {
          throw new Error('no link');
        },
      },
    });
    await app.signUp();
    expect((await app.post(RESET, { email: EMAIL })).status).toBe(202);
    app.db.exec('ALTER TABLE account_recovery_tokens RENAME TO elsewhere');
    expect((await app.post(RESET, { email: EMAIL })).status).toBe(202);
    await app.recovery.settled();
    expect(app.logged).toHaveLength(2);
    expect(app.mails).toEqual([]);
  });

  test('goes on when the log throws as well', async () => {
    const fail = () => {
      throw new Error('The log is closed');
    };
    await restart({ log: { warn: fail, error: fail }, recovery: { sendMail: fail } });
    await app.signUp();
    expect((await app.post(RESET, { email: EMAIL })).status).toBe(202);
    await expect(app.recovery.settled()).resolves.toBeUndefined();
    expect((await login(PASSWORD)).status).toBe(200);
  });

  test('waits for no mail that hangs', async () => {
    await restart({ recovery: { sendMail: () => new Promise(() => {}) } });
    await app.signUp();
    for (let index = 0; index < 3; index++) expect((await app.post(RESET, { email: EMAIL })).status).toBe(202);
    expect((await login(PASSWORD)).status).toBe(200);
  });

  test.each([
    ['{}', 'email: Email must be a string'],
    ['{"email":null}', 'email: Email must be a string'],
    ['{"email":["a@example.com"]}', 'email: Email must be a string'],
    ['{"email":"nobody"}', 'email: Email must be a valid email address'],
    ['{"email":"a@example.com\\r\\nBcc: b@example.com"}', 'email: Email must be a valid email address'],
    [`{"email":"${'a'.repeat(250)}@example.com"}`, 'email: Email must be at most 254 characters'],
    ['[]', 'body: Expected a JSON object'],
    ['null', 'body: Expected a JSON object'],
  ])('refuses %s', async (body, issue) => {
    const answer = await app.send('POST', RESET, body);
    expect([answer.status, answer.json().error['message']]).toEqual([400, `Invalid request: ${issue}`]);
  });

  test('refuses what is no JSON, what is too long, and other methods', async () => {
    expect((await app.send('POST', RESET, '{')).json().error['message']).toBe('Invalid JSON body');
    expect((await app.send('POST', RESET, ' '.repeat(20_000))).status).toBe(413);
    const answer = await app.get(RESET);
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST, OPTIONS']);
    expect((await app.send('OPTIONS', CONFIRM)).headers.allow).toBe('POST, OPTIONS');
  });

  test('limits the mails by account and client, registered or not, apart from logins', async () => {
    await restart({ throttle: createMemoryThrottle({ now: () => app.clock.now }) });
    await app.signUp();
    const statuses = async (email: string) => {
      const answers = [];
      for (let index = 0; index < 4; index++) answers.push(await app.post(RESET, { email }));
      return answers;
    };
    for (const email of [EMAIL, 'b@example.com']) {
      const answers = await statuses(email);
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 429]);
      expect(answers[3]?.headers['retry-after']).toBe('1');
    }
    await app.recovery.settled();
    expect(app.mails).toHaveLength(3);
    expect((await login(PASSWORD)).status).toBe(200);
    app.clock.now += 1000;
    expect((await app.post(RESET, { email: EMAIL })).status).toBe(202);
    expect((await app.post(RESET, { email: EMAIL })).headers['retry-after']).toBe('2');
  });

  test('limits the mails by client', async () => {
    await restart({ throttle: createMemoryThrottle({ now: () => app.clock.now }) });
    const statuses = [];
    for (let index = 0; index < 21; index++)
      statuses.push((await app.post(RESET, { email: `user${index}@example.com` })).status);
    expect(statuses).toEqual([...Array<number>(20).fill(202), 429]);
  });

  test('keeps three tokens open: a fourth replaces the oldest', async () => {
    await app.signUp();
    const tokens = [await request(), await request(), await request(), await request()];
    expect(count()).toBe(3);
    expect((await confirm(tokens[0])).json().error).toEqual(REFUSED);
    expect((await confirm(tokens[1])).status).toBe(204);
    for (const token of tokens) expect((await confirm(token)).json().error).toEqual(REFUSED);
    expect(count()).toBe(0);
  });
});

describe('POST /password-reset/confirm', () => {
  test.each([
    ['{}', 'token: Token must be a string; new_password: Password must be a string'],
    ['{"token":1,"new_password":"12345678"}', 'token: Token must be a string'],
    ['{"token":"x","new_password":"short"}', 'new_password: Password must be at least 8 characters'],
    ['"x"', 'body: Expected a JSON object'],
  ])('refuses %s', async (body, issue) => {
    const answer = await app.send('POST', CONFIRM, body);
    expect([answer.status, answer.json().error['message']]).toEqual([400, `Invalid request: ${issue}`]);
  });

  test('does not use up the token for a password that is refused', async () => {
    await restart({ refusePassword: (password) => (password === 'password1' ? 'Password is too common' : undefined) });
    await app.signUp();
    const token = await request();
    expect((await confirm(token, 'short')).status).toBe(400);
    expect((await confirm(token, 'password1')).json().error['message']).toBe(
      'Invalid request: new_password: Password is too common',
    );
    expect((await confirm(token)).status).toBe(204);
  });

  test('refuses every changed token', async () => {
    await app.signUp();
    const token = await request();
    const character = fc.constantFrom(...'ABCXYZabcxyz019-_= é');
    await fc.assert(
      fc.asyncProperty(fc.nat(42), character, async (index, other) => {
        const changed = token.slice(0, index) + other + token.slice(index + 1);
        fc.pre(changed !== token);
        expect((await confirm(changed)).json().error).toEqual(REFUSED);
      }),
      { numRuns: 60 },
    );
    for (const text of ['', token.slice(0, -1), `${token}x`, ` ${token}`, 'x'.repeat(10_000), "' OR 1=1 --", '\0'])
      expect((await confirm(text)).json().error).toEqual(REFUSED);
    expect((await login(PASSWORD)).status).toBe(200);
    expect((await confirm(token)).status).toBe(204);
  });

  test('is possible until the last millisecond before the expiry', async () => {
    await app.signUp();
    const [first, second] = [await request(), await request()];
    const { expiresAt } = app.mails[0]!;
    app.clock.now = Date.parse(expiresAt) - 1;
    const [early, late] = [first, second];
    expect(Date.parse(expiresAt)).toBe(Math.floor(1_795_253_400_250 / 1000) * 1000 + TTL_MS);
    app.clock.now += 1;
    expect((await confirm(late)).json().error).toEqual(REFUSED);
    app.clock.now -= 1;
    expect((await confirm(early)).status).toBe(204);
  });

  test('is bound to the purpose', async () => {
    const session = await app.signUp();
    const verification = await app.mailedToken('/auth/verification', undefined, session);
    expect((await confirm(verification)).json().error).toEqual(REFUSED);
    expect((await app.post('/auth/verification/confirm', { token: await request() })).json().error).toEqual(REFUSED);
  });

  test.each(['password change', 'deletion', 'another address'])('is void after a %s', async (event) => {
    const session = await app.signUp();
    const token = await request();
    if (event === 'password change')
      await app.post('/auth/password', { current_password: PASSWORD, new_password: 'another password' }, session);
    if (event === 'deletion')
      await app.send('DELETE', '/auth/me', undefined, { authorization: `Bearer ${session}` });
    if (event === 'another address') app.db.exec("UPDATE users SET email = 'b@example.com'");
    expect((await confirm(token)).json().error).toEqual(REFUSED);
  });

  test('lets one of many requests at once through, and hashes less than all', async () => {
    let hashes = 0;
    const passwords = createPasswords({
      cost: { logN: 2, r: 1, p: 1 },
      derive: (...args) => {
        hashes++;
        return deriveScrypt(...args);
      },
    });
    await restart({ passwords });
    await app.signUp();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 20 }), async (parallel) => {
        const token = await request();
        hashes = 0;
        const answers = await Promise.all(
          Array.from({ length: parallel }, (_, index) => confirm(token, `password number ${index}`)),
        );
        const winners = answers.flatMap(({ status }, index) => (status === 204 ? [index] : []));
        expect(winners).toHaveLength(1);
        expect(answers.filter(({ status }) => status === 400)).toHaveLength(parallel - 1);
        expect(hashes).toBeLessThanOrEqual(4);
        expect((await login(`password number ${winners[0]}`)).status).toBe(200);
      }),
      { numRuns: 15 },
    );
  });
});
