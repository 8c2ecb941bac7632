import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneLine, printable } from './printable.ts';

test('printable() drops what could rewrite a terminal and keeps the rest', () => {
  expect(printable('a\u{1B}[2Jb\u{202E}c\u{200B}d\u{7}\te\nf é 漢 🙂')).toBe(
    'a[2Jbcd\te\nf é 漢 🙂',
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      // oxlint-disable-next-line no-control-regex
      expect(printable(text)).not.toMatch(/[\u{0}-\u{8}\u{1B}\u{7F}-\u{9F}\u{202A}-\u{202E}]/u);
    }),
  );
});

test('oneLine() has no line break', () => {
  expect(oneLine(' a\r\n  b\tc ')).toBe('a b c');
});
