import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readCompiledTo } from './javascript-form.ts';

const OUT = { compilerOptions: { outDir: './dist' } };

describe('readCompiledTo()', () => {
  it.each<[string, Record<string, unknown>, unknown]>([
    ['no tsconfig', {}, undefined],
    ['no outDir', { 'tsconfig.json': {} }, undefined],
    [
      'no output',
      { 'tsconfig.json': { compilerOptions: { outDir: 'dist', noEmit: true } } },
      undefined,
    ],
    ['only src', { 'tsconfig.json': OUT, 'src/a.ts': '' }, { outDir: 'dist', rootDir: 'src' }],
    ['types beside it', { 'tsconfig.json': OUT, 'a.d.ts': '' }, { outDir: 'dist', rootDir: 'src' }],
    ['a test folder', { 'tsconfig.json': OUT, 'test/a.ts': '' }, { outDir: 'dist', rootDir: '' }],
    [
      'include',
      { 'tsconfig.json': { ...OUT, include: ['src/**/*'] }, 'b.ts': '' },
      { outDir: 'dist', rootDir: 'src' },
    ],
    [
      'more included',
      { 'tsconfig.json': { ...OUT, include: ['src', 'test'] } },
      { outDir: 'dist', rootDir: '' },
    ],
    [
      'rootDir',
      { 'tsconfig.json': { compilerOptions: { outDir: 'out', rootDir: '.' } } },
      { outDir: 'out', rootDir: '' },
    ],
    [
      'the file of the script',
      {
        'package.json': { scripts: { build: 'rimraf dist && tsc -p tsconfig.build.json' } },
        'tsconfig.build.json': { extends: './tsconfig.json', include: ['src'] },
        'tsconfig.json': { ...OUT, include: ['src', 'test'] },
      },
      { outDir: 'dist', rootDir: 'src' },
    ],
  ])('with %s', (_, files, expected) => {
    const project = mkdtempSync(join(tmpdir(), 'compiled-'));
    onTestFinished(() => rmSync(project, { recursive: true }));
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(project, dirname(path)), { recursive: true });
      writeFileSync(join(project, path), JSON.stringify(content));
    }
    expect(readCompiledTo(project)).toEqual(expected);
  });
});
