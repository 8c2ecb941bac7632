import { describe, expect, it } from 'vitest';
import { characterCodes } from './character-codes.ts';
import { lineEnd, numberEnd, regexEnd, stringEnd } from './literal-ends.ts';

describe('numberEnd()', () => {
  it.each([
    ['1 / 2', '1'],
    ['1_000.25;', '1_000.25'],
    ['.5/a', '.5'],
    ['1..a', '1.'],
    ['0xff', '0'],
    ['0.5', '0.5'],
    ['017.a', '017'],
  ])('%j: %j', (text, number) => {
    expect(text.slice(0, numberEnd(characterCodes(text), 0))).toBe(number);
  });
});

describe('stringEnd()', () => {
  it.each([
    ['"a" b', '"a"'],
    ["'\\'\"' b", "'\\'\"'"],
    ["'a\\\r\nb'", "'a\\\r\nb'"],
    ["'a\u2028b'", "'a\u2028b'"],
    ["'a\nb'", undefined],
    ["'a\\", undefined],
  ])('%j: %j', (text, string) => {
    expect(cut(text, stringEnd)).toBe(string);
  });
});

describe('regexEnd()', () => {
  it.each([
    ['/a/ b', '/a/'],
    ['/[/]/g', '/[/]/'],
    ['/\\//', '/\\//'],
    ['/a', undefined],
    ['/a\n/', undefined],
    ['/a\u2028/', undefined],
    ['/a\\\n/', undefined],
  ])('%j: %j', (text, expression) => {
    expect(cut(text, regexEnd)).toBe(expression);
  });
});

describe('lineEnd()', () => {
  it.each([
    ['a\nb', 1],
    ['a\u2029b', 1],
    ['ab', 2],
  ])('%j: %j', (text, end) => {
    expect(lineEnd(characterCodes(text), 0, text.length)).toBe(end);
  });
});

/** The literal at the start of `text`, if it has an end. */
function cut(text: string, endOf: typeof stringEnd): string | undefined {
  const end = endOf(characterCodes(text), 0, text.length);
  return end === undefined ? undefined : text.slice(0, end);
}
