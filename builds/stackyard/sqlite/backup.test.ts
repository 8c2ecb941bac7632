// Copies of a database that is in use.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backupDatabase, closeDatabase, type Database, openDatabase } from './index.js';

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
