import { describe, expect, it } from 'vitest';
import { sequence, wordPattern } from './word-list.ts';

describe('wordPattern()', () => {
  it('joins the words of all groups in their order', () => {
    const groups = {
      'run code': ['eval', /exec(?:Sync)?/],
      'talk to a host': ['fetch'],
    };
    const pattern = wordPattern(/\bWORDS\b/i, groups);
    expect(pattern).toEqual(/\b(?:eval|exec(?:Sync)?|fetch)\b/i);
  });

  it.each([
    ['a.b', 'a.b', 'axb'],
    ['c++', 'c++', 'ccc'],
    ['(x)', '(x)', 'x'],
    ['a|b', 'a|b', 'a'],
    ['$HOME', '$HOME', 'HOME'],
    [String.raw`c:\x`, String.raw`c:\x`, 'c:x'],
    ['/etc', '/etc', 'etc'],
    ['x-y', 'x-y', 'xy'],
  ])('takes %j as it is written', (word, matched, other) => {
    for (const flags of ['', 'u']) {
      const pattern = wordPattern(new RegExp('^WORDS$', flags), { test: [word] });
      expect(pattern.test(matched)).toBe(true);
      expect(pattern.test(other)).toBe(false);
    }
  });

  it('keeps what surrounds the words to all alternatives', () => {
    const pattern = wordPattern(/(?:^|=)WORDS$/, { test: [/a|b/, 'c'] });
    expect(['a', 'b', 'c', 'x=b'].filter((text) => pattern.test(text))).toHaveLength(4);
    expect(['xa', 'bx', 'xc', 'cx'].filter((text) => pattern.test(text))).toEqual([]);
  });

  it('refuses a list without words and flags that would be lost', () => {
    expect(() => wordPattern(/WORDS/, {})).toThrow(TypeError);
    expect(() => wordPattern(/WORDS/, { test: [/a/i] })).toThrow(TypeError);
    expect(() => wordPattern(/WORDS/gi, { test: [/a/i] })).not.toThrow();
  });
});

describe('sequence()', () => {
  it('keeps alternatives to their part', () => {
    const pattern = sequence([/^|=/, /a|b/, / /, wordPattern(/WORDS/, { test: ['c', 'd'] })], 'i');
    expect(['a c', 'B D', 'x=b c'].filter((text) => pattern.test(text))).toHaveLength(3);
    expect(['xa c', 'a', 'bc', ' d', 'a  c'].filter((text) => pattern.test(text))).toEqual([]);
  });

  it('refuses flags that would be lost', () => {
    expect(() => sequence([/a/, /b/i])).toThrow(TypeError);
  });
});
