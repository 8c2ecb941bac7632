import { expect, test } from 'vitest';
import { LOCK_VERSION, defaultAddress, parseLock } from './lock.ts';

const INTEGRITY = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

const BUILD = {
  version: '1.0.0',
  registry: 'default',
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

const DEFAULT = { origin: 'registry.example', address: 'https://registry.example' };
const CORP = { origin: 'corp.example/builds', address: 'https://mirror.example/corp' };

const LOCK = {
  lockVersion: 2,
  registries: { corp: { ...CORP, via: 'default' }, default: DEFAULT },
  builds: { 'alice/web': BUILD },
  made: ['.env.example', 'package.json#/scripts', 'src/'],
};

const parse = (value: unknown) =>
  parseLock(new TextEncoder().encode(JSON.stringify(value)), 'lock');

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

test.each([LOCK_VERSION + 1, 1, 0, '2', undefined])(
  'parseLock() refuses version %j',
  (lockVersion) => {
    expect(() => parse({ ...LOCK, lockVersion })).toThrow(
      'field "lockVersion": this client reads lockVersion 2: another version of it wrote the lock',
    );
  },
);

test('defaultAddress() is the address of the default registry', () => {
  expect(defaultAddress(parse(LOCK))).toBe(DEFAULT.address);
});

test('defaultAddress() is undefined without a lock, and without a default registry', () => {
  expect(defaultAddress(undefined)).toBe(undefined);
  expect(defaultAddress({ registries: { corp: CORP } })).toBe(undefined);
});

test.each([
  [{ '../x': CORP }, 'field "registries.../x": not a name of a registry'],
  [{ ['a'.repeat(200)]: CORP }, 'not a name of a registry'],
  [{ corp: { ...CORP, origin: 'a b' } }, 'field "registries.corp.origin": not an origin'],
  [{ corp: { ...CORP, origin: '' } }, 'field "registries.corp.origin": not an origin'],
  [{ corp: { origin: 'corp.example' } }, 'field "registries.corp.address"'],
  [{ corp: { ...CORP, via: '' } }, 'field "registries.corp.via"'],
  [{ corp: CORP, other: CORP }, 'field "registries.other": has the origin "corp.example/builds"'],
])('parseLock() refuses the registries %j', (registries, problem) => {
  expect(() => parse({ ...LOCK, registries: { ...registries, default: DEFAULT } })).toThrow(
    problem,
  );
});

test('parseLock() refuses a build of a registry that the lock does not name', () => {
  const builds = { 'alice/web': { ...BUILD, registry: 'constructor' } };
  expect(() => parse({ ...LOCK, builds })).toThrow(
    'field "builds.alice/web.registry": "registries" has no "constructor"',
  );
});

test('parseLock() refuses a lock that was edited to give an owner a second registry', () => {
  const builds = { 'alice/api': BUILD, 'alice/web': { ...BUILD, registry: 'corp' } };
  expect(() => parse({ ...LOCK, builds })).toThrow(
    'field "builds.alice/web.registry": "alice" has builds from "default": an owner belongs to one registry',
  );
  expect(Object.keys(parse({ ...LOCK, builds: { ...builds, 'alice/web': BUILD } }).builds)).toEqual(
    Object.keys(builds),
  );
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
    JSON.stringify({ ...LOCK, builds: {} }).replace(
      '"builds":{}',
      `"builds":{"${id}":${JSON.stringify(BUILD)}}`,
    ),
  );

test.each(['../web', 'alice', 'Alice/web'])('Lock refuses the build id %s', (id) => {
  expect(() => parseLock(withId(id), 'lock')).toThrow('field "builds');
});

test('Lock drops the build id __proto__', () => {
  const lock = parseLock(withId('__proto__'), 'lock');
  expect(Object.keys(lock.builds)).toEqual([]);
  expect(Object.getPrototypeOf(lock.builds)).toBe(Object.prototype);
});
