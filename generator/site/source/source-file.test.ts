import { expect, test } from 'vitest';
import { servedText, textOf } from './source-file.ts';

const file = (bytes: Uint8Array) => ({ path: 'src/page.html', bytes });

test('textOf() reads UTF-8 and nothing else', () => {
  expect(textOf(file(Buffer.from('caf\u00e9')))).toBe('caf\u00e9');
  expect(textOf(file(Buffer.from('caf\u00e9', 'latin1')))).toBeUndefined();
  expect(textOf(file(Buffer.from('a\0b')))).toBeUndefined();
});

test('servedText() is a text file, whatever the file is, up to 1 MB', () => {
  const place = (bytes: Uint8Array) => servedText('a/b', '1.0.0', file(bytes), textOf(file(bytes)));
  expect(place(Buffer.from('<script>'))).toBe('builds/a/b/1.0.0/raw/src/page.html.txt');
  expect(place(Buffer.alloc(1_000_001, 'x'))).toBeUndefined();
  expect(place(Buffer.from([0]))).toBeUndefined();
});
