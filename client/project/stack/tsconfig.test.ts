import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { optionPath, readTsconfig } from './tsconfig.ts';

const TSC = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function project(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-tsconfig-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function read(files: Readonly<Record<string, string>>): {
  options: string[];
  problems: readonly string[];
} {
  const { options, problems } = readTsconfig(project(files))!;
  const lines = [...options].map(
    ([name, { value, file, line }]) => `${name}=${String(value)} ${file}:${line}`,
  );
  return { options: lines.sort(), problems };
}

describe('readTsconfig()', () => {
  it('returns undefined without tsconfig.json', () => {
    expect(readTsconfig(project({}))).toBeUndefined();
  });

  it('follows chains of files and packages, the later before the earlier', () => {
    const found = read({
      'tsconfig.json':
        '\uFEFF{\r\n\t// why\r\n\t"extends": ["./base", "@a/b/tsconfig.json",],\r\n\t"compilerOptions": {\r\n\t\t"Module": "commonjs",\r\n\t},\r\n}\r\n',
      'base.json':
        '{"extends": "./deep/more.json",\n"compilerOptions": {"target": "es2020", "strict": true}}',
      'deep/more.json': '{"compilerOptions": {"target": "es5", "jsx": "react-jsx"}}',
      'node_modules/@a/b/package.json': '{"name": "@a/b", "version": "1.0.0"}',
      'node_modules/@a/b/tsconfig.json': '{"compilerOptions": {"strict": false}}',
    });
    expect(found).toEqual({
      options: [
        'jsx=react-jsx deep/more.json:1',
        'module=commonjs tsconfig.json:5',
        'strict=false node_modules/@a/b/tsconfig.json:1',
        'target=es2020 base.json:2',
      ],
      problems: [],
    });
  });

  const SET = { strict: true, target: 'es2022', outDir: 'o', paths: { '@/*': ['./lib/*'] } };
  const BASE = JSON.stringify({ compilerOptions: SET });
  const HERE = JSON.stringify({
    compilerOptions: { outDir: '${configDir}/o', paths: { '@/*': ['${configDir}/lib/*'] } },
  });
  const OTHER = '{"compilerOptions": {"target": "es2023", "strict": false}}';

  // What each project extends, and the files of its package "p".
  it.each<[string, unknown, Record<string, string>, object?]>([
    ['a file', './base', {}],
    ['the folder above', '..', { '../../tsconfig.json': OTHER }],
    ['a list', ['./base.json', 'p'], { 'tsconfig.json': OTHER }],
    ['a package', 'p', { 'package.json': '{}', 'tsconfig.json': BASE }],
    ['a file of one', 'p/src/b', { 'package.json': '{}', 'src/b.json': BASE }],
    ['its field', 'p', { 'package.json': '{"tsconfig": "./src/b.json"}', 'src/b.json': BASE }],
    ['exports', 'p/b', { 'package.json': '{"exports": {"./b": "./c.json"}}', 'c.json': BASE }],
    ['a pattern', 'p/b', { 'package.json': '{"exports": {"./*": "./*.json"}}', 'b.json': BASE }],
    [
      'a condition',
      'p',
      { 'package.json': '{"exports": {"require": "./b.json"}}', 'b.json': HERE },
    ],
    ['${configDir}', 'p', { 'package.json': '{}', 'tsconfig.json': HERE }],
    ['null', './base', {}, { strict: null, paths: null, outDir: null }],
  ])('reads what tsc reads: %s', (_, base, files, compilerOptions = {}) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stackyard-tsconfig-')));
    folders.push(folder);
    const own = { extends: base, compilerOptions, files: ['a.ts'] };
    const all = { 'base.json': BASE, 'tsconfig.json': JSON.stringify(own), 'a.ts': '' };
    const packaged = Object.entries(files).map(([path, text]) => [`node_modules/p/${path}`, text]);
    for (const [path, text] of [...Object.entries(all), ...packaged] as [string, string][]) {
      mkdirSync(dirname(join(folder, 'app', path)), { recursive: true });
      writeFileSync(join(folder, 'app', path), text);
    }
    const app = join(folder, 'app');
    const { options, problems } = readTsconfig(app)!;
    const read = (name: string): unknown => options.get(name.toLowerCase())?.value;
    const outDir = optionPath(app, options, 'outdir');
    const ours = { ...Object.fromEntries(Object.keys(SET).map((n) => [n, read(n)])), outDir };
    const tsc = spawnSync(process.execPath, [TSC, '--showConfig', '-p', app], { encoding: 'utf8' });
    const theirs = (JSON.parse(tsc.stdout) as { compilerOptions: typeof SET }).compilerOptions;
    const place = theirs.outDir === undefined ? undefined : resolve(app, theirs.outDir);
    expect(problems).toEqual([]);
    expect(ours).toEqual({ ...theirs, outDir: place });
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'a missing file',
      { 'tsconfig.json': '{\n"extends": "./no.json"}' },
      'tsconfig.json:2 extends "./no.json", which is missing',
    ],
    [
      'a missing package',
      { 'tsconfig.json': '{"extends": "@no/config"}' },
      'tsconfig.json:1 extends "@no/config", which is missing',
    ],
    [
      'itself',
      { 'tsconfig.json': '{"extends": "./tsconfig.json"}' },
      'tsconfig.json extends itself, by tsconfig.json',
    ],
    [
      'itself by another',
      { 'tsconfig.json': '{"extends": "./a"}', 'a.json': '{"extends": "./tsconfig"}' },
      'tsconfig.json extends itself, by tsconfig.json, a.json',
    ],
    [
      'a file that is not JSON',
      { 'tsconfig.json': '{"extends": "./a"}', 'a.json': '{\n"a": }' },
      'a.json:2 is not JSON with comments',
    ],
    [
      'a file of two megabytes',
      { 'tsconfig.json': `{"a": "${'x'.repeat(2_000_000)}"}` },
      'tsconfig.json: it has more than 1048576 bytes',
    ],
    [
      'a file that is nested deeply',
      { 'tsconfig.json': '['.repeat(500_000) },
      'tsconfig.json: it is nested too deeply',
    ],
  ])('reports that it extends %s', (_, files, problem) => {
    expect(read(files)).toEqual({ options: [], problems: [problem] });
  });

  it('stops where files extend each other exponentially', () => {
    const files = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [
        `${n}.json`,
        `{"extends": ["./${n + 1}", "./${n + 1}"]}`,
      ]),
    );
    const { problems } = read({ ...files, '20.json': '{}', 'tsconfig.json': '{"extends": "./0"}' });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('extends too many files');
  });
});
