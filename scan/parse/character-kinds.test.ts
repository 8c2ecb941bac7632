import { expect, it } from 'vitest';
import {
  characterCodes,
  isWordStart,
  IS_INFIX,
  IS_OPERATOR,
  IS_SPACE,
  IS_WORD_PART,
} from './literal-ends.ts';

it.each([
  ['a', 'word start'],
  ['$', 'word start'],
  ['é', 'word start'],
  ['7', 'word'],
  ['+', 'infix'],
  ['!', 'operator'],
  ['.', 'none'],
  ['\v', 'space'],
  ['\u00a0', 'word start'],
  ['"', 'none'],
])('%j: %s', (character, kind) => {
  const c = characterCodes(character)[0]!;
  const word = isWordStart(c) ? 'word start' : IS_WORD_PART[c] === 1 ? 'word' : 'none';
  const operator =
    IS_INFIX[c] === 1
      ? 'infix'
      : IS_OPERATOR[c] === 1
        ? 'operator'
        : IS_SPACE[c] === 1
          ? 'space'
          : word;
  expect(operator).toBe(kind);
});
