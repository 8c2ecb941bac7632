import { expect, test } from 'vitest';
import {
  HEADS,
  OPEN_WORDS,
  STACKING_WORDS,
  WORDS_BEFORE_REGEX,
  isNestingWordLength,
} from './nesting-words.ts';

test.each([...STACKING_WORDS, ...WORDS_BEFORE_REGEX, ...HEADS, ...OPEN_WORDS])(
  'isNestingWordLength() is true for "%s"',
  (word) => {
    expect(isNestingWordLength(word.charCodeAt(0), word.length)).toBe(true);
  },
);

test.each(['x', 'value12', 'été', 'instanceofinstanceofinstanceofinstanceof'])(
  'isNestingWordLength() is false for "%s"',
  (word) => {
    expect(isNestingWordLength(word.charCodeAt(0), word.length)).toBe(false);
  },
);
