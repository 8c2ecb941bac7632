import { expect, test } from 'vitest';
import { codeText, withUnixLines } from './code-text.ts';

test('codeText() escapes code and names what is invisible', () => {
  expect(codeText('<a>\u202E')).toBe('&lt;a&gt;<span class="hidden-character">U+202E</span>');
});

test('withUnixLines() has one kind of line end', () => {
  expect(withUnixLines('a\r\nb\rc\n')).toBe('a\nb\nc\n');
});
