// DATABASE_URL.

import { expect, test } from 'vitest';
import { parseDatabaseUrl } from './database-url.ts';

test.each([
  ['file:data/auth.sqlite', 'data/auth.sqlite'],
  ['file:/var/lib/auth.sqlite', '/var/lib/auth.sqlite'],
  ['file:///var/lib/a%20b.sqlite', '/var/lib/a b.sqlite'],
  ['file:a b.sqlite', 'a b.sqlite'],
  ['FILE:x', 'x'],
  ['file::memory:', ':memory:'],
])('parseDatabaseUrl() reads %j', (text, file) => {
  expect(parseDatabaseUrl(text)).toEqual({ kind: 'sqlite', file });
});

test.each([
  'postgres://localhost/auth',
  'postgresql://u:p%40ss@db.internal:5433/auth?sslmode=require',
  'postgres:///auth?host=/run/postgresql',
])('parseDatabaseUrl() reads %j', (url) => {
  expect(parseDatabaseUrl(url)).toMatchObject({ kind: 'postgres', url });
});

test.each([
  '',
  'auth.sqlite',
  'file:',
  'file:?mode=memory',
  'file:a?mode=ro',
  'file://other-host/a',
  'file:a\0b',
  'sqlite:a',
  'mysql://h/d',
  'postgres:h/d',
  'postgres://u:%zz@h/d',
  'postgres://h:port/d',
])('parseDatabaseUrl() refuses %j without saying it', (text) => {
  expect(() => parseDatabaseUrl(text)).toThrow(TypeError);
  expect(() => parseDatabaseUrl(text)).toThrow(/^use "file:PATH/);
});
