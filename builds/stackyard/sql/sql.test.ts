// On SQLite. The same on PostgreSQL is in tests/modules/sql.long.test.ts.

import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { explain } from './errors.js';
import { createSql, isUniqueViolation, portableMigrations, SqlError, statement } from './index.js';

function open() {
  const db = new Sqlite(':memory:');
  onTestFinished(() => void db.close());
  db.exec('CREATE TABLE notes (id TEXT PRIMARY KEY, at BIGINT, data BLOB)');
  return { db, sql: createSql(() => db) };
}

test('statements give rows, whose parameters may be used several times and in any order', async () => {
  const { sql } = open();
  expect(sql.dialect).toBe('sqlite');
  const at = Date.now();
  expect(await sql.query('INSERT INTO notes VALUES ($2, $1, $3)', [at, 'a', new Uint8Array([1, 2])])).toEqual([]);
  const [row] = await sql.query('SELECT at, data FROM notes WHERE id = $1 OR id = $1', ['a']);
  expect(row).toEqual({ at, data: Buffer.from([1, 2]) });
  expect(await sql.query('UPDATE notes SET at = NULL RETURNING id, at')).toEqual([{ id: 'a', at: null }]);
  const counts = await sql.query('SELECT count(*) AS n, sum(at) AS s, 1 > 0 AS t FROM notes');
  expect(counts).toEqual([{ n: 1, s: null, t: 1 }]);
});

test('a statement has run when query() returns, so that it belongs to the transaction of the caller', async () => {
  const { db, sql } = open();
  let written: Promise<unknown> | undefined;
  const work = db.transaction(() => {
    written = sql.query("INSERT INTO notes VALUES ('a', 1, NULL)");
    throw new Error('no');
  });
  expect(work).toThrow('no');
  await written;
  expect(await sql.query('SELECT id FROM notes')).toEqual([]);
  const insert = db.transaction(() => void sql.on(db).query("INSERT INTO notes VALUES ('b', 1, NULL)"));
  insert();
  // A failure is thrown, so that it ends the transaction.
  expect(insert).toThrow('UNIQUE');
  expect(await sql.query('SELECT id FROM notes')).toEqual([{ id: 'b' }]);
});

test('a transaction commits what it returns from, and rolls back what throws', async () => {
  const { sql } = open();
  const count = await sql.transaction(function* () {
    yield* statement("INSERT INTO notes VALUES ('a', 1, NULL)");
    const [row] = yield* statement<{ n: number }>('SELECT count(*) AS n FROM notes');
    return row?.n;
  });
  expect(count).toBe(1);
  const failing = sql.transaction(function* () {
    yield* statement('DELETE FROM notes');
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await sql.query('SELECT id FROM notes')).toEqual([{ id: 'a' }]);
});

test('a statement that fails ends the transaction, whatever the steps catch', async () => {
  const { sql } = open();
  await sql.query("INSERT INTO notes VALUES ('a', 1, NULL)");
  let cleaned = 0;
  const failing = sql.transaction(function* () {
    try {
      yield* statement("INSERT INTO notes VALUES ('b', 1, NULL)");
      yield* statement("INSERT INTO notes VALUES ('a', 1, NULL)");
    } catch {
      return 'caught';
    } finally {
      cleaned++;
    }
    return 'done';
  });
  await expect(failing).rejects.toSatisfy(isUniqueViolation);
  expect(cleaned).toBe(1);
  expect(await sql.query('SELECT id FROM notes')).toEqual([{ id: 'a' }]);
});

test('other statements do not come into a transaction', async () => {
  const { sql } = open();
  const failing = sql.transaction(function* () {
    yield* statement("INSERT INTO notes VALUES ('a', 1, NULL)");
    throw new Error('no');
  });
  const beside = sql.query("INSERT INTO notes VALUES ('b', 1, NULL)");
  await Promise.allSettled([failing, beside]);
  expect(await sql.query('SELECT id FROM notes')).toEqual([{ id: 'b' }]);
});

test.each([
  [Object.assign(new Error('x'), { code: 'SQLITE_BUSY_SNAPSHOT' }), true],
  [Object.assign(new Error('x'), { code: 'SQLITE_FULL' }), true],
  [Object.assign(new Error('x'), { code: '57P01' }), true],
  [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), true],
  [new Error('Connection terminated unexpectedly'), true],
  [Object.assign(new Error('x'), { code: '23505' }), false],
  [Object.assign(new Error('x'), { code: 'SQLITE_ERROR' }), false],
  [new Error('mine'), false],
  ['text', false],
])('explain() of %o gives a SqlError: %s', (error, isAway) => {
  const explained = explain(error);
  expect(explained instanceof SqlError).toBe(isAway);
  if (isAway) expect(explained).toMatchObject({ status: 503, expose: true, cause: error });
  else expect(explained).toBe(error);
});

test('a migration is for both databases', () => {
  const up = 'CREATE TABLE x (id TEXT PRIMARY KEY, data BLOB)';
  const [migration] = portableMigrations([{ id: '0001_x_create', up }]);
  expect(migration).toEqual({
    id: '0001_x_create',
    sql: 'CREATE TABLE x (id TEXT PRIMARY KEY, data BLOB)',
    up: 'CREATE TABLE x (id TEXT PRIMARY KEY, data BYTEA)',
  });
});
