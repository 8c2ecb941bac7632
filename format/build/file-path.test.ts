import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  MAX_PATH_BYTES,
  MAX_PATH_DEPTH,
  checkFilePaths,
  collisionKey,
  isFilePath,
  pathProblem,
  printable,
} from './file-path.ts';
import { runs } from '../../tests/run/runs.ts';

const deep = (segments: number) => Array(segments).fill('a').join('/');
const anyPath = fc.string({
  unit: fc.constantFrom(
    ...'abA./\\: ~-'.split(''),
    '..',
    '../',
    '.git',
    'con',
    'git~1',
    'é',
    'e\u0301',
    '\u200b',
    '\n',
    '😀',
    '\ud800',
    '$',
    '%2e',
  ),
  maxLength: 12,
});

test.each([
  'a',
  'a/b.ts',
  '.env.example',
  '.github/x',
  'a b/c',
  '~/x',
  '%2e%2e/x',
  '..a/b',
  'a..',
  '.gitignore',
  'git/x',
  'console.log',
  'com/x',
  'com10',
  'é/ü.txt',
  '日本/😀',
  'a'.repeat(MAX_PATH_BYTES),
  deep(MAX_PATH_DEPTH),
])('pathProblem() accepts or names a rule for %j', (path) => {
  expect(pathProblem(path)).toBe(path === 'a..' ? 'trailing' : undefined);
  expect(isFilePath(path)).toBe(path !== 'a..');
});

test.each([
  ['', 'empty'],
  ['/a', 'absolute'],
  ['//host/share', 'absolute'],
  ['C:/a', 'absolute'],
  ['c:a', 'absolute'],
  ['a\\b', 'backslash'],
  ['..\\..\\x', 'backslash'],
  ['..', 'traversal'],
  ['../a', 'traversal'],
  ['a/../../b', 'traversal'],
  ['a/..', 'traversal'],
  ['.', 'not-normal'],
  ['./a', 'not-normal'],
  ['a/./b', 'not-normal'],
  ['a//b', 'not-normal'],
  ['a/', 'not-normal'],
  ['e\u0301', 'not-normal'],
  ['é'.repeat(128), 'too-long'],
  ['a'.repeat(MAX_PATH_BYTES + 1), 'too-long'],
  [deep(MAX_PATH_DEPTH + 1), 'too-deep'],
  ['a\nb', 'invisible'],
  ['a\u0000', 'invisible'],
  ['\u0001', 'invisible'],
  ['a\u001b[31m', 'invisible'],
  ['\u202Etxt.exe', 'invisible'],
  ['a\u200bb', 'invisible'],
  ['.g\u200cit/config', 'invisible'],
  ['\ufeffa', 'invisible'],
  ['a\u{e0041}', 'invisible'],
  ['\ud800', 'invisible'],
  ['a<b', 'character'],
  ['dir/a:b', 'character'],
  ['file.txt:stream', 'character'],
  ['x?', 'character'],
  ['a|b', 'character'],
  ['a*', 'character'],
  ['"', 'character'],
  ['trail. ', 'trailing'],
  ['a./b', 'trailing'],
  ['a ', 'trailing'],
  ['CON', 'reserved'],
  ['aux.c', 'reserved'],
  ['a/nul.tar.gz', 'reserved'],
  ['nul .txt', 'reserved'],
  ['COM1', 'reserved'],
  ['lpt\u00b2', 'reserved'],
  ['conin$', 'reserved'],
  ['.git', 'git'],
  ['.GIT/config', 'git'],
  ['a/.git/hooks/x', 'git'],
  ['git~1/config', 'git'],
  ['.git. /x', 'git'],
  ['.git./x', 'git'],
])('pathProblem(%j) is %s', (path, wanted) => {
  expect(pathProblem(path)).toBe(wanted);
});

test('pathProblem() lets no path leave its folder, on POSIX or Windows', () => {
  fc.assert(
    fc.property(anyPath, (path) => {
      fc.pre(pathProblem(path) === undefined);
      expect(posix.normalize(path)).toBe(path);
      expect(posix.join('/root', path)).toBe(`/root/${path}`);
      expect(posix.resolve('/root', path)).toBe(`/root/${path}`);
      expect(win32.resolve('C:\\root', path)).toBe(`C:\\root\\${path.replaceAll('/', '\\')}`);
      expect(win32.isAbsolute(path)).toBe(false);
      expect(decodeURIComponent(encodeURIComponent(path))).toBe(path);
    }),
    { numRuns: runs(3_000) },
  );
});

describe('collisionKey()', () => {
  test.each([
    ['Foo.txt', 'foo.TXT'],
    ['\u00e9', 'e\u0301'],
    ['É', 'e\u0301'],
    ['ΑΣ', 'ας'],
    ['ας', 'ασ'],
    ['\u017f', 's'],
    ['\u212a', 'k'],
    ['straße', 'STRASSE'],
    ['\ufb01le', 'file'],
  ])('is one for %j and %j', (a, b) => {
    expect(collisionKey(a)).toBe(collisionKey(b));
  });

  test('keeps different names apart', () => {
    expect(collisionKey('a')).not.toBe(collisionKey('b'));
    expect(collisionKey('e')).not.toBe(collisionKey('é'));
  });

  test('is one for the cases and forms of any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (path) => {
        const key = collisionKey(path);
        expect(collisionKey(path.toUpperCase())).toBe(key);
        expect(collisionKey(path.normalize('NFD'))).toBe(key);
      }),
    );
  });
});

describe('checkFilePaths()', () => {
  const codes = (paths: string[]) => checkFilePaths(paths).map((f) => `${f.code} ${f.file}`);

  test.each([
    ['a case collision', ['Foo.txt', 'foo.txt'], ['file-path-collision foo.txt']],
    ['a duplicate', ['a', 'a'], ['file-path-collision a']],
    ['a file that is a folder', ['a', 'a/b'], ['file-path-collision a/b']],
    ['a folder that is a file', ['a/b', 'a'], ['file-path-collision a']],
    ['folders that differ in case', ['A/x', 'a/y'], ['file-path-collision a/y']],
    ['a file and a folder by case', ['A', 'a/y'], ['file-path-collision a/y']],
    ['every bad path', ['../a', 'con'], ['file-path-traversal ../a', 'file-path-reserved con']],
  ])('reports %s', (_, paths, wanted) => {
    expect(codes(paths)).toEqual(wanted);
  });

  test('accepts files that share folders', () => {
    expect(codes(['a/b/c', 'a/b/d', 'a/e', 'ab', 'a.ts'])).toEqual([]);
  });

  test('names an unprintable path so that a terminal can show it', () => {
    expect(checkFilePaths(['a\u001b[31m\u202e'])[0]?.file).toBe('a\\u{1b}[31m\\u{202e}');
  });

  test('accepts a set in one order if and only if it accepts it in another', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[abA](\/[abA]){0,2}$/), { maxLength: 5 }),
        (paths) => {
          const isClean = codes(paths).length === 0;
          expect(codes(paths.toReversed()).length === 0).toBe(isClean);
          const keys = paths.map(collisionKey);
          expect(isClean && new Set(keys).size < keys.length).toBe(false);
        },
      ),
      { numRuns: 500 },
    );
  });
});

test('printable() leaves no control or half character', () => {
  fc.assert(
    fc.property(anyPath, (path) => {
      // oxlint-disable-next-line no-control-regex
      expect(printable(path)).not.toMatch(/[\u0000-\u001f\u200b\ud800]/);
      expect(printable(path).isWellFormed()).toBe(true);
    }),
  );
});
