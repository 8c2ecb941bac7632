import { describe, expect, it } from 'vitest';
import { rows, wordsOf } from './api.ts';

describe('rows()', () => {
  it('has one entry for each name', () => {
    const api = { sink: 'send' } as const;
    expect(rows(['a b', 'c.d'], api)).toEqual([
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
