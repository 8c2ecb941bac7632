import { describe, expect, test } from 'vitest';
import { ClientError } from '../errors.ts';
import { decodeProjectFile, lineEndOf, placeOf } from './project-file.ts';

describe('decodeProjectFile()', () => {
  test('keeps a byte order mark', () => {
    expect(decodeProjectFile(Buffer.from('\u{FEFF}{}'), 'package.json')).toBe('\u{FEFF}{}');
  });

  test('refuses what is not UTF-8', () => {
    expect(() => decodeProjectFile(Uint8Array.of(0xff, 0xfe), 'package.json')).toThrow(ClientError);
  });
});

test('lineEndOf() returns the most frequent line end', () => {
  expect(lineEndOf('a\r\nb\r\nc\n')).toBe('\r\n');
  expect(lineEndOf('a')).toBe('\n');
});

test('placeOf() counts from 1', () => {
  expect(placeOf('a\nbc', 3)).toEqual({ line: 2, column: 2 });
});
