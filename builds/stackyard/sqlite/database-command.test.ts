// The commands of the project, and copies of a database.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  backupDatabase,
  closeDatabase,
  type Database,
  type Migration,
  type Migrations,
  openDatabase,
  readMigrationStatus,
  runDatabaseCommand,
} from './index.js';

describe('database command', () => {
  // The commands db:status and db:migrate, and the list behind them.
  const USERS: Migration = { id: '0001_account_create_users', sql: 'CREATE TABLE users (id INTEGER PRIMARY KEY)' };
  const NOTES: Migration = { id: '0001_app_create_notes', sql: 'CREATE TABLE notes AS SELECT id FROM users' };
  const LISTS: Migrations = [[USERS], [NOTES]];

  const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stackyard-sqlite-'));
    file = join(folder, 'app.db');
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  function run(args: readonly string[], migrations: Migrations = LISTS, path = file) {
    const lines: string[] = [];
    const errors: string[] = [];
    const options = {
      file: path,
      print: (line: string) => void lines.push(line.replace(TIME, 'TIME')),
      printError: (line: string) => void errors.push(line),
    };
    return { exit: runDatabaseCommand(args, migrations, options), lines, errors };
  }

  describe('runDatabaseCommand()', () => {
    test('lists what is pending and creates no file for that', () => {
      expect(run(['status'])).toEqual({
        exit: 1,
        lines: [
          `Database ${file}`,
          'pending   0001_account_create_users',
          'pending   0001_app_create_notes',
          '2 of 2 migrations are pending or edited',
        ],
        errors: [],
      });
      expect(readdirSync(folder)).toEqual([]);
    });

    test('applies what is pending, once', () => {
      const applied = ['applied   0001_account_create_users', 'applied   0001_app_create_notes'];
      expect(run(['migrate'])).toEqual({ exit: 0, lines: applied, errors: [] });
      expect(run(['migrate'])).toEqual({ exit: 0, lines: ['Nothing is pending'], errors: [] });
      const lines = [`Database ${file}`, ...applied.map((line) => `${line}  TIME`), 'Nothing is pending'];
      expect(run(['status'])).toEqual({ exit: 0, lines, errors: [] });
    });

    test('reports an edited migration, and refuses to apply it', () => {
      run(['migrate']);
      const edited: Migrations = [[{ ...USERS, sql: 'CREATE TABLE users (name TEXT)' }], [NOTES]];
      expect(run(['status'], edited)).toMatchObject({
        exit: 1,
        lines: expect.arrayContaining(['edited    0001_account_create_users  TIME']),
      });
      expect(run(['migrate'], edited)).toEqual({
        exit: 1,
        lines: [],
        errors: [expect.stringMatching(/^error: Cannot migrate .*"0001_account_create_users" was edited/)],
      });
    });

    test('reports what was applied and is not in the list', () => {
      run(['migrate']);
      expect(run(['status'], [USERS])).toMatchObject({
        exit: 0,
        lines: expect.arrayContaining(['unlisted  0001_app_create_notes  TIME']),
      });
    });

    test('reads the file that SQLITE_PATH names', () => {
      vi.stubEnv('SQLITE_PATH', file);
      expect(runDatabaseCommand(['migrate'], LISTS, { print: () => {} })).toBe(0);
      expect(existsSync(file)).toBe(true);
    });

    test.each([[[]], [['up']], [['status', 'now']]])('refuses the arguments %j', (args) => {
      const { exit, lines, errors } = run(args);
      expect([exit, lines, errors]).toEqual([
        2,
        [],
        [`error: Cannot run "${args.join(' ')}" on the database`, expect.stringMatching(/^Usage: status .*migrate/)],
      ]);
      expect(readdirSync(folder)).toEqual([]);
    });

    test.each(['status', 'migrate'])('%s names a file that is no database, and leaves it alone', (command) => {
      const text = 'Not a database, and long enough for SQLite to see that. '.repeat(100);
      writeFileSync(file, text);
      const { exit, errors } = run([command]);
      expect([exit, errors]).toEqual([1, [expect.stringContaining(`database "${file}"`)]]);
      expect(readFileSync(file, 'utf8')).toBe(text);
    });

    test.each(['status', 'migrate'])('%s refuses a path that is none', (command) => {
      expect(run([command], LISTS, 'file:./app.db')).toMatchObject({
        exit: 1,
        errors: [expect.stringMatching(/^error: /)],
      });
    });
  });

  test('readMigrationStatus() changes nothing', () => {
    const db = openDatabase(file);
    try {
      expect(readMigrationStatus(db, LISTS).map(({ state }) => state)).toEqual(['pending', 'pending']);
      expect(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()).toBe(0);
    } finally {
      closeDatabase(db);
    }
  });
});

describe('backup', () => {
  // Copies of a database that is in use.
  let folder: string;
  let db: Database;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stackyard-sqlite-'));
    db = openDatabase(join(folder, 'app.db'));
    db.exec('CREATE TABLE t (x); INSERT INTO t VALUES (1)');
  });

  afterEach(() => {
    closeDatabase(db);
    rmSync(folder, { recursive: true, force: true });
  });

  function countIn(file: string): unknown {
    const copy = openDatabase(file);
    try {
      return copy.prepare('SELECT count(*) FROM t').pluck().get();
    } finally {
      closeDatabase(copy);
    }
  }

  test('backupDatabase() copies what is committed, with its folder, while another statement runs', async () => {
    const to = join(folder, 'copies', 'today', 'app.db');
    db.exec(`INSERT INTO t SELECT value FROM (WITH RECURSIVE n (value) AS
    (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 50000) SELECT value FROM n)`);
    const copying = backupDatabase(db, to);
    db.prepare('SELECT count(*) FROM t').get();
    await copying;
    expect(countIn(to)).toBe(50_001);
    expect(readdirSync(join(folder, 'copies', 'today'))).toEqual(['app.db']);
  });

  test('backupDatabase() replaces an older copy, and any other file', async () => {
    const to = join(folder, 'copy.db');
    await backupDatabase(db, to);
    db.exec('INSERT INTO t VALUES (2)');
    await backupDatabase(db, to);
    expect(countIn(to)).toBe(2);
    writeFileSync(to, 'something else');
    await backupDatabase(db, to);
    expect(countIn(to)).toBe(2);
  });

  test('backupDatabase() copies a database in memory', async () => {
    const memory = openDatabase(':memory:');
    memory.exec('CREATE TABLE t (x)');
    await backupDatabase(memory, join(folder, 'memory.db'));
    closeDatabase(memory);
    expect(countIn(join(folder, 'memory.db'))).toBe(0);
  });

  test.each(['app.db', './app.db', ':memory:'])('backupDatabase() refuses to copy onto %s', async (name) => {
    const to = name === ':memory:' ? name : join(folder, name);
    await expect(backupDatabase(db, to)).rejects.toMatchObject({ code: 'ERR_DATABASE_BACKUP' });
    expect(countIn(join(folder, 'app.db'))).toBe(1);
  });

  test('backupDatabase() leaves nothing behind when it fails, and names the file', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'kept');
    await expect(backupDatabase(db, join(file, 'copy.db'))).rejects.toThrow(join(file, 'copy.db'));
    mkdirSync(join(folder, 'taken'));
    await expect(backupDatabase(db, join(folder, 'taken'))).rejects.toMatchObject({ code: 'ERR_DATABASE_BACKUP' });
    closeDatabase(db);
    await expect(backupDatabase(db, join(folder, 'late.db'))).rejects.toMatchObject({ code: 'ERR_DATABASE_BACKUP' });
    expect(readFileSync(file, 'utf8')).toBe('kept');
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
    expect(existsSync(join(folder, 'late.db'))).toBe(false);
  });
});
