/** How script tests are parsed, and how expected lines match. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCommandWords } from './command-words.ts';
import {
  doLinesMatch,
  doesLineMatch,
  settleLines,
  streamLines,
  streamText,
} from './expected-lines.ts';
import { formatScript, parseScript } from './script.ts';
import type { Step, Script } from './script.ts';

const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\n\r]/.test(text));
const lines = fc.array(line, { maxLength: 4 });
const prose = line.map((text) => ({ kind: 'prose' as const, line: text === '' ? '' : `#${text}` }));
const step = fc.record({
  kind: fc.constant('step' as const),
  command: line,
  input: lines,
  stdout: lines,
  stderr: lines,
  status: fc.integer({ min: 0, max: 999 }),
});
const script: fc.Arbitrary<Script> = fc.array(fc.oneof(prose, step), { minLength: 1 });

function stepOf(stdout: readonly string[]): Step {
  return { kind: 'step', command: 'a', input: [], stdout, stderr: [], status: 0 };
}

describe('parseScript()', () => {
  it('is the inverse of formatScript()', () => {
    fc.assert(
      fc.property(script, (value) => {
        expect(parseScript(formatScript(value))).toEqual(value);
      }),
    );
  });

  it('reads the streams of a command in any order', () => {
    const read = parseScript('$ a\n! three\n| two\n|\n< one\n? 4\n');
    expect(read).toEqual([
      {
        kind: 'step',
        command: 'a',
        input: ['one'],
        stdout: ['two', ''],
        stderr: ['three'],
        status: 4,
      },
    ]);
  });

  it.each([
    ['| out\n', 'Line 1'],
    ['$ a\n\n| out\n', 'Line 3'],
    ['$ a\n? 1\n| out\n', 'Line 3'],
    ['$ a\nout\n', 'Line 2'],
    ['$ a\n|out\n', 'Line 2'],
    ['$ a\n? 0\n', 'Line 2'],
    ['$ a\n? one\n', 'Line 2'],
    ['$\n', 'Line 1'],
  ])('refuses %j', (text, where) => {
    expect(() => parseScript(text)).toThrow(where);
  });
});

describe('streamLines()', () => {
  it('is the inverse of streamText()', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(streamText(streamLines(text))).toBe(text);
      }),
    );
  });
});

describe('doLinesMatch()', () => {
  it.each([
    [['a', '...'], ['a'], true],
    [['a', '...', 'd'], ['a', 'b', 'c', 'd'], true],
    [['...', 'b', '...', 'b'], ['a', 'b', 'b'], true],
    [['a', '...'], ['b'], false],
    [['...', 'b'], ['b', 'c'], false],
    [['a'], ['a', 'b'], false],
    [['a', 'b'], ['a'], false],
  ])('%j and %j: %s', (expected, actual, isMatch) => {
    expect(doLinesMatch(expected, actual)).toBe(isMatch);
  });

  it.each([
    ['took [..] ms', 'took 12 ms', true],
    ['took [..] ms', 'took  ms', true],
    ['took [..] ms', 'took 12 s', false],
    ['[..]b[..]b', 'abab', true],
    ['[..]', '', true],
    ['a.c', 'abc', false],
  ])('in a line %j and %j: %s', (expected, actual, isMatch) => {
    expect(doesLineMatch(expected, actual)).toBe(isMatch);
  });
});

describe('settleLines()', () => {
  it('returns the expected lines where they match, and the actual lines elsewhere', () => {
    const expected = ['v[..]', 'wrong', 'end [..]'];
    expect(settleLines(expected, ['v1', 'wrong', 'end 2'])).toEqual(expected);
    expect(settleLines(expected, ['v1', 'right', 'more', 'end 2'])).toEqual([
      'v[..]',
      'right',
      'more',
      'end [..]',
    ]);
  });

  it('differs from the expected lines exactly when the lines do not match', () => {
    fc.assert(
      fc.property(lines, lines, (expected, actual) => {
        const settled = settleLines(expected, actual);
        const isSame = formatScript([stepOf(settled)]) === formatScript([stepOf(expected)]);
        expect(isSame).toBe(doLinesMatch(expected, actual));
      }),
    );
  });
});

describe('parseCommandWords()', () => {
  it('reads variables, quoted words and a file for the output', () => {
    expect(parseCommandWords(`A=1 B_C='x y' run 'a b'c "d'e" '' > "out file"`)).toEqual({
      variables: { A: '1', B_C: 'x y' },
      words: ['run', 'a bc', "d'e", ''],
      output: 'out file',
    });
  });

  it.each(["run 'a", 'run >', 'run > a b'])('refuses %j', (text) => {
    expect(() => parseCommandWords(text)).toThrow(SyntaxError);
  });

  it('returns quoted words', () => {
    const word = fc.string().filter((text) => !/['\n]/.test(text));
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const text = ['run', ...words.map((w) => `'${w}'`)].join(' ');
        expect(parseCommandWords(text).words).toEqual(['run', ...words]);
      }),
    );
  });
});
