// The options, mails and tokens of recovery.

import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { createAccount, readAccountConfig } from '../account/index.js';
import { accountMigrations, createSqliteStore } from '../account-sqlite/store.js';
import { closeDatabase, type Database, openDatabase } from '../sqlite/index.js';
import { startApp } from '../account/test-app.js';
import { createAccountModule } from '../account-core/index.js';
import { createRecovery, createRecoveryModule, type RecoveryOptions } from './index.js';
import { linkBelow, writeMail } from './mail.js';
import { createRecoveryToken, hashRecoveryToken } from './recovery.js';

describe('recovery dependencies', () => {
  // The options of the recovery routes.
  let db: Database | undefined;

  afterEach(() => db && closeDatabase(db));

  const log = { warn: () => {}, error: () => {} };

  function create(options: Partial<RecoveryOptions>): void {
    db = openDatabase(':memory:');
    const account = createAccount(db, readAccountConfig({ NODE_ENV: 'test' }), { log });
    createRecovery(account, { sendMail: () => {}, link: 'https://app.example.com', ...options });
  }

  test.each([0, -1, 1.5, NaN, Infinity, 31_536_001])('createRecovery() refuses %d seconds', (seconds) => {
    for (const name of ['resetTtlSeconds', 'verificationTtlSeconds'])
      expect(() => create({ [name]: seconds })).toThrow(new RangeError(`Option "${name}" is "${seconds}": use a whole number from 1 to 31536000`));
  });

  test.each([0, 0.5, NaN, 2 ** 31])('createRecovery() refuses %d milliseconds', (mailTimeoutMs) => {
    expect(() => create({ mailTimeoutMs })).toThrow('Option "mailTimeoutMs"');
  });

  test('createRecovery() refuses a link that is no URL', () => {
    expect(() => create({ link: 'app.example.com' })).toThrow('Option "link" is "app.example.com"');
    expect(() => create({ link: () => '' })).not.toThrow();
  });
});

describe('recovery mail', () => {
  // The links and texts of the mails.
  describe('linkBelow()', () => {
    test.each([
      ['https://app.example.com', 'https://app.example.com/'],
      ['https://app.example.com/', 'https://app.example.com/'],
      ['http://localhost:5173/a//', 'http://localhost:5173/a/'],
      ['https://app.example.com/a/b?x=1#y', 'https://app.example.com/a/b/'],
    ])('links to the pages below %j', (baseUrl, folder) => {
      expect(linkBelow(baseUrl)('password_reset', 'T')).toBe(`${folder}reset-password?token=T`);
      expect(linkBelow(baseUrl)('email_verification', 'T')).toBe(`${folder}verify-email?token=T`);
    });

    test.each(['', 'app.example.com', '/reset', 'javascript:alert(1)', 'ftp://x.co', 'https://'])('refuses %j', (text) => {
      expect(() => linkBelow(text)).toThrow(RangeError);
    });
  });

  describe('writeMail()', () => {
    const mail = (ttlSeconds: number) =>
      writeMail({
        to: 'a@example.com',
        purpose: 'password_reset',
        token: 'T',
        link: 'https://x.co/?token=T',
        expiresAt: '2026-11-21T10:00:00.000Z',
        ttlSeconds,
      });

    test('has the address, the link and the time in its text', () => {
      expect(mail(1800)).toEqual({
        html: expect.stringContaining('within 30 minutes:<br>'),
        to: 'a@example.com',
        purpose: 'password_reset',
        token: 'T',
        link: 'https://x.co/?token=T',
        expiresAt: '2026-11-21T10:00:00.000Z',
        subject: 'Reset your password',
        text:
          'A new password was requested for the account a@example.com.\n\n' +
          'To choose one, open this link within 30 minutes:\nhttps://x.co/?token=T\n\n' +
          'If you did not request it, do nothing: your password stays as it is.\n',
      });
    });

    test.each([
      [1, '1 second'],
      [119, '119 seconds'],
      [120, '2 minutes'],
      [7199, '119 minutes'],
      [86_400, '24 hours'],
    ])('writes %d seconds', (seconds, text) => {
      expect(mail(seconds).text).toContain(`within ${text}:`);
    });
  });
});

describe('recovery token', () => {
  // The form of recovery tokens and of what is stored of them.
  test('createRecoveryToken() gives 256 bits, another every time', () => {
    const tokens = Array.from({ length: 1000 }, createRecoveryToken);
    expect(new Set(tokens).size).toBe(1000);
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  });

  test('hashRecoveryToken() is a SHA-256 that depends on the purpose and does not contain the token', () => {
    const token = createRecoveryToken();
    const hashes = [hashRecoveryToken('password_reset', token), hashRecoveryToken('email_verification', token)];
    expect(new Set(hashes).size).toBe(2);
    for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hashes).toEqual([hashRecoveryToken('password_reset', token), hashRecoveryToken('email_verification', token)]);
  });

  test('hashRecoveryToken() gives another hash, or none, for every other text', () => {
    const token = createRecoveryToken();
    const hash = hashRecoveryToken('password_reset', token);
    const character = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/. \n\0é');
    fc.assert(
      fc.property(fc.nat(42), character, (index, other) => {
        const changed = token.slice(0, index) + other + token.slice(index + 1);
        fc.pre(changed !== token);
        expect(hashRecoveryToken('password_reset', changed)).not.toBe(hash);
      }),
    );
    for (const text of ['', token.slice(1), `${token}A`, ` ${token}`, `${token}\n`, `${token}=`])
      expect(hashRecoveryToken('password_reset', text)).toBeUndefined();
  });
});

test('writeMail() writes the same as HTML, with the address escaped', () => {
  const to = "a<b>&'@example.com";
  const fields = { to, token: 'T', link: 'https://app.example.com/?a=1&token=T', expiresAt: '', ttlSeconds: 1800 };
  const { html } = writeMail({ ...fields, purpose: 'password_reset' });
  expect(html).toContain('<p>A new password was requested for the account a&#60;b&#62;&#38;&#39;@example.com.</p>');
  expect(html).toContain('<a href="https://app.example.com/?a=1&#38;token=T">https://app.example.com/?a=1&#38;token=T</a>');
});

test('an account that registers gets the mail that verifies its address, where that is an option', async () => {
  for (const verifyOnRegistration of [false, true]) {
    const onEvent = (): never => {
      throw new Error('of the host');
    };
    const app = await startApp({ recovery: { verifyOnRegistration }, onEvent });
    try {
      const session = await app.signUp();
      await new Promise((resolve) => setImmediate(resolve));
      await app.recovery.settled();
      const mails = verifyOnRegistration ? [expect.objectContaining({ to: 'a@example.com', purpose: 'email_verification' })] : [];
      expect(app.mails).toEqual(mails);
      if (!verifyOnRegistration) continue;
      expect((await app.post('/auth/verification/confirm', { token: app.mails[0]?.token })).status).toBe(204);
      expect((await app.get('/verified', session)).status).toBe(200);
    } finally {
      await app.close();
    }
  }
});

test.each([
  [{ APP_URL: 'https://shop.example/app' }, 'https://shop.example/app/reset-password?token='],
  [{ NODE_ENV: 'development' }, 'http://localhost:3000/reset-password?token='],
  [{ NODE_ENV: 'test', PORT: '4000' }, 'http://localhost:4000/reset-password?token='],
  [{ NODE_ENV: 'production' }, undefined],
  [{}, undefined],
  [{ APP_URL: 'shop.example' }, undefined],
])('the module links to the pages at APP_URL: %o', async (env, start) => {
  const db = openDatabase(':memory:', { migrations: accountMigrations });
  try {
    const account = createAccountModule({ openStore: () => createSqliteStore(db) });
    const links: string[] = [];
    const recovery = createRecoveryModule(account, { sendMail: ({ link }) => links.push(link) });
    expect(recovery.checkSettings(env).map(({ name }) => name)).toEqual(start === undefined ? ['APP_URL'] : []);
    const other = createAccountModule({ openStore: () => createSqliteStore(db) });
    expect(createRecoveryModule(other, { sendMail: () => {}, link: 'https://a.example' }).checkSettings(env)).toEqual([]);
    if (start === undefined) return;
    await account.start({ env: { NODE_ENV: 'test' }, log: console });
    await recovery.start({ env });
    await (await account.accounts()).dependencies.store.users.insert({ email: 'a@example.com', passwordHash: 'hash', createdAt: new Date().toISOString() });
    const request = new Request('http://localhost/auth/password-reset', { method: 'POST', body: '{"email":"a@example.com"}' });
    expect((await account.routes[0].fetch(request, { prefix: '/auth' }))?.status).toBe(202);
    await recovery.stop();
    expect(links).toEqual([expect.stringContaining(start)]);
  } finally {
    closeDatabase(db);
  }
});
