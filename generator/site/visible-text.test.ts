import { expect, test } from 'vitest';
import { plain, replaceHidden } from './visible-text.ts';

test.each([
  ['plain text, ünïcode, 日本語', 'plain text, ünïcode, 日本語'],
  ['a\n\tb', 'a b'],
  ['user\u202Eexe.txt', 'user[U+202E]exe.txt'],
  ['ig\u200Bnore', 'ig[U+200B]nore'],
  ['tag \u{E0041}', 'tag [U+E0041]'],
  ['bell \u0007', 'bell [U+0007]'],
  ['half \uD800', 'half [U+D800]'],
  ['family 👩‍👧 ❤️', 'family 👩‍👧 ❤️'],
])('plain(%j)', (text, expected) => {
  expect(plain(text)).toBe(expected);
});

test('replaceHidden() keeps lines', () => {
  expect(replaceHidden('a\n\u2066b', (name) => `<${name}>`)).toBe('a\n<U+2066>b');
});
