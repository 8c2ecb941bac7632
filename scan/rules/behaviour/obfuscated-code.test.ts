import { describe, expect, it } from 'vitest';
import { testFile } from '../../test-build.ts';
import { obfuscationOf } from './obfuscated-code.ts';

const RENAMED = Array.from({ length: 30 }, (_, at) => `_0x${(at + 4096).toString(16)}();\n`).join(
  '',
);
const LIKE = Array.from({ length: 30 }, () => 'IlO0lIOIl0 = 1\n').join('');

describe('obfuscationOf()', () => {
  it.each([
    ['/* 900 kB */', 'a.js', `/*${'x '.repeat(450_000)}*/\n`, RENAMED],
    ['// of 50 characters', 'a.js', `// ${'x '.repeat(25)}\n`.repeat(15_000), RENAMED],
    ['what ends within it', 'a.js', `/*${'x '.repeat(249_900)}*/\n`, RENAMED],
    ['# 900 kB', 'a.py', `# ${'x '.repeat(450_000)}\n`, LIKE],
    ['blanks', 'a.py', '\n'.repeat(600_000), LIKE],
  ])('is found behind %s', (_, path, padding, code) => {
    const found = obfuscationOf(testFile(path, padding + code));
    expect(found?.name).toMatch(/^renamed to/);
    expect(found?.at).toBeGreaterThanOrEqual(padding.length);
  });

  it('does not judge a file that is too large to be read', () => {
    const text = `/* ${'x'.repeat(100)} */ f();\n`.repeat(60_000) + RENAMED;
    expect(obfuscationOf(testFile('a.js', text))).toBeUndefined();
  });
});
