import { expect, test } from 'vitest';
import { parseDocument } from './document/document.ts';
import { Lock } from './lock.ts';

const INTEGRITY = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

const BUILD = {
  version: '1.0.0',
  kind: 'module',
  integrity: INTEGRITY,
  requested: '^1.0.0',
  required_by: ['bob/site'],
  license: 'MIT',
  base: 'src/web',
  requires: { express: '>=4.10.0' },
  provides: ['auth'],
  builds: { 'stackyard/sqlite': '^1.0.0' },
  files: { 'src/web/a.ts': { from: 'a.ts', integrity: INTEGRITY, mode: '644' } },
  npm: { zod: { table: 'dependencies', range: '>=3.23.0', action: 'added' } },
  pip: {
    fastapi: {
      file: 'requirements.txt',
      table: 'dependencies',
      specifier: '>=0.1',
      action: 'kept',
    },
  },
  scripts: { dev: { value: 'node .', action: 'kept' } },
  env: { JWT_SECRET: { action: 'added' } },
};

const LOCK = {
  lockVersion: 1,
  registry: 'https://registry.example/',
  builds: { 'alice/web': BUILD },
  made: ['.env.example', 'package.json#/scripts', 'src/'],
};

const parse = (value: unknown) =>
  parseDocument(Lock, new TextEncoder().encode(JSON.stringify(value)), 'lock');

test('Lock reads every field', () => {
  expect(parse(LOCK)).toEqual(LOCK);
});

test('Lock may be empty, and a build at the root and not asked for', () => {
  expect(parse({ ...LOCK, builds: {} }).builds).toEqual({});
  const { requested: _, ...rest } = { ...BUILD, base: '' };
  expect(parse({ ...LOCK, builds: { 'alice/web': rest } }).builds['alice/web']).toEqual(rest);
});

test('Lock reads where a build was placed', () => {
  const placement = {
    to: 'lib/web',
    imports: 'alias',
    alias: '@/*',
    rewritten: { 'lib/web/a.ts': INTEGRITY },
  };
  const placed = { ...BUILD, placement };
  expect(parse({ ...LOCK, builds: { 'alice/web': placed } }).builds['alice/web']).toEqual(placed);
});

test('Lock of an older client has made nothing that it knows of', () => {
  const { made: _, ...older } = LOCK;
  expect(parse(older).made).toEqual([]);
});

test.each(['../', '/etc/', 'a/../../b#x', '', '.git/'])('Lock refuses the mark %j', (mark) => {
  expect(() => parse({ ...LOCK, made: [mark] })).toThrow('not a folder, file or table');
});

test('Lock names a newer client', () => {
  expect(() => parse({ ...LOCK, lockVersion: 2 })).toThrow('a newer client wrote the lock');
});

test.each([
  ['base', '../..'],
  ['base', '/etc'],
  ['base', 'a/../../b'],
  ['files', { '../x': BUILD.files['src/web/a.ts'] }],
  ['files', { 'C:/x': BUILD.files['src/web/a.ts'] }],
  ['files', { '.git/hooks/x': BUILD.files['src/web/a.ts'] }],
  ['files', { a: { from: '../a', integrity: INTEGRITY, mode: '644' } }],
  ['files', { a: { from: 'a', integrity: INTEGRITY, mode: '4755' } }],
  ['files', { a: { from: 'a', integrity: '', mode: '644' } }],
  ['pip', { x: { ...BUILD.pip.fastapi, file: '../requirements.txt' } }],
  ['placement', { to: '../x' }],
  ['placement', { to: '/etc' }],
  ['placement', { to: 'x', imports: 'absolute' }],
  ['placement', { rewritten: { '../x': INTEGRITY } }],
  ['placement', { rewritten: { x: 'md5-x' } }],
  ['version', '1'],
  ['integrity', 'md5-x'],
  ['requested', 'latest'],
  ['required_by', ['../x']],
  ['builds', { '../x': '*' }],
  ['kind', 'x'],
  ['npm', { zod: { table: 'scripts', range: '*', action: 'added' } }],
  ['env', { A: { action: 'removed' } }],
])('Lock refuses %s: %j', (field, value) => {
  const builds = { 'alice/web': { ...BUILD, [field]: value } };
  expect(() => parse({ ...LOCK, builds })).toThrow(`field "builds.alice/web.${field}`);
});

const withId = (id: string) =>
  new TextEncoder().encode(
    `{"lockVersion":1,"registry":"","builds":{"${id}":${JSON.stringify(BUILD)}}}`,
  );

test.each(['../web', 'alice', 'Alice/web'])('Lock refuses the build id %s', (id) => {
  expect(() => parseDocument(Lock, withId(id), 'lock')).toThrow('field "builds');
});

test('Lock drops the build id __proto__', () => {
  const lock = parseDocument(Lock, withId('__proto__'), 'lock');
  expect(Object.keys(lock.builds)).toEqual([]);
  expect(Object.getPrototypeOf(lock.builds)).toBe(Object.prototype);
});
