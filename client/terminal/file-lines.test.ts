import { describe, expect, test } from 'vitest';
import type { FileLine } from './file-lines.ts';
import { fileLines } from './file-lines.ts';
import { plainText } from './styled-text.ts';

function files(mark: string, folder: string, count: number, note?: string): FileLine[] {
  const names = Array.from({ length: count }, (_, at) => `${folder}/${at}.ts`);
  return names.map((path) => ({ mark, path, ...(note === undefined ? {} : { note }) }));
}

function texts(lines: readonly FileLine[], isVerbose = false): string[] {
  return fileLines(lines, isVerbose).map(plainText);
}

describe('fileLines()', () => {
  test('lists few files one by one', () => {
    const few = [...files('+', 'a', 1), ...files('x', 'a', 1, 'removed')];
    expect(texts(few)).toEqual(['  + a/0.ts', '  x a/0.ts  removed']);
  });

  test('folds many files that are treated alike, each at the place of the first', () => {
    const many = [
      ...files('x', 'a', 30, 'removed'),
      { mark: '=', path: 'b', note: 'already present' },
      ...files('!', 'c', 25, 'replaced'),
      ...files('!', 'c', 3, 'replaced, because you only formatted it'),
    ];
    expect(texts(many)).toEqual([
      '  x a/  30 files removed',
      '  = b  already present',
      '  ! c/  25 files replaced',
      '  ! c/0.ts  replaced, because you only formatted it',
      '  ! c/1.ts  replaced, because you only formatted it',
      '  ! c/2.ts  replaced, because you only formatted it',
    ]);
    expect(texts(many, true)).toHaveLength(many.length);
  });

  test('folds no file with lines of its own, and none that needs a decision', () => {
    const [first, ...rest] = files('+', 'a', 30);
    const lines = [{ ...first!, below: ['      x -> y'] }, ...rest, ...files('?', 'a', 30)];
    expect(texts(lines).slice(0, 4)).toEqual([
      '  + a/0.ts',
      '      x -> y',
      '  + a/  29 files',
      '  ? a/0.ts',
    ]);
    expect(texts(lines)).toHaveLength(33);
  });
});
