// stackyard/sql on PostgreSQL; on SQLite see builds/stackyard/sql/sql.test.ts.

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createSql,
  isUniqueViolation,
  portableMigrations,
  SqlError,
  statement,
} from '../../builds/stackyard/sql/index.ts';
import { type PostgresServer, startPostgres } from '../auth/postgres-fixture.ts';

let server: PostgresServer;
let pool: pg.Pool;
const sql = createSql(() => pool);

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ connectionString: await server.createDatabase('sql') });
  pool.on('error', () => {});
  const [migration] = portableMigrations([
    { id: '0001_notes', up: 'CREATE TABLE notes (id TEXT PRIMARY KEY, at BIGINT, data BLOB)' },
  ]);
  await pool.query(migration!.up);
});
afterAll(async () => {
  await pool.end();
  server.remove();
});

test('rows are as those of SQLite', async () => {
  const at = Date.now();
  expect(sql.dialect).toBe('postgres');
  expect(
    await sql.query('INSERT INTO notes VALUES ($2, $1, $3)', [at, 'a', new Uint8Array([1, 2])]),
  ).toEqual([]);
  expect(await sql.query('SELECT at, data FROM notes WHERE id = $1 OR id = $1', ['a'])).toEqual([
    { at, data: Buffer.from([1, 2]) },
  ]);
  expect(await sql.query('SELECT count(*) AS n, sum(at) AS s, 1 > 0 AS t FROM notes')).toEqual([
    { n: 1, s: at, t: 1 },
  ]);
  expect(await sql.query("DELETE FROM notes WHERE id = 'a' RETURNING id")).toEqual([{ id: 'a' }]);
});

test('a transaction commits, rolls back, and ends with a statement that fails', async () => {
  const insert = (id: string) => statement('INSERT INTO notes VALUES ($1, 1, NULL)', [id]);
  await sql.transaction(function* () {
    yield* insert('b');
  });
  const thrown = sql.transaction(function* () {
    yield* insert('c');
    throw new Error('no');
  });
  await expect(thrown).rejects.toThrow('no');
  let cleaned = 0;
  const failing = sql.transaction(function* () {
    try {
      yield* insert('d');
      yield* insert('b');
    } catch {
      return;
    } finally {
      cleaned++;
    }
  });
  await expect(failing).rejects.toSatisfy(isUniqueViolation);
  expect(cleaned).toBe(1);
  expect(await sql.query('DELETE FROM notes RETURNING id')).toEqual([{ id: 'b' }]);
});

test('transactions that lock each other out are repeated until all are done', async () => {
  await sql.query("INSERT INTO notes VALUES ('x', 0, NULL), ('y', 0, NULL)");
  const add = (first: string, second: string) =>
    sql.transaction(function* () {
      for (const id of [first, second]) {
        yield* statement('UPDATE notes SET at = at + 1 WHERE id = $1', [id]);
        yield* statement('SELECT pg_sleep(0.02)');
      }
    });
  await Promise.all(
    Array.from({ length: 4 }, (_, index) => (index % 2 ? add('x', 'y') : add('y', 'x'))),
  );
  expect(await sql.query('DELETE FROM notes RETURNING at')).toEqual([{ at: 4 }, { at: 4 }]);
});

test('a statement joins the transaction of a connection of the caller', async () => {
  const client = await pool.connect();
  await client.query('BEGIN');
  await sql.on(client).query("INSERT INTO notes VALUES ('t', 1, NULL)");
  await client.query('ROLLBACK');
  client.release();
  expect(await sql.query('SELECT id FROM notes')).toEqual([]);
});

test('a connection that breaks is a SqlError and leaves the pool; the next call works when the server is back', async () => {
  const killed = sql.query('SELECT pg_terminate_backend(pg_backend_pid())');
  await expect(killed).rejects.toBeInstanceOf(SqlError);
  expect(await sql.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  server.stop('immediate');
  await expect(sql.query('SELECT 1')).rejects.toBeInstanceOf(SqlError);
  await expect(
    sql.transaction(function* () {
      yield* statement('SELECT 1');
    }),
  ).rejects.toBeInstanceOf(SqlError);
  server.start();
  expect(await sql.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});
