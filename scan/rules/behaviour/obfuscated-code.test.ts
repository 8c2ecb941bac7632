import { describe, expect, it } from 'vitest';
import { testFile } from '../../open-build.ts';
import { obfuscationOf } from './obfuscated-code.ts';

const RENAMED = Array.from({ length: 30 }, (_, at) => `_0x${(at + 4096).toString(16)}();\n`).join(
  '',
);
const LIKE = Array.from({ length: 30 }, () => 'IlO0lIOIl0 = 1\n').join('');

describe('obfuscationOf()', () => {
  it.each([
    ['/* 5 MB */', 'a.js', `/*${'x '.repeat(2_500_000)}*/\n`, RENAMED],
    ['// of 50 characters', 'a.js', `// ${'x '.repeat(25)}\n`.repeat(20_000), RENAMED],
    ['what ends within it', 'a.js', `/*${'x '.repeat(249_900)}*/\n`, RENAMED],
    ['# 5 MB', 'a.py', `# ${'x '.repeat(2_500_000)}\n`, LIKE],
    ['blanks', 'a.py', '\n'.repeat(600_000), LIKE],
  ])('is found behind %s', (_, path, padding, code) => {
    const found = obfuscationOf(testFile(path, padding + code));
    expect(found?.name).toMatch(/^renamed to/);
    expect(found?.at).toBeGreaterThanOrEqual(padding.length);
  });

  it.each([
    ['a.js', `/* ${'x'.repeat(100)} */ f();\n`.repeat(60_000), RENAMED],
    ['a.py', 'a = 1\n'.repeat(90_000), LIKE],
  ])('is not judged by the end of a large %s', (path, start, code) => {
    expect(obfuscationOf(testFile(path, start + code))).toBeUndefined();
  });
});
