import { describe, expect, it } from 'vitest';
import { BeyondLimits, MAX_CODE_BYTES, checkSize, isBounded } from './limits.ts';

it('checkSize() lets 1,000,000 bytes pass', () => {
  expect(() => checkSize(MAX_CODE_BYTES)).not.toThrow();
  expect(() => checkSize(MAX_CODE_BYTES + 1)).toThrow(BeyondLimits);
});

describe('isBounded()', () => {
  it.each([
    ['a: b: c', true],
    ['a: '.repeat(20), false],
    ['f<a'.repeat(20), false],
    ['switch (a) { case 1: case 2: }'.repeat(20), true],
    ['x = <T>(y);'.repeat(99), true],
    ['const f = <T>(a: T): T => a\n'.repeat(99), true],
    ['class A { f = <T>(a: T) => a; }\n'.repeat(99), true],
    [`interface A { ${'a: <T>(b: T) => T\n'.repeat(99)} }`, true],
    [`f(${'<T>(a) => a,'.repeat(99)})`, true],
    // As a fuzzer made it: each is in the one before.
    [`x = ${'<T>('.repeat(9)}`, false],
    [`x = ${'<T>f('.repeat(9)}`, false],
    [`x = ${'<T>(a=>'.repeat(9)}`, false],
    [`x = ${'<T>a+'.repeat(9)}`, false],
    ['', true],
  ])('%j: %j', (text, is) => {
    expect(isBounded(text, true)).toBe(is);
  });

  it('looks for casts only where a language has them', () => {
    expect(isBounded(`x = ${'<T>('.repeat(99)}`, false)).toBe(true);
  });

  it('takes no time that grows faster than the text', () => {
    for (const part of ['a', 'a ', 'a:', '=<', '=<a', '=<a>', '\n'])
      expect(typeof isBounded(part.repeat(200_000), true)).toBe('boolean');
  });
});
