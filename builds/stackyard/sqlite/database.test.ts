// Tests of opening and closing, on real files in temporary folders.

import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { resolveDatabasePath } from './database.js';
import {
  closeDatabase,
  type Database,
  isUniqueViolation,
  openDatabase,
  type OpenedDatabase,
  type OpenOptions,
} from './index.js';
import { assertNodeApi } from './database.js';

let folder: string;
let opened: Database[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stackyard-sqlite-'));
  opened = [];
});

afterEach(() => {
  vi.unstubAllEnvs();
  for (const db of opened) closeDatabase(db);
  rmSync(folder, { recursive: true, force: true });
});

function open(file?: string, options?: OpenOptions): OpenedDatabase {
  const db = openDatabase(file, options);
  opened.push(db);
  return db;
}

function pragma(db: Database, name: string): unknown {
  return db.pragma(name, { simple: true });
}

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('Expected an error, but none was thrown');
}

describe('openDatabase()', () => {
  test('creates the file and its folders, with WAL and the other pragmas in force', () => {
    const file = join(folder, 'a', 'b', 'app.db');
    const db = open(file);
    db.exec('CREATE TABLE t (x)');
    expect(existsSync(file)).toBe(true);
    expect(existsSync(`${file}-wal`)).toBe(true);
    expect(pragma(db, 'journal_mode')).toBe('wal');
    expect(pragma(db, 'foreign_keys')).toBe(1);
    expect(pragma(db, 'busy_timeout')).toBe(5000);
    expect(pragma(db, 'synchronous')).toBe(1);
  });

  test('reads SQLITE_PATH when it is called', () => {
    const file = join(folder, 'from-env.db');
    vi.stubEnv('SQLITE_PATH', file);
    expect(open().name).toBe(file);
    expect(existsSync(file)).toBe(true);
  });

  test('opens :memory: without a file, foreign keys on', () => {
    const db = open(':memory:');
    expect(db.memory).toBe(true);
    expect(pragma(db, 'foreign_keys')).toBe(1);
  });

  test('deletes along ON DELETE CASCADE and refuses rows without a parent', () => {
    const db = open(':memory:');
    db.exec('CREATE TABLE users (id INTEGER PRIMARY KEY)');
    db.exec('CREATE TABLE posts (user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE)');
    db.exec('INSERT INTO users VALUES (1); INSERT INTO posts VALUES (1)');
    expect(() => db.exec('INSERT INTO posts VALUES (2)')).toThrow(
      expect.objectContaining({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' }),
    );
    db.exec('DELETE FROM users');
    expect(db.prepare('SELECT count(*) FROM posts').pluck().get()).toBe(0);
  });

  test('waits for busyTimeoutMs, then lets the SQLITE_BUSY of the statement through', () => {
    const file = join(folder, 'app.db');
    open(file).exec('BEGIN IMMEDIATE');
    const second = open(file, { busyTimeoutMs: 200 });
    const start = performance.now();
    expect(thrownBy(() => second.exec('BEGIN IMMEDIATE'))).toMatchObject({ code: 'SQLITE_BUSY' });
    expect(performance.now() - start).toBeGreaterThan(150);
  });

  test.each([-1, 1.5, Number.NaN, 2 ** 31])('refuses busyTimeoutMs %d', (busyTimeoutMs) => {
    expect(() => open(':memory:', { busyTimeoutMs })).toThrow(RangeError);
  });

  test('names the file when it is not a database, and leaves no handle on it', () => {
    const file = join(folder, 'notes.txt');
    writeFileSync(file, 'Not a database, and long enough for SQLite to see that. '.repeat(100));
    const error = thrownBy(() => open(file));
    expect(error).toMatchObject({ code: 'ERR_DATABASE_OPEN', cause: { code: 'SQLITE_NOTADB' } });
    expect(String(error)).toContain(file);
  });

  test('names the path when its folder cannot be made', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(thrownBy(() => open(join(file, 'app.db')))).toMatchObject({ code: 'ERR_DATABASE_OPEN' });
  });

  test('follows a link to a folder, and refuses one that leads nowhere', () => {
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    expect(thrownBy(() => open(join(folder, 'link', 'a', 'app.db')))).toMatchObject({ code: 'ERR_DATABASE_OPEN' });
    open(join(folder, 'real', 'app.db'));
    expect(open(join(folder, 'link', 'a', 'app.db')).open).toBe(true);
  });

  // Below /proc the system makes no folder, and `mkdirSync` with `recursive` would never return.
  test.runIf(existsSync('/proc/self/stat'))('names a path that the system cannot make, without waiting', () => {
    const error = thrownBy(() => open('/proc/nope/deeper/app.db'));
    expect(error).toMatchObject({ code: 'ERR_DATABASE_OPEN', cause: { code: 'ENOENT' } });
    expect(String(error)).toContain('"/proc/nope/deeper/app.db"');
  });

  test('returns the ids that it has applied', () => {
    const file = join(folder, 'app.db');
    const migrations = [{ id: '0001_test_create', sql: 'CREATE TABLE t (x)' }];
    expect(open(file).appliedMigrations).toEqual([]);
    expect(open(file, { migrations }).appliedMigrations).toEqual(['0001_test_create']);
    expect(open(file, { migrations }).appliedMigrations).toEqual([]);
  });

  test('closes the file when a migration fails', () => {
    const file = join(folder, 'app.db');
    const migrations = [{ id: '0001_test_broken', sql: 'CREATE TABLE t (' }];
    expect(thrownBy(() => open(file, { migrations }))).toMatchObject({ code: 'ERR_MIGRATION_FAILED' });
    // SQLite keeps the WAL for as long as a connection is open.
    expect(existsSync(`${file}-wal`)).toBe(false);
  });
});

describe('closeDatabase()', () => {
  test('moves the WAL into the file, and does nothing the second time', () => {
    const file = join(folder, 'app.db');
    const db = open(file);
    db.exec('CREATE TABLE t (x)');
    closeDatabase(db);
    closeDatabase(db);
    expect(db.open).toBe(false);
    expect(existsSync(`${file}-wal`)).toBe(false);
    expect(open(file).prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().get()).toBe('t');
  });

  test('rolls an open transaction back', () => {
    const file = join(folder, 'app.db');
    const db = open(file);
    db.exec('BEGIN; CREATE TABLE t (x)');
    closeDatabase(db);
    expect(open(file).prepare('SELECT count(*) FROM sqlite_schema').pluck().get()).toBe(0);
  });
});

describe('resolveDatabasePath()', () => {
  test.each([
    [undefined, {}, resolve('data/app.db')],
    [undefined, { SQLITE_PATH: ' ' }, resolve('data/app.db')],
    [undefined, { SQLITE_PATH: './x.db ' }, resolve('x.db')],
    [undefined, { SQLITE_PATH: ':memory:' }, ':memory:'],
    ['y.db', { SQLITE_PATH: './x.db' }, resolve('y.db')],
  ])('makes of %j and %j the path %j', (file, env, path) => {
    expect(resolveDatabasePath(file, env)).toBe(path);
  });

  test.each(['', ' ', 'file:./app.db', 'sqlite://app.db'])('refuses %j', (file) => {
    expect(thrownBy(() => resolveDatabasePath(file, {}))).toMatchObject({ code: 'ERR_DATABASE_PATH' });
  });
});

describe('assertNodeApi()', () => {
  test.each([['9'], [''], [undefined]])('refuses Node-API %j and names both versions', (napi) => {
    const error = thrownBy(() => assertNodeApi(napi, '22.12.0'));
    expect(error).toMatchObject({ code: 'ERR_DATABASE_NODE_TOO_OLD' });
    expect(String(error)).toMatch(/"22\.12\.0".*22\.14\.0 or newer/);
  });

  test.each(['10', '11'])('admits Node-API %j', (napi) => {
    expect(() => assertNodeApi(napi, '24.0.0')).not.toThrow();
  });
});

describe('isUniqueViolation()', () => {
  test('knows unique columns and primary keys, and nothing else', () => {
    const db = open(':memory:');
    db.exec('CREATE TABLE t (id TEXT PRIMARY KEY, email TEXT UNIQUE NOT NULL)');
    db.exec("INSERT INTO t VALUES ('1', 'a')");
    const unique = thrownBy(() => db.exec("INSERT INTO t VALUES ('2', 'a')"));
    expect(unique).toMatchObject({ code: 'SQLITE_CONSTRAINT_UNIQUE' });
    expect(isUniqueViolation(unique)).toBe(true);
    expect(isUniqueViolation(thrownBy(() => db.exec("INSERT INTO t VALUES ('1', 'b')")))).toBe(true);
    expect(isUniqueViolation(thrownBy(() => db.exec("INSERT INTO t VALUES ('2', NULL)")))).toBe(false);
    expect(isUniqueViolation(undefined)).toBe(false);
  });
});
