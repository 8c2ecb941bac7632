import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { LineTable } from './line-table.ts';
import { MAX_CODE_BYTES } from './limits.ts';
import { languageOf, readSyntax } from './syntax.ts';
import { longRun } from './long-run.ts';
import { byPath } from './by-path.ts';

describe('readSyntax()', () => {
  it.each([
    ['a.js', `x = ${'('.repeat(10_000)}`, 'its syntax is nested deeper than 250 levels'],
    ['a.py', `x = ${'('.repeat(10_000)}`, 'its syntax is nested deeper than 250 levels'],
    ['a.ts', ' '.repeat(MAX_CODE_BYTES + 1), 'it is larger than 1 MB'],
    ['a.py', ' '.repeat(MAX_CODE_BYTES + 1), 'it is larger than 1 MB'],
    ['a.py', 'é'.repeat(MAX_CODE_BYTES / 2 + 1), 'it is larger than 1 MB'],
    ['a.js', undefined, 'it is not text'],
  ])('says why %s is not read', (path, text, reason) => {
    const size = text === undefined ? 1 : Buffer.byteLength(text);
    expect(readSyntax(path, text, size)).toEqual({ language: 'unread', reason });
  });

  it('does not read what is no code', () => {
    expect(readSyntax('a.bin', undefined)).toEqual({ language: 'none' });
    expect(readSyntax('a.md', ' '.repeat(MAX_CODE_BYTES + 1))).toEqual({ language: 'none' });
  });
});

describe('languageOf()', () => {
  it.each([
    ['a.js', '', 'javascript'],
    ['a.d.ts', '', undefined],
    ['bin/run', '#!/usr/bin/env node\n', 'javascript'],
    ['bin/run', '#!/usr/bin/python3\n', 'python'],
    ['bin/run', '#!/bin/sh\n', undefined],
    ['LICENSE', 'MIT', undefined],
    ['setup.PY', '', 'python'],
  ])('%s %j: %s', (path, text, language) => {
    expect(languageOf(path, text)).toBe(language);
  });
});

describe('LineTable', () => {
  it('finds line and column', () => {
    const lines = new LineTable('ab\ncd\n');
    expect(lines.place(0, 1)).toEqual({ line: 1, column: 1, length: 1 });
    expect(lines.place(4, 1)).toEqual({ line: 2, column: 2, length: 1 });
    expect(lines.place(6, 0)).toEqual({ line: 3, column: 1, length: 0 });
  });
});

test('byPath() computes once for a path, also where the result is undefined', () => {
  const computed: string[] = [];
  const read = byPath((path) => {
    computed.push(path);
    return path === 'a' ? undefined : path.length;
  });
  expect(['a', 'bc', 'a', 'bc'].map(read)).toEqual([undefined, 2, undefined, 2]);
  expect(computed).toEqual(['a', 'bc']);
});

test('byPath() keeps the names of objects apart', () => {
  const read = byPath((path) => `of ${path}`);
  expect(['__proto__', 'constructor'].map(read)).toEqual(['of __proto__', 'of constructor']);
});

test('byPath() forgets: its memory does not grow with the number of paths', () => {
  let computed = 0;
  const read = byPath(() => (computed += 1));
  for (let n = 0; n < 2_001; n += 1) read(`src/${n}.ts`);
  expect(read('src/2000.ts')).toBe(2_001);
  expect(read('src/0.ts')).toBe(2_002);
});

describe('longRun()', () => {
  it.each<[string, boolean]>([
    ['', false],
    ['abc', false],
    ['abcd', true],
    ['xabcdx', true],
    ['abcxabcx', false],
    ['x'.repeat(20), false],
    ['xxxabcd', true],
    ['abéd', true],
    ['abc', false],
  ])('looks for four letters of a to d in "%s"', (text, wanted) => {
    expect(longRun(/[a-d]/, 4)(text)).toBe(wanted);
  });

  it('finds what the regular expression finds', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'x'), maxLength: 60 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (made, length) => {
        expect(longRun(/[ab]/, length)(made)).toBe(new RegExp(`[ab]{${length}}`).test(made));
      }),
    );
  });
});
