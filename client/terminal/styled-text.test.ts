import { expect, test, describe } from 'vitest';
import fc from 'fast-check';
import { paintText, plainText, span, nameCommands } from './styled-text.ts';
import { foldPaths, fileLines, type FileLine } from './file-lines.ts';

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

const START = 'npx --yes https://registry.example/client/stackyard.tgz';
const named = nameCommands(START, ['add', 'list', 'info']);

test.each([
  ['stackyard add a/b', `${START} add a/b`],
  [
    '"stackyard list" shows it; see stackyard --help',
    `"${START} list" shows it; see ${START} --help`,
  ],
  ['First: stackyard info stackyard/account', `First: ${START} info stackyard/account`],
])('nameCommands() writes %j as %j', (text, expected) => {
  expect(named(text)).toBe(expected);
  expect(nameCommands('stackyard', ['add', 'list', 'info'])(text)).toBe(text);
});

test.each([
  'stackyard needs Node.js 22.12 or newer',
  'stackyard/add is a build',
  'This is a defect of stackyard: add failed',
  'my-stackyard add x',
  'stackyard additions',
  '/usr/bin/stackyard add',
])('nameCommands() leaves %j', (text) => {
  expect(named(text)).toBe(text);
});

const numbered = (folder: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${folder}${at}.ts`);

test('a short list is shown whole', () => {
  const paths = numbered('src/', 12);
  expect(foldPaths(paths).map(({ path }) => path)).toEqual(paths);
});

test('a long list is folded by folder; small folders belong to the folder above, files of the root stay', () => {
  const paths = [
    'a.json',
    ...numbered('src/account/', 30),
    'src/account/sql/one.ts',
    ...numbered('test/', 2),
  ];
  expect(foldPaths(paths).map(({ path, count }) => ({ path, count }))).toEqual([
    { path: 'a.json', count: 1 },
    { path: 'src/account/', count: 31 },
    { path: 'test/0.ts', count: 1 },
    { path: 'test/1.ts', count: 1 },
  ]);
});

test('every file is counted once', () => {
  const segment = fc.constantFrom('a', 'b', 'c');
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 60 }), (paths) => {
      const counts = foldPaths(paths).map(({ count }) => count);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(paths.length);
    }),
  );
});

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
