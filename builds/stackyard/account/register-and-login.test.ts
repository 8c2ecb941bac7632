// POST /register and POST /login, over HTTP.

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AccountError } from '../account-core/errors.js';
import { createPasswords, deriveScrypt } from '../account-core/passwords.js';
import { fastPasswords, PASSWORD, startApp, type TestApp } from './test-app.js';

describe('register', () => {
  // POST /register over HTTP.
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp();
  });

  afterEach(() => app.close());

  const register = (email: unknown, password = '12345678') => app.post('/auth/register', { email, password });
  const rows = () => app.db.prepare('SELECT * FROM users ORDER BY id').all() as Record<string, unknown>[];
  const emailOf = (length: number) => `${'a'.repeat(length - 5)}@x.co`;

  describe('POST /register', () => {
    test('creates an account and gives a token that works', async () => {
      const answer = await register('new@x.co');
      expect(answer.status).toBe(201);
      const { user, token, ...rest } = answer.json();
      expect(rest).toEqual({});
      expect(user).toEqual({ id: 1, email: 'new@x.co', created_at: '2026-11-21T09:30:00.250Z' });
      expect((await app.get('/auth/me', token)).json()).toEqual({ user });
    });

    test('shows the same user, byte for byte, in register, login and me', async () => {
      const registered = await register('new@x.co');
      const loggedIn = await app.post('/auth/login', { email: 'new@x.co', password: '12345678' });
      const me = await app.get('/auth/me', registered.json().token);
      const userText = (text: string) => /"user":(\{.*?\})/.exec(text)?.[1];
      expect(userText(loggedIn.text)).toBe(userText(registered.text));
      expect(userText(me.text)).toBe(userText(registered.text));
    });

    test('stores a scrypt hash, another one for an equal password, and shows nothing of it', async () => {
      const answer = await register('a@x.co');
      await register('b@x.co');
      const hashes = rows().map((row) => String(row['password_hash']));
      expect(hashes[0]).toMatch(/^\$scrypt\$/);
      expect(hashes[1]).not.toBe(hashes[0]);
      expect(answer.text).not.toMatch(/password|hash|scrypt|salt|12345678/);
    });

    test.each(['  A.B@Example.COM \n', '\u00a0a.b@example.com\ufeff', '\u2003A.B@example.com\u2003'])(
      'trims and lower-cases %j, and knows it again',
      async (email) => {
        expect((await register(email)).json().user['email']).toBe('a.b@example.com');
        for (const again of [email, 'a.b@example.com', ' a.B@EXAMPLE.com ']) {
          const answer = await register(again);
          expect(answer.status).toBe(409);
          expect(answer.json().error).toEqual({
            status: 409,
            code: 'email_taken',
            message: 'Email is already registered',
          });
        }
        expect(rows()).toHaveLength(1);
      },
    );

    test('takes KELVIN SIGN for the letter that it is in lower case', async () => {
      await register('kate@x.co');
      expect((await register('\u212aate@x.co')).status).toBe(409);
    });

    test.each([
      [201, emailOf(254)],
      [400, emailOf(255)],
      [201, emailOf(254) + ' '.repeat(20)],
    ])('answers %i by the length after trimming', async (status, email) => {
      expect((await register(email)).status).toBe(status);
    });

    test.each(['a@xn--mller-kva.de', "o'neil@x.co", 'a+b@x.co', 'a@x.xn--p1ai'])(
      'accepts %s',
      async (email) => {
        expect((await register(email)).status).toBe(201);
      },
    );

    test.each([
      '',
      'a',
      '@x.co',
      'a@',
      'a@localhost',
      'a..b@x.co',
      'a@x.co.',
      '.a@x.co',
      'a.@x.co',
      '"a b"@x.co',
      'a@[127.0.0.1]',
      'jörg@x.co',
      'a@müller.de',
      'a@x..co',
      'a b@x.co',
      'a@x.co\nb',
      'a@b@x.co',
      'a@-x.co',
      'İ@x.co',
      'a\0@x.co',
    ])('refuses %j', async (email) => {
      const answer = await register(email);
      expect(answer.status).toBe(400);
      expect(answer.json().error['message']).toBe(
        'Invalid request: email: Email must be a valid email address',
      );
    });

    test('finds one issue with a long address', async () => {
      const { error } = (await register(`${'é'.repeat(5000)}@x.co`)).json();
      expect(error['issues']).toEqual([{ path: 'email', message: 'Email must be at most 254 characters' }]);
    });

    test.each([
      [400, '1234567', 'Password must be at least 8 characters'],
      [201, '12345678', ''],
      [201, 'x'.repeat(200), ''],
      [400, 'x'.repeat(201), 'Password must be at most 200 characters'],
      [400, '😀'.repeat(4), 'Password must be at least 8 characters'],
      [201, '😀'.repeat(8), ''],
      [201, '😀'.repeat(200), ''],
      [400, '😀'.repeat(201), 'Password must be at most 200 characters'],
      [201, 'e\u0301'.repeat(8), ''],
      [400, 'e\u0301'.repeat(3), 'Password must be at least 8 characters'],
      [400, '', 'Password must be at least 8 characters'],
    ])('answers %i to a password by its code points', async (status, password, message) => {
      const answer = await register('a@x.co', password);
      expect(answer.status).toBe(status);
      if (status !== 400) return;
      expect(answer.json().error).toEqual({
        status: 400,
        code: 'invalid_request',
        message: `Invalid request: password: ${message}`,
        issues: [{ path: 'password', message }],
      });
    });

    test.each([' 12345678', '12345678 ', '1234\x005678', '\t1234567\n', '        '])(
      'keeps the password %j as it is',
      async (password) => {
        expect((await register('a@x.co', password)).status).toBe(201);
        const login = (text: string) => app.post('/auth/login', { email: 'a@x.co', password: text });
        expect((await login(password)).status).toBe(200);
        expect((await login(password.replace(/^\s|\s$|\0/, ''))).status).toBe(401);
      },
    );

    test('tells passwords of 200 characters apart by the last', async () => {
      await register('a@x.co', `${'x'.repeat(199)}y`);
      const login = (password: string) => app.post('/auth/login', { email: 'a@x.co', password });
      expect((await login('x'.repeat(200))).status).toBe(401);
      expect((await login(`${'x'.repeat(199)}y`)).status).toBe(200);
    });

    test.each([
      ['NFC', 'NFD'],
      ['NFD', 'NFC'],
    ])('takes the %s and %s forms of a password for one', async (first, second) => {
      await register('a@x.co', 'Grüße, Ångström'.normalize(first));
      const login = (password: string) => app.post('/auth/login', { email: 'a@x.co', password });
      expect((await login('Grüße, Ångström'.normalize(second))).status).toBe(200);
      // NFKC would make these one.
      expect((await login('Grüße, Ångström'.replace(',', '，'))).status).toBe(401);
    });

    test('refuses lone surrogates, and none matches on login', async () => {
      const send = (path: string, password: string) =>
        app.send('POST', path, `{"email":"a@x.co","password":"${password}"}`);
      expect((await send('/auth/register', '\\ud800'.repeat(8))).status).toBe(400);
      expect((await send('/auth/register', '\\ufffd'.repeat(8))).status).toBe(201);
      expect((await send('/auth/login', '\\ud800'.repeat(8))).status).toBe(401);
      expect((await send('/auth/login', '\\ufffd'.repeat(8))).status).toBe(200);
    });

    test.each([
      { value: undefined },
      { value: null },
      { value: 1 },
      { value: [] },
      { value: {} },
      { value: true },
    ])('refuses $value for either field, one issue each, in order', async ({ value }) => {
      expect((await app.post('/auth/register', { email: value, password: value })).json().error).toEqual({
        status: 400,
        code: 'invalid_request',
        message: 'Invalid request: email: Email must be a string; password: Password must be a string',
        issues: [
          { path: 'email', message: 'Email must be a string' },
          { path: 'password', message: 'Password must be a string' },
        ],
      });
    });

    test('ignores unknown fields, whatever their names', async () => {
      const body =
        '{"email":"a@x.co","password":"12345678","id":7,"role":"admin","created_at":"1999","token_version":9,' +
        '"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}';
      const answer = await app.send('POST', '/auth/register', body);
      expect(answer.status).toBe(201);
      expect(rows()).toMatchObject([{ id: 1, token_version: 0, created_at: '2026-11-21T09:30:00.250Z' }]);
      expect('isAdmin' in {}).toBe(false);
    });

    test('takes the last of equal keys, for validation and storage alike', async () => {
      const body = '{"email":"bad","email":"a@x.co","password":"short","password":"12345678"}';
      expect((await app.send('POST', '/auth/register', body)).json().user['email']).toBe('a@x.co');
      const reversed = '{"email":"b@x.co","email":"bad","password":"12345678"}';
      expect((await app.send('POST', '/auth/register', reversed)).status).toBe(400);
    });

    test('validates before it looks for the address', async () => {
      await register('a@x.co');
      expect((await register('a@x.co', 'short')).status).toBe(400);
    });

    test('gives one account to fifty registrations at once', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => register('a@x.co')));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
      expect(rows()).toHaveLength(1);
      expect(app.hostErrors).toEqual([]);
    });

    test('accepts every password of 8 to 200 characters by default, common ones too', async () => {
      const common = fc.constantFrom('12345678', 'password', 'password1', 'qwertyuiop', 'aaaaaaaa', ' '.repeat(8));
      const any = fc.string({ unit: 'binary', minLength: 8, maxLength: 200 });
      let accounts = 0;
      await fc.assert(
        fc.asyncProperty(fc.oneof(common, any), async (password) => {
          const email = `u${++accounts}@x.co`;
          expect((await register(email, password)).status).toBe(201);
          expect((await app.post('/auth/login', { email, password })).status).toBe(200);
        }),
      );
    });

    test('asks the further rule of the host', async () => {
      await app.close();
      app = await startApp({
        refusePassword: async (text) => (text === '12345678' ? 'Password is too common' : undefined),
      });
      expect((await register('a@x.co')).json().error['message']).toBe(
        'Invalid request: password: Password is too common',
      );
      expect((await register('a@x.co', '12345679')).status).toBe(201);
    });

    test('leaves no row behind when the store fails, and passes the error on', async () => {
      app.db.exec(`CREATE TRIGGER t BEFORE INSERT ON users BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
      const answer = await register('a@x.co');
      expect([answer.status, answer.text]).toEqual([500, 'host 500']);
      expect(app.hostErrors).toMatchObject([{ message: 'disk full' }]);
      expect(rows()).toEqual([]);
    });
  });
});

describe('login', () => {
  // POST /login over HTTP.
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
});
