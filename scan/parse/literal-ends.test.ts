import { describe, expect, it, test } from 'vitest';
import fc from 'fast-check';
import {
  characterCodes,
  lineEnd,
  numberEnd,
  regexEnd,
  stringEnd,
  OTHER,
  OTHER_LINE_END,
  BEFORE_REGEX,
  HAS_HEAD,
  IS_ELSE,
  IS_OPEN,
  IS_START,
  STACKS,
  nestingRole,
} from './literal-ends.ts';

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

function codesOf(text: string): number[] {
  return [...characterCodes(text).subarray(0, text.length + 1)];
}

describe('characterCodes()', () => {
  it('keeps ASCII, and marks the end', () => {
    expect(codesOf('a\0\n\u007F')).toEqual([97, 0, 10, 127, 0]);
    expect(codesOf('')).toEqual([0]);
  });

  it('gives one code to each UTF-16 unit that is not ASCII', () => {
    expect(codesOf('é\u2028😀\u2029\uD800')).toEqual([
      OTHER,
      OTHER_LINE_END,
      OTHER,
      OTHER,
      OTHER_LINE_END,
      OTHER,
      0,
    ]);
  });

  it.each([65_534, 65_535, 65_536, 200_000])('reads a text of %d characters', (length) => {
    for (const last of ['a', 'é']) {
      const codes = characterCodes('b'.repeat(length - 1) + last);
      expect([codes[0], codes[length - 2], codes[length - 1], codes[length]]).toEqual([
        98,
        98,
        last === 'a' ? 97 : OTHER,
        0,
      ]);
    }
  });

  it('has the code of each character of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const wanted = Array.from({ length: text.length }, (_, at) => {
          const c = text.charCodeAt(at);
          if (c < 128) return c;
          return c === 0x2028 || c === 0x2029 ? OTHER_LINE_END : OTHER;
        });
        expect(codesOf(text)).toEqual([...wanted, 0]);
      }),
    );
  });
});

function roleOf(word: string): number {
  const codes = Uint8Array.from(` ${word} x`, (c) => Math.min(c.charCodeAt(0), 128));
  return nestingRole(codes, 1, 1 + word.length);
}

test.each([
  ['if', STACKS | HAS_HEAD | IS_START],
  ['with', STACKS | HAS_HEAD],
  ['else', STACKS | BEFORE_REGEX | IS_ELSE],
  ['of', STACKS | BEFORE_REGEX | IS_OPEN],
  ['yield', STACKS | BEFORE_REGEX | IS_OPEN],
  ['instanceof', STACKS | BEFORE_REGEX],
  ['const', STACKS | IS_START],
  ['class', STACKS],
  ['declare', STACKS],
])('nestingRole() of "%s"', (word, role) => {
  expect(roleOf(word)).toBe(role);
});

test.each([
  'x',
  'i',
  'iff',
  'If',
  'els',
  'elsE',
  'clasp',
  'value12',
  'été',
  'instanceofinstanceofinstanceofinstanceof',
])('nestingRole() of "%s" is none', (word) => {
  expect(roleOf(word)).toBe(0);
});
