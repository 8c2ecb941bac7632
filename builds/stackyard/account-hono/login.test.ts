// POST /login over HTTP.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AccountError } from './account-error.js';
import { createPasswords, deriveScrypt } from './passwords.js';
import { fastPasswords, PASSWORD, startApp, type TestApp } from './test-app.js';

let app: TestApp;

beforeEach(async () => {
  app = await startApp();
});

afterEach(() => app.close());

const login = (email: unknown, password: unknown) => app.post('/auth/login', { email, password });
const storedHash = () => String(app.db.prepare('SELECT password_hash FROM users').pluck().get());
const storeHash = (hash: string) => void app.db.prepare('UPDATE users SET password_hash = ?').run(hash);

describe('POST /login', () => {
  test('gives the user and a token, whatever the case of the e-mail', async () => {
    await app.signUp('a@x.co');
    const answer = await login(' A@X.co\t', PASSWORD);
    expect(answer.status).toBe(200);
    const { user, token, ...rest } = answer.json();
    expect(rest).toEqual({});
    expect(user).toEqual({ id: 1, email: 'a@x.co', created_at: '2026-11-21T09:30:00.250Z' });
    expect((await app.get('/auth/me', token)).status).toBe(200);
  });

  test('answers unknown e-mails and wrong passwords alike', async () => {
    await app.signUp('a@x.co');
    const wrong = await login('a@x.co', 'wrong password');
    const unknown = await login('b@x.co', 'wrong password');
    expect(wrong.status).toBe(401);
    expect(wrong.text).toBe(
      '{"error":{"status":401,"code":"invalid_credentials","message":"Invalid email or password"}}',
    );
    expect(wrong.headers['www-authenticate']).toBe('Bearer realm="account"');
    delete wrong.headers['date'];
    delete unknown.headers['date'];
    expect({ ...unknown, json: 0 }).toEqual({ ...wrong, json: 0 });
  });

  test('derives one key for each, with the same parameters', async () => {
    const costs: unknown[] = [];
    await app.close();
    const passwords = createPasswords({
      cost: { logN: 3, r: 2, p: 1 },
      derive: (password, salt, cost, length) => {
        costs.push(cost);
        return deriveScrypt(password, salt, cost, length);
      },
    });
    app = await startApp({ passwords });
    await app.signUp('a@x.co');
    costs.length = 0;
    await login('a@x.co', 'wrong password');
    await login('b@x.co', 'wrong password');
    expect(costs).toEqual([
      { logN: 3, r: 2, p: 1 },
      { logN: 3, r: 2, p: 1 },
    ]);
  });

  test.each([
    ['not-an-email', PASSWORD],
    ['', PASSWORD],
    ['x'.repeat(10_000), PASSWORD],
    ['a@x.co', ''],
    ['a@x.co', 'x'],
    ['a@x.co', 'x'.repeat(5000)],
    ["' OR 1=1 --", PASSWORD],
    ['a@x.co"; DROP TABLE users; --', PASSWORD],
    ['a@x.co\0', PASSWORD],
    ['\ud800@x.co', PASSWORD],
    ['%', PASSWORD],
  ])('answers 401 to %j without a rule for form or length', async (email, password) => {
    await app.signUp('a@x.co');
    expect((await login(email, password)).status).toBe(401);
    expect((await login('a@x.co', PASSWORD)).status).toBe(200);
  });

  test.each([
    { value: undefined },
    { value: null },
    { value: 1 },
    { value: ['a@x.co'] },
    { value: { $ne: null } },
    { value: false },
  ])('refuses the field value $value', async ({ value }) => {
    expect((await login(value, 'x')).json().error['message']).toBe(
      'Invalid request: email: Email must be a string',
    );
    expect((await login('a', value)).json().error['message']).toBe(
      'Invalid request: password: Password must be a string',
    );
  });

  test.each(['[]', 'null', '"s"', '1', 'true'])('refuses the body %s', async (body) => {
    const answer = await app.send('POST', '/auth/login', body);
    expect(answer.status).toBe(400);
    expect(answer.json().error['message']).toBe('Invalid request: body: Expected a JSON object');
  });

  test('makes a hash of lower parameters anew, after a right password only', async () => {
    await app.signUp('a@x.co');
    const old = await createPasswords({ cost: { logN: 1, r: 1, p: 1 } }).hash(PASSWORD);
    storeHash(old);
    expect((await login('a@x.co', 'wrong password')).status).toBe(401);
    expect(storedHash()).toBe(old);
    const answers = await Promise.all([
      login('a@x.co', PASSWORD),
      login('a@x.co', PASSWORD),
      login('a@x.co', PASSWORD),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(storedHash()).toMatch(/^\$scrypt\$ln=2,r=1,p=1\$/);
    expect(app.events.filter(({ type }) => type === 'password_rehashed')).toHaveLength(1);
    expect((await login('a@x.co', PASSWORD)).status).toBe(200);
    expect((await app.get('/auth/me', answers[0]?.json().token)).status).toBe(200);
  });

  test('succeeds without a new hash when the queue is full', async () => {
    await app.close();
    const cheap = fastPasswords();
    const hash = async () => Promise.reject(new AccountError('overloaded'));
    const old = await createPasswords({ cost: { logN: 1, r: 1, p: 1 } }).hash(PASSWORD);
    app = await startApp({ passwords: { ...cheap, hash } });
    app.db
      .prepare("INSERT INTO users (email, password_hash, created_at) VALUES ('a@x.co', ?, '2026-01-01')")
      .run(old);
    expect((await login('a@x.co', PASSWORD)).status).toBe(200);
    expect(storedHash()).toBe(old);
  });

  test('does not ask the store for text that no database can hold', async () => {
    const original = { ...app.account.users };
    const asked: string[] = [];
    app.account.users.findByEmail = async (email) => {
      asked.push(email);
      return original.findByEmail(email);
    };
    for (const email of ['a\0@x.co', '\ud800@x.co', 'b@x.co'])
      expect((await login(email, PASSWORD)).status).toBe(401);
    expect(asked).toEqual(['b@x.co']);
  });

  test('keeps a hash of higher parameters', async () => {
    await app.signUp('a@x.co');
    const higher = await createPasswords({ cost: { logN: 4, r: 2, p: 1 } }).hash(PASSWORD);
    storeHash(higher);
    expect((await login('a@x.co', PASSWORD)).status).toBe(200);
    expect(storedHash()).toBe(higher);
  });

  test.each([
    '',
    'plain text',
    '$2b$10$abcdefghijklmnopqrstuv',
    '$scrypt$ln=30,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA',
    '$scrypt$ln=15,r=9,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA',
    '$scrypt$ln=15,r=8,p=11$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA',
  ])('answers 401 and logs when the stored hash is %j', async (hash) => {
    await app.signUp('a@x.co');
    storeHash(hash);
    expect((await login('a@x.co', PASSWORD)).status).toBe(401);
    expect(app.logged).toEqual([expect.stringContaining('Cannot verify the password of account 1')]);
    expect(app.events.map(({ type }) => type)).toContain('hash_unreadable');
  });

  test('refuses a password of 1 MB by the size of the body', async () => {
    expect((await login('a@x.co', 'x'.repeat(1_000_000))).status).toBe(413);
  });

  test('ends a session that began with the old password while it was changed', async () => {
    await app.signUp('a@x.co');
    const change = app.db.prepare('UPDATE users SET token_version = token_version + 1');
    const original = { ...app.account.users };
    app.account.users.findByEmail = async (email) => {
      const user = await original.findByEmail(email);
      change.run();
      return user;
    };
    const { token } = (await login('a@x.co', PASSWORD)).json();
    expect((await app.get('/auth/me', token)).json().error['code']).toBe('invalid_token');
  });
});
