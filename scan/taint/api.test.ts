import { describe, expect, it } from 'vitest';
import { rows, mergeFacts, type Fact } from './api.ts';
import { wordsOf } from '../parse/word-list.ts';
import { NOTHING, textValue } from './value.ts';

describe('rows()', () => {
  it('has one entry for each name', () => {
    const api = { sink: 'send' } as const;
    expect(rows(api, ['a b', 'c.d'])).toEqual([
      ['a', api],
      ['b', api],
      ['c.d', api],
    ]);
  });
});

describe('wordsOf()', () => {
  it('splits every line', () => {
    expect(wordsOf(['a b', 'c'])).toEqual(['a', 'b', 'c']);
    expect(wordsOf([])).toEqual([]);
  });
});

function fact(operand: string, ...args: string[]): Fact {
  return {
    action: 'spawn',
    path: 'a.js',
    at: 1,
    end: 2,
    api: 'child_process.exec',
    operand: textValue(operand),
    content: NOTHING,
    isLarge: false,
    args: args.map(textValue),
  };
}

describe('mergeFacts()', () => {
  it('returns the first fact of a place as it is', () => {
    const first = fact('a');
    expect(mergeFacts(undefined, first)).toBe(first);
  });

  it('joins operands and arguments, also when the number of arguments differs', () => {
    const merged = mergeFacts(fact('a', 'x'), fact('b', 'y', 'z'));
    expect(merged.operand.texts).toEqual(['a', 'b']);
    expect(merged.args.map((a) => a.texts)).toEqual([['x', 'y'], ['z']]);
    expect(merged).toMatchObject({ action: 'spawn', path: 'a.js', at: 1, end: 2 });
  });
});
