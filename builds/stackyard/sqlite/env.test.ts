// The file .env of an application that does not read it itself.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, loadEnv, openDatabase, runDatabaseCommand } from './index.js';

const BOM = '\uFEFF';
const NAMES = ['SQLITE_PATH', 'JWT_SECRET', `${BOM}SQLITE_PATH`];
const cwd = process.cwd();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stackyard-env-'));
  process.chdir(folder);
  vi.stubEnv('NODE_ENV', 'development');
  for (const name of NAMES) vi.stubEnv(name, undefined);
});

afterEach(() => {
  vi.unstubAllEnvs();
  process.chdir(cwd);
  rmSync(folder, { recursive: true, force: true });
});

test.each(['', BOM])('loadEnv() reads all variables behind %j, and leaves those that are set', (before) => {
  writeFileSync('.env', `${before}SQLITE_PATH=./own.db\nJWT_SECRET=theirs\n`);
  vi.stubEnv('JWT_SECRET', 'ours');
  loadEnv();
  expect([process.env['SQLITE_PATH'], process.env['JWT_SECRET']]).toEqual(['./own.db', 'ours']);
});

test('loadEnv() does nothing in tests, and without a file', () => {
  loadEnv();
  writeFileSync('.env', 'SQLITE_PATH=./own.db\n');
  vi.stubEnv('NODE_ENV', 'test');
  loadEnv();
  expect(process.env['SQLITE_PATH']).toBeUndefined();
});

// `node --env-file-if-exists=.env dist/db.js` has read the file before, and has the mark in the name.
test('the database command, and a database without a path, find a variable behind a byte order mark', () => {
  vi.stubEnv(`${BOM}SQLITE_PATH`, './own.db');
  const lines: string[] = [];
  expect(runDatabaseCommand(['status'], [], { print: (line) => void lines.push(line) })).toBe(0);
  expect(lines[0]).toBe(`Database ${join(process.cwd(), 'own.db')}`);
  vi.stubEnv('SQLITE_PATH', undefined);
  const db = openDatabase();
  expect(db.name).toBe(join(process.cwd(), 'own.db'));
  closeDatabase(db);
});
