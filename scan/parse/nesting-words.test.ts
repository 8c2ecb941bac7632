import { expect, test } from 'vitest';
import { BEFORE_REGEX, HAS_HEAD, IS_ELSE, IS_OPEN, STACKS, nestingRole } from './nesting-words.ts';

function roleOf(word: string): number {
  const codes = Uint8Array.from(` ${word} x`, (c) => Math.min(c.charCodeAt(0), 128));
  return nestingRole(codes, 1, 1 + word.length);
}

test.each([
  ['if', STACKS | HAS_HEAD],
  ['with', STACKS | HAS_HEAD],
  ['else', STACKS | BEFORE_REGEX | IS_ELSE],
  ['of', STACKS | BEFORE_REGEX | IS_OPEN],
  ['yield', STACKS | BEFORE_REGEX | IS_OPEN],
  ['instanceof', STACKS | BEFORE_REGEX],
  ['const', STACKS],
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
