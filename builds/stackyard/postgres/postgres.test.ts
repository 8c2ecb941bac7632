// What needs no server: settings, and what errors mean. The rest is in tests/auth/postgres-build.test.ts.

import pg from 'pg';
import { expect, test } from 'vitest';
import { checkSettings } from './database.js';
import { DatabaseError, explain, isUnavailable, isUniqueViolation, sqlState } from './errors.js';
import { createPostgresModule } from './postgres-module.js';

test.each([
  [{}, 1],
  [{ NODE_ENV: 'production' }, 1],
  [{ NODE_ENV: 'development' }, 0],
  [{ NODE_ENV: 'test' }, 0],
  [{ DATABASE_URL: 'postgres://user:p%40ss@db:5432/app' }, 0],
  [{ DATABASE_URL: 'postgresql://db/app?sslmode=require' }, 0],
  [{ NODE_ENV: 'test', DATABASE_URL: 'mysql://user:secret@db/app' }, 1],
  [{ DATABASE_URL: 'postgres://user:100%secret@db/app' }, 1],
  [{ DATABASE_URL: 'secret' }, 1],
])('checkSettings() of %o finds %i problems and shows no value', (env, count) => {
  const problems = checkSettings(env);
  expect(problems.map(({ name }) => name)).toEqual(Array.from({ length: count }, () => 'DATABASE_URL'));
  expect(JSON.stringify(problems)).not.toContain('secret');
});

const ofDatabase = (code: string): Error => Object.assign(new pg.DatabaseError('no', 2, 'error'), { code });

test.each([
  ['53100', 'ERR_DATABASE_UNAVAILABLE'], // a full disk
  ['57P01', 'ERR_DATABASE_UNAVAILABLE'],
  ['08006', 'ERR_DATABASE_UNAVAILABLE'],
  ['25006', 'ERR_DATABASE_UNAVAILABLE'],
  ['57014', 'ERR_DATABASE_TIMEOUT'],
  ['53300', 'ERR_DATABASE_BUSY'],
  ['40001', 'ERR_DATABASE_BUSY'],
])('explain() of SQLSTATE %s gives %s, which keeps the SQLSTATE', (state, code) => {
  const explained = explain(ofDatabase(state));
  expect(explained).toMatchObject({ code, status: 503 });
  expect(isUnavailable(explained)).toBe(true);
  expect(sqlState(explained)).toBe(state);
});

test('explain() leaves errors of statements and of the application as they are', () => {
  for (const error of [ofDatabase('23505'), ofDatabase('42601'), new Error('mine'), 'text', undefined]) {
    expect(explain(error)).toBe(error);
    expect(isUnavailable(error)).toBe(false);
  }
  expect(isUniqueViolation(ofDatabase('23505'))).toBe(true);
  expect(isUniqueViolation(ofDatabase('23503'))).toBe(false);
  expect(new DatabaseError('ERR_MIGRATION_FAILED', 'x')).toMatchObject({ status: 500, message: 'x' });
});

test('start() in tests says at once that there is no server, and how to get one', async () => {
  const log = { info: expect.fail, warn: expect.fail };
  const env = { NODE_ENV: 'test', DATABASE_URL: 'postgres://127.0.0.1:1/app' };
  await expect(createPostgresModule().start({ env, log, migrations: [] })).rejects.toMatchObject({
    code: 'ERR_DATABASE_UNAVAILABLE',
    message: expect.stringMatching(/ECONNREFUSED[^]*docker run .* postgres:17[^]*DATABASE_URL=/) as string,
  });
});
