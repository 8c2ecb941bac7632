// The database of the application and its module.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, createSqliteModule, database, openDatabase, sqliteModule } from './index.js';

let folder: string;
let cwd: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sqlite-module-'));
  cwd = process.cwd();
  process.chdir(folder);
});

afterEach(() => {
  sqliteModule.stop();
  vi.unstubAllEnvs();
  process.chdir(cwd);
  rmSync(folder, { recursive: true, force: true });
});

const notes = [
  { id: '0002_app_add_text', sql: 'ALTER TABLE notes ADD COLUMN text TEXT' },
  { id: '0001_app_create_notes', sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY)' },
];
const users = [{ id: '0009_account_create_users', sql: 'CREATE TABLE users (id INTEGER PRIMARY KEY)' }];
const own = [{ id: '0001_app_refer', sql: 'CREATE TABLE owned (user_id INTEGER NOT NULL REFERENCES users (id))' }];

// A second run of a project's tests must not find what the first one has written.
test('a test writes no file, and a second run begins with an empty database', () => {
  vi.stubEnv('NODE_ENV', 'test');
  vi.stubEnv('SQLITE_PATH', undefined);
  for (let run = 0; run < 2; run++) {
    database().exec('CREATE TABLE notes (id INTEGER PRIMARY KEY)');
    expect(database()).toBe(database());
    sqliteModule.stop();
    closeDatabase(openDatabase());
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('outside of tests it is the file of SQLITE_PATH, or the usual one', () => {
  vi.stubEnv('NODE_ENV', 'development');
  vi.stubEnv('SQLITE_PATH', undefined);
  expect(database().name).toBe(join(process.cwd(), 'data/app.db'));
  sqliteModule.stop();
  vi.stubEnv('SQLITE_PATH', './other.db');
  expect(database().name).toBe(join(process.cwd(), 'other.db'));
  sqliteModule.stop();
  vi.stubEnv('NODE_ENV', 'test');
  expect(database().name).toBe(join(process.cwd(), 'other.db'));
});

test('the start applies the lists of the modules in their order, then those of the project, each once', () => {
  vi.stubEnv('NODE_ENV', 'test');
  vi.stubEnv('SQLITE_PATH', undefined);
  const module = createSqliteModule([users, own]);
  module.start({ migrations: [notes, users] });
  const ids = database().prepare('SELECT id FROM _migrations ORDER BY rowid').pluck().all();
  expect(ids).toEqual(['0001_app_create_notes', '0002_app_add_text', '0009_account_create_users', '0001_app_refer']);
  module.start({ migrations: [notes, users] });
  expect(module.checks.database()).toBeDefined();
  module.stop();
  module.stop();
});

test('single migrations keep their place, and a list that fails ends the start with a closed database', () => {
  vi.stubEnv('NODE_ENV', 'test');
  vi.stubEnv('SQLITE_PATH', undefined);
  createSqliteModule().start({ migrations: [...users, ...own] });
  sqliteModule.stop();
  const broken = { id: '0001_app_broken', sql: 'CREATE TABLE' };
  expect(() => createSqliteModule([broken]).start({ migrations: [users] })).toThrow(
    'Migration "0001_app_broken" failed',
  );
  expect(database().prepare("SELECT name FROM sqlite_schema WHERE name = 'users'").get()).toBeUndefined();
});

test('the settings are refused before anything is opened', () => {
  expect(sqliteModule.checkSettings({})).toEqual([]);
  const [problem] = sqliteModule.checkSettings({ SQLITE_PATH: 'postgres://localhost/app' });
  expect(problem).toEqual({ name: 'SQLITE_PATH', message: expect.stringContaining('this is not a file path') });
});
