import { expect, test } from 'vitest';
import { paintText, plainText, span } from './styled-text.ts';

const line = ['  ', span('added', '+'), ' ', span('path', 'src/a.ts'), ' ', span('number', 3)];

test('without colour a line is its text', () => {
  expect(plainText(line)).toBe('  + src/a.ts 3');
  expect(paintText(line, false)).toBe('  + src/a.ts 3');
  expect(paintText('plain', true)).toBe('plain');
});

test('with colour each span has that of its role', () => {
  expect(paintText(line, true)).toBe(
    '  \u{1B}[32m+\u{1B}[39m \u{1B}[36msrc/a.ts\u{1B}[39m \u{1B}[35m3\u{1B}[39m',
  );
});

test('control characters of the text never reach the terminal', () => {
  expect(paintText(['a\u{1B}[2J', span('path', 'b\u{1B}]0;x\u{7}c')], false)).toBe('a[2Jb]0;xc');
});
