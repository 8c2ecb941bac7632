import { describe, expect, it } from 'vitest';
import { NOTHING, UNKNOWN, textValue } from '../value.ts';
import { positional } from './arguments.ts';
import { foldTexts } from './fold-texts.ts';

describe('foldTexts()', () => {
  it('folds every text of the first argument', () => {
    const first = { ...NOTHING, texts: ['YQ==', 'Yg==', '!'] };
    expect(foldTexts('atob', positional(first))).toEqual(['a', 'b']);
  });

  it('joins the constant parts of a path that follow an unknown part', () => {
    expect(foldTexts('path.join', positional(NOTHING, textValue('.ssh')))).toEqual([
      `${UNKNOWN}/.ssh`,
    ]);
    const first = textValue(`${UNKNOWN}/a`);
    expect(foldTexts('path.join', positional(first, textValue('b')))).toEqual([`${UNKNOWN}/a/b`]);
  });

  it('has no texts for other APIs and without arguments', () => {
    expect(foldTexts('eval', positional(textValue('a')))).toEqual([]);
    expect(foldTexts('path.join', positional())).toEqual([]);
  });

  it('reads a bounded number of arguments', () => {
    const codes = Array.from({ length: 5_000 }, () => textValue('97'));
    expect(foldTexts('String.fromCharCode', positional(...codes))[0]).toHaveLength(2_000);
  });
});
