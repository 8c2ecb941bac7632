import { describe, expect, it } from 'vitest';
import { codeLanguageOf, dedent, isSameCode, openCode, sliceOf } from './open-code.ts';

describe('openCode()', () => {
  it.each([
    ['a.ts', 'const a = ;'],
    ['a.py', 'def f(:\n'],
    ['a.txt', 'text'],
    ['a.ts', ' '.repeat(2_000_000)],
  ])('does not open %s', (path, text) => {
    expect(openCode(path, text)).toBeUndefined();
  });
});

describe('isSameCode()', () => {
  it.each([
    ['a.ts', "f('a', [1, 2]);", 'f("a",\n  [1, 2,])', true],
    ['a.ts', 'f(1);', 'f(2);', false],
    ['a.ts', 'f("a b");', 'f("ab");', false],
    ['a.py', 'f( "a" )', "f('a')", true],
    ['a.py', 'f(a)', 'f(b)', false],
    ['a.ts', '  a();\n  b();', 'a();\nb();', true],
  ])('%s: %j and %j are %j', (path, a, b, expected) => {
    expect(isSameCode(path, a, b)).toBe(expected);
  });
});

describe('dedent(), sliceOf(), codeLanguageOf()', () => {
  it('take indentation into account', () => {
    expect(dedent('\n    a\n      b\n\n')).toBe('a\n  b');
    expect(sliceOf('  a();\n', { start: 2, end: 6 })).toBe('  a();');
    expect(sliceOf('x; a();\n', { start: 3, end: 7 })).toBe('a();');
    expect(['a.tsx', 'a.py', 'a.md'].map(codeLanguageOf)).toEqual(['javascript', 'python', 'text']);
  });
});
