// The options of the recovery routes.

import { afterEach, expect, test } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '../sqlite/index.js';
import { createAccount, createRecovery, readAccountConfig, type RecoveryOptions } from './index.js';

let db: Database | undefined;

afterEach(() => db && closeDatabase(db));

const log = { warn: () => {}, error: () => {} };

function create(options: Partial<RecoveryOptions>): void {
  db = openDatabase(':memory:');
  const account = createAccount(db, readAccountConfig({ NODE_ENV: 'test' }), { log });
  createRecovery(db, account, { sendMail: () => {}, link: 'https://app.example.com', ...options });
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
