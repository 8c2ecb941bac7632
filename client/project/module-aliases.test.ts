import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/generate/git-fixture.ts';
import type { ClientError } from '../errors.ts';
import { readAliases } from './module-aliases.ts';
import { readPythonRoots } from './python-roots.ts';

function project(files: Readonly<Record<string, string>>): string {
  const folder = join(temporaryFolder(), 'app');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function patternsOf(files: Readonly<Record<string, string>>): Record<string, readonly string[]> {
  const { aliases } = readAliases(project(files));
  return Object.fromEntries(aliases.map(({ pattern, targets }) => [pattern, targets]));
}

describe('readAliases()', () => {
  test('comments, trailing commas, CRLF and a byte order mark', () => {
    const text =
      '\u{FEFF}{\r\n // c\r\n "compilerOptions": { /* c */ "paths": { "@/*": ["./src/*"], }, },\r\n}';
    expect(patternsOf({ 'tsconfig.json': text })).toEqual({ '@/*': ['src/*'] });
  });

  test('paths begin at baseUrl, otherwise at the file that has them', () => {
    const paths = '"paths": { "@/*": ["./src/*"], "out/*": ["../../elsewhere/*"] }';
    const base = `{ "compilerOptions": { ${paths} } }`;
    const own = '{ "extends": "./config/base.json" }';
    expect(patternsOf({ 'tsconfig.json': own, 'config/base.json': base })).toEqual({
      '@/*': ['config/src/*'],
    });
    const moved = '{ "extends": "./config/base", "compilerOptions": { "baseUrl": "./lib" } }';
    const files = { 'tsconfig.json': moved, 'config/base.json': base };
    expect(patternsOf(files)).toEqual({ '@/*': ['lib/src/*'] });
    expect(readAliases(project(files)).baseUrl).toBe('lib');
  });

  test('extends of a list: the last wins; of a package; of a file above the project', () => {
    const paths = (target: string): string =>
      `{ "compilerOptions": { "paths": { "@/*": ["${target}"] } } }`;
    const list = '{ "extends": ["./a.json", "./b.json", "@x/config/tsconfig.json"] }';
    const files = { 'tsconfig.json': list, 'a.json': paths('./a/*'), 'b.json': paths('./b/*') };
    const config = { 'node_modules/@x/config/tsconfig.json': '{}' };
    expect(patternsOf({ ...files, ...config })).toEqual({ '@/*': ['b/*'] });
    const above = {
      '../tsconfig.base.json': paths('./app/src/*'),
      'tsconfig.json': '{ "extends": "../tsconfig.base.json" }',
    };
    expect(patternsOf(above)).toEqual({ '@/*': ['src/*'] });
  });

  test('references of a file without aliases, and jsconfig.json', () => {
    const app = '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }';
    const references =
      '{ "files": [], "references": [{ "path": "./node" }, { "path": "./tsconfig.app.json" }] }';
    const files = {
      'tsconfig.json': references,
      'tsconfig.app.json': app,
      'node/tsconfig.json': '{ "files": [], "references": [{ "path": ".." }] }',
    };
    expect(patternsOf(files)).toEqual({ '@/*': ['src/*'] });
    expect(patternsOf({ 'jsconfig.json': app })).toEqual({ '@/*': ['src/*'] });
  });

  test('imports of package.json, with conditions', () => {
    const imports = {
      '#lib/*': { types: './src/*.ts', default: ['./dist/*.js', 'left-pad'] },
      '#one': './one.js',
      '#dep': 'dep',
    };
    expect(patternsOf({ 'package.json': JSON.stringify({ imports }) })).toEqual({
      '#lib/*': ['src/*.ts', 'dist/*.js'],
      '#one': ['one.js'],
    });
  });

  test.each([
    [
      { 'tsconfig.json': '{ "extends": "./no.json" }' },
      'Cannot find the aliases of the project: tsconfig.json:1 extends "./no.json", which is missing',
    ],
    [
      { 'tsconfig.json': '{ "references": [{ "path": "./no" }] }' },
      'Cannot read "tsconfig.json": it refers to "./no", which does not exist',
    ],
    [
      { 'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": "src/*" } } }' },
      'Cannot read "tsconfig.json": field "compilerOptions.paths" is not an object of lists of paths',
    ],
    [
      { 'package.json': '{ "imports": { "#a": "#b", "#b": { "default": "#a" } } }' },
      'Cannot read "package.json": an alias of "imports" leads to itself: #a -> #b -> #a',
    ],
  ])('%j', (files, message) => {
    expect(() => readAliases(project(files))).toThrow(
      expect.objectContaining({ code: 'ERR_PROJECT_FILE', message }) as ClientError,
    );
  });
});

describe('readPythonRoots()', () => {
  test.each([
    [{}, ['src', '']],
    [{ 'src/__init__.py': '' }, ['']],
    [
      { 'pyproject.toml': '[tool.setuptools.packages.find]\nwhere = ["./python/"]' },
      ['python', 'src', ''],
    ],
    [{ 'pyproject.toml': '[tool.setuptools.package-dir]\n"" = "lib"' }, ['lib', 'src', '']],
    [
      { 'pyproject.toml': '[[tool.poetry.packages]]\ninclude = "x"\nfrom = "lib"' },
      ['lib', 'src', ''],
    ],
    [
      { 'pyproject.toml': '[tool.pytest.ini_options]\npythonpath = [".", "backend"]' },
      ['backend', 'src', ''],
    ],
    [{ 'pyproject.toml': '[tool.setuptools.packages.find]\nwhere = ["../out", 3]' }, ['src', '']],
    [{ 'pyproject.toml': 'not toml' }, ['src', '']],
  ])('%j', (files, roots) => {
    expect(readPythonRoots(project({ ...files, 'a.txt': '' }))).toEqual(roots);
  });
});
