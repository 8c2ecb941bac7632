// Migrations.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeDatabase, type Database, migrate, type Migration, openDatabase } from './index.js';
import { findTransactionStatement } from './migration.js';

describe('migrate', () => {
  // Tests of migrating one connection. Two processes at once: see migrate-race.test.ts.
  const users: Migration = {
    id: '0001_account_create_users',
    sql: `CREATE TABLE users (id INTEGER PRIMARY KEY);
    CREATE TABLE logins (user_id INTEGER REFERENCES users (id) ON DELETE CASCADE);`,
  };
  const posts: Migration = { id: '0002_blog_create_posts', sql: 'CREATE TABLE posts (x)' };

  let folder: string;
  let file: string;
  let db: Database;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stackyard-sqlite-'));
    file = join(folder, 'app.db');
    db = openDatabase(file);
  });

  afterEach(() => {
    try {
      closeDatabase(db);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  function tables(): unknown[] {
    return db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();
  }

  function appliedIds(): unknown[] {
    return db.prepare('SELECT id FROM _migrations ORDER BY rowid').pluck().all();
  }

  function thrownBy(action: () => unknown): unknown {
    try {
      action();
    } catch (error) {
      return error;
    }
    throw new Error('Expected an error, but none was thrown');
  }

  describe('migrate()', () => {
    test('applies a list to a fresh file in order of the ids and records it', () => {
      const now = () => new Date('2026-01-02T03:04:05.678Z');
      expect(migrate(db, [posts, users], { now })).toEqual([users.id, posts.id]);
      expect(tables()).toEqual(['_migrations', 'logins', 'posts', 'users']);
      expect(db.prepare('SELECT * FROM _migrations ORDER BY id LIMIT 1').get()).toEqual({
        id: users.id,
        checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
        applied_at: '2026-01-02T03:04:05.678Z',
      });
    });

    test('does nothing the second time, also after the file was opened again', () => {
      migrate(db, [users, posts]);
      expect(migrate(db, [users, posts])).toEqual([]);
      closeDatabase(db);
      db = openDatabase(file, { migrations: [users, posts] });
      expect(appliedIds()).toEqual([users.id, posts.id]);
    });

    test('applies an id that sorts before applied ones of another list', () => {
      migrate(db, [posts]);
      expect(migrate(db, [users])).toEqual([users.id]);
      expect(appliedIds()).toEqual([posts.id, users.id]);
    });

    test('leaves nothing of a failing migration and keeps the ones before it', () => {
      const broken = { id: '0003_blog_broken', sql: 'CREATE TABLE half (x); INSERT INTO missing VALUES (1)' };
      const error = thrownBy(() => migrate(db, [users, broken]));
      expect(error).toMatchObject({ code: 'ERR_MIGRATION_FAILED', cause: { code: 'SQLITE_ERROR' } });
      expect(String(error)).toMatch(/"0003_blog_broken".*missing/);
      expect(tables()).toEqual(['_migrations', 'logins', 'users']);
      expect(appliedIds()).toEqual([users.id]);
      expect(db.inTransaction).toBe(false);
      expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
      expect(migrate(db, [users, { ...broken, sql: 'CREATE TABLE half (x)' }])).toEqual([broken.id]);
    });

    test('rolls back when the SQL itself ends the transaction by a conflict clause', () => {
      const sql = 'CREATE TABLE t (x UNIQUE); INSERT INTO t VALUES (1); INSERT OR ROLLBACK INTO t VALUES (1)';
      expect(thrownBy(() => migrate(db, [{ id: '0001_test_conflict', sql }]))).toMatchObject({
        code: 'ERR_MIGRATION_FAILED',
        cause: { code: 'SQLITE_CONSTRAINT_UNIQUE' },
      });
      expect(tables()).toEqual(['_migrations']);
    });

    test('refuses an edited migration before it applies any other', () => {
      migrate(db, [posts]);
      const error = thrownBy(() => migrate(db, [users, { ...posts, sql: `${posts.sql} ` }]));
      expect(error).toMatchObject({ code: 'ERR_MIGRATION_EDITED' });
      expect(String(error)).toContain(posts.id);
      expect(tables()).toEqual(['_migrations', 'posts']);
    });

    test('does not take other line endings for an edit', () => {
      migrate(db, [users]);
      expect(migrate(db, [{ ...users, sql: users.sql.replaceAll('\n', '\r\n') }])).toEqual([]);
    });

    test.each([
      '1_short',
      '00001_long',
      '0001',
      '0001_',
      '0001_Users',
      '0001_a__b',
      '0001-users',
      '0001_a.sql',
      '0001_a\n',
    ])('refuses the id %j', (id) => {
      expect(thrownBy(() => migrate(db, [users, { id, sql: 'SELECT 1' }]))).toMatchObject({ code: 'ERR_MIGRATION_ID' });
      expect(tables()).toEqual([]);
    });

    test.each([
      ['in a list', [users, { ...users }]],
      ['in two lists', [[users], [posts, users]]],
    ])('refuses the same id twice %s', (_where, migrations) => {
      expect(thrownBy(() => migrate(db, migrations))).toMatchObject({ code: 'ERR_MIGRATION_DUPLICATE' });
      expect(tables()).toEqual([]);
    });

    test('applies several lists one after the other, each in order of its ids', () => {
      const own: readonly Migration[] = [
        { id: '0002_app_count_users', sql: 'CREATE TABLE counts AS SELECT count(*) AS n FROM users' },
        // Sorts before the ids of the first list, and needs all of them.
        { id: '0000_app_copy_users', sql: 'CREATE TABLE copies AS SELECT * FROM users JOIN posts' },
      ];
      expect(migrate(db, [[posts, users], [], own])).toEqual([
        users.id,
        posts.id,
        '0000_app_copy_users',
        '0002_app_count_users',
      ]);
      expect(migrate(db, [[users, posts], own])).toEqual([]);
    });

    test('does nothing for an empty list, and for a list of empty lists', () => {
      expect(migrate(db, [])).toEqual([]);
      expect(migrate(db, [[], []])).toEqual([]);
    });

    test('refuses a list that mixes migrations and lists', () => {
      const mixed = [users, [posts]] as unknown as readonly Migration[];
      expect(thrownBy(() => migrate(db, mixed))).toMatchObject({ code: 'ERR_MIGRATION_ID' });
      expect(tables()).toEqual([]);
    });

    test.each([
      '',
      ' \n',
      'CREATE TABLE a (x);\0CREATE TABLE b (x)',
      'CREATE TABLE a (x); COMMIT; BEGIN; CREATE TABLE b (x',
    ])('refuses the SQL %j before it runs', (sql) => {
      expect(thrownBy(() => migrate(db, [{ id: '0001_test_sql', sql }]))).toMatchObject({ code: 'ERR_MIGRATION_SQL' });
      expect(tables()).toEqual([]);
    });

    test('refuses to run inside an open transaction and leaves that open', () => {
      db.exec('BEGIN');
      expect(thrownBy(() => migrate(db, [users]))).toMatchObject({ code: 'ERR_MIGRATION_IN_TRANSACTION' });
      expect(db.inTransaction).toBe(true);
    });

    test('rebuilds a table without deleting the rows that refer to it', () => {
      migrate(db, [users]);
      db.exec('INSERT INTO users VALUES (1); INSERT INTO logins VALUES (1)');
      const sql = `
      CREATE TABLE new_users (id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO new_users (id) SELECT id FROM users;
      DROP TABLE users;
      ALTER TABLE new_users RENAME TO users;`;
      migrate(db, [{ id: '0002_account_add_name', sql }]);
      expect(db.prepare('SELECT count(*) FROM logins').pluck().get()).toBe(1);
      db.exec('DELETE FROM users');
      expect(db.prepare('SELECT count(*) FROM logins').pluck().get()).toBe(0);
    });

    test('rolls back a migration that leaves rows without their parent', () => {
      migrate(db, [users]);
      db.exec('INSERT INTO users VALUES (1); INSERT INTO logins VALUES (1)');
      const error = thrownBy(() => migrate(db, [{ id: '0002_test_orphans', sql: 'DELETE FROM users' }]));
      expect(error).toMatchObject({ code: 'ERR_MIGRATION_FOREIGN_KEY' });
      expect(String(error)).toMatch(/"0002_test_orphans".*"logins".*"users"/);
      expect(db.prepare('SELECT count(*) FROM users').pluck().get()).toBe(1);
    });

    test('says so when another connection holds the lock', () => {
      const other = openDatabase(file);
      try {
        other.exec('BEGIN IMMEDIATE');
        db.pragma('busy_timeout = 50');
        expect(thrownBy(() => migrate(db, [users]))).toMatchObject({
          code: 'ERR_DATABASE_BUSY',
          cause: { code: 'SQLITE_BUSY' },
        });
      } finally {
        closeDatabase(other);
      }
    });

    test('says so when "_migrations" is a table of another tool', () => {
      db.exec('CREATE TABLE _migrations (version INTEGER)');
      expect(thrownBy(() => migrate(db, [users]))).toMatchObject({ code: 'ERR_MIGRATION_TABLE' });
    });
  });
});

describe('transaction statement', () => {
  // Tests of the search for transaction statements, above all of what must not be taken for one.
  const TRIGGER =
    'CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET x = CASE WHEN x > 1 THEN 1 ELSE 0 END; DELETE FROM b; END';

  test.each([
    ['BEGIN', 'BEGIN'],
    ['begin immediate;', 'BEGIN'],
    ['CREATE TABLE a (x);\n  Commit;\nBEGIN', 'COMMIT'],
    ['CREATE TABLE a (x); END TRANSACTION', 'END'],
    ['-- first\n/* then */ ROLLBACK', 'ROLLBACK'],
    [';;SAVEPOINT s', 'SAVEPOINT'],
    ['RELEASE s', 'RELEASE'],
    [`${TRIGGER}; COMMIT`, 'COMMIT'],
    [`${TRIGGER.replace('CREATE', 'create temp')} /* done */ ; END`, 'END'],
    ["INSERT INTO a VALUES ('it''s'); COMMIT", 'COMMIT'],
  ])('findTransactionStatement() finds the one in %j', (sql, word) => {
    expect(findTransactionStatement(sql)).toBe(word);
  });

  test.each([
    '',
    'CREATE TABLE a (x)',
    TRIGGER,
    `${TRIGGER};`,
    `${TRIGGER}; CREATE TABLE c (x); ${TRIGGER.replace('CREATE', 'CREATE TEMPORARY')};`,
    "INSERT INTO a VALUES ('; COMMIT;')",
    'CREATE TABLE "; COMMIT" (`; COMMIT` TEXT, [; COMMIT] TEXT)',
    'CREATE TABLE a (x); -- ; COMMIT\n',
    'CREATE TABLE a (x); /* ; COMMIT',
    'CREATE TABLE "begin" (x, "commit"); CREATE TABLE begin_end (x)',
    "UPDATE a SET x = CASE x WHEN 1 THEN 'a' END",
  ])('findTransactionStatement() finds none in %j', (sql) => {
    expect(findTransactionStatement(sql)).toBeUndefined();
  });
});
