// The commands db:status and db:migrate, and the list behind them.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  closeDatabase,
  type Migration,
  type Migrations,
  openDatabase,
  readMigrationStatus,
  runDatabaseCommand,
} from './index.js';

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
    expect(run([command], LISTS, 'file:./app.db')).toMatchObject({ exit: 1, errors: [expect.stringMatching(/^error: /)] });
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
