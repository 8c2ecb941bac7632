import { describe, expect, it } from 'vitest';
import { readStyle } from './code-style.ts';
import { placeFile, placeLines } from './place-file.ts';
import { projectOf } from './wire-fixture.ts';

const STYLE = readStyle('');

describe('placeFile()', () => {
  it.each([
    ['src/db.ts', {}, 'added', undefined],
    [
      'src/db.ts',
      { 'src/db/index.ts': '' },
      'by_hand',
      'it would hide "src/db/index.ts" from imports',
    ],
    ['src/db.ts', { 'src/db.js': '' }, 'by_hand', 'it would hide "src/db.js" from imports'],
    ['src/db.ts', { 'src/db.ts': 'a( 1 )\n' }, 'kept', undefined],
    ['src/db.ts', { 'src/db.ts': 'b();\n' }, 'by_hand', 'the project has another file there'],
    ['notes.txt', { 'notes.ts': '' }, 'added', undefined],
  ])('%s in %j: %s', (file, files, kind, why) => {
    const texts = projectOf(files as Record<string, string>);
    const placed = placeFile(file, texts.get(file), ['a(1);'], texts, STYLE);
    expect(placed).toMatchObject({ kind, ...(why === undefined ? {} : { why }) });
    expect(texts.changes().has(file)).toBe(kind === 'added');
  });
});

describe('placeLines()', () => {
  it.each([
    [undefined, 'a\nb\n', 'a\nb\n'],
    ['x\n', 'x\na\nb\n', 'a\nb\n'],
    ['x', 'x\na\nb', '\na\nb'],
    ['a\r\n', 'a\r\nb\r\n', 'b\r\n'],
    ['b\na\n', undefined, 'a\nb'],
  ])('adds to %j what is missing', (text, result, recorded) => {
    const texts = projectOf({});
    expect(placeLines('x.txt', text, ['a', 'b'], texts)).toMatchObject({ text: recorded });
    expect(texts.changes().get('x.txt')).toBe(result);
  });
});
