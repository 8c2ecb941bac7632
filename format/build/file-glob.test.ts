import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import {
  MAX_GLOB_ALTERNATIVES,
  MAX_GLOB_LENGTH,
  compileGlob,
  globListProblem,
  globProblem,
  selectFiles,
} from './file-glob.ts';
import { runs } from '../../tests/run/runs.ts';

test.each([
  ['src/**', 'src/a', true],
  ['src/**', 'src/a/b.ts', true],
  ['src/**', 'lib/a', false],
  ['src', 'src/a/b', true],
  ['src/', 'src/a/b', true],
  ['src', 'srcs/a', false],
  ['**/*.ts', 'a.ts', true],
  ['**/*.ts', 'a/b/c.ts', true],
  ['**/*.ts', 'a/b/c.tsx', false],
  ['a/**/b', 'a/b', true],
  ['a/**/b', 'a/x/y/b', true],
  ['a/**/b', 'ab', false],
  ['*', '.env.example', true],
  ['*', 'a/b', true],
  ['*.ts', 'a/b.ts', false],
  ['?', 'é', true],
  ['?', '😀', true],
  ['?', 'ab', false],
  ['[a-c]', 'b', true],
  ['[a-c]', 'd', false],
  ['[!a-c]', 'd', true],
  ['[!a-c]', 'b', false],
  ['[]a]', ']', true],
  ['[a-]', '-', true],
  ['{a,b}/c', 'b/c', true],
  ['{a,b}/c', 'c/c', false],
  ['{a,{b,c}}x', 'cx', true],
  ['x{,y}', 'x', true],
  ['A', 'a', false],
  ['a.b', 'axb', false],
  ['*.*', 'b.', true],
  ['a+(b)', 'a+(b)', true],
])('compileGlob(%j) of %j is %s', (glob, path, wanted) => {
  expect(compileGlob(glob)(path)).toBe(wanted);
});

test.each([
  ['', 'empty'],
  ['!', 'empty'],
  ['/a', 'absolute'],
  ['!/a', 'absolute'],
  ['C:/a', 'absolute'],
  ['a\\b', 'with a backslash'],
  ['../a', 'with a ".." segment'],
  ['a/../b', 'with a ".." segment'],
  ['{a,..}/b', 'with a ".." segment'],
  ['{.,a}./b', 'with a ".." segment'],
  ['{/a,b}', 'with an empty or "." segment'],
  ['a//b', 'with an empty or "." segment'],
  ['./a', 'with an empty or "." segment'],
  ['{a,}', 'with an empty or "." segment'],
  ['[a', 'with an open "["'],
  ['[]', 'with an open "["'],
  ['{a', 'with unbalanced or too many braces'],
  ['a}', 'with unbalanced or too many braces'],
  ['}a{', 'with unbalanced or too many braces'],
  ['{a,b}'.repeat(7), 'with unbalanced or too many braces'],
  ['{a,b}'.repeat(50), 'with unbalanced or too many braces'],
  ['a'.repeat(MAX_GLOB_LENGTH + 1), 'longer than 256 characters'],
])('globProblem(%j) is %j', (glob, wanted) => {
  expect(globProblem(glob)).toBe(wanted);
});

test.each([
  'a'.repeat(MAX_GLOB_LENGTH),
  '!**/*.test.ts',
  '{a,b}'.repeat(Math.log2(MAX_GLOB_ALTERNATIVES)),
  '**',
  '.env.example',
])('globProblem() accepts %j', (glob) => {
  expect(globProblem(glob)).toBeUndefined();
});

describe('compileGlob() agrees with picomatch', () => {
  const segment = fc
    .array(fc.constantFrom('a', 'b', '.', '*', '?', '[ab]', '[!a]', 'a'), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.join(''))
    // "**" inside a segment, a star behind a class and "." alone are where the two languages part; and
    // picomatch's "*.*" alone wants something behind the dot.
    .filter((text) => !/\*\*|\]\*|^\.+$|^\*\.\*$/.test(text));
  const glob = fc
    .array(fc.oneof(segment, segment, fc.constant('**')), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join('/'));
  const path = fc
    .array(
      fc.stringMatching(/^[ab.]{1,3}$/).filter((text) => !/^\.+$/.test(text)),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map((parts) => parts.join('/'));

  test('on files, and on folders that it takes whole', () => {
    fc.assert(
      fc.property(glob, path, (pattern, candidate) => {
        // picomatch negates a class with "^" only.
        const theirs = pattern.replaceAll('[!', '[^');
        // It lets "/**" at the end stand for nothing behind a name, but not behind a star: we always do.
        const both = [theirs, theirs.replace(/(?:\/\*\*)+$/, '')];
        const oracle = picomatch(both, { dot: true, noextglob: true });
        const folders = candidate.split('/').map((_, at, all) => all.slice(0, at + 1).join('/'));
        // Ours takes all below a folder that it names.
        expect(compileGlob(pattern)(candidate)).toBe(folders.some((folder) => oracle(folder)));
      }),
      { numRuns: runs(5_000) },
    );
  });

  test('on braces', () => {
    fc.assert(
      fc.property(fc.array(segment, { minLength: 2, maxLength: 3 }), path, (parts, candidate) => {
        const ours = compileGlob(`{${parts.join(',')}}`)(candidate);
        expect(ours).toBe(parts.some((part) => compileGlob(part)(candidate)));
      }),
    );
  });
});

test.each([
  [`${'*a'.repeat(9)}*b`, 'a'.repeat(250)],
  [`${'*a'.repeat(100)}*b`, 'a'.repeat(250)],
  [`${'**/'.repeat(80)}b`, 'a/'.repeat(125) + 'a'],
  [`${'**/*a*/'.repeat(30)}b`, 'a/'.repeat(125) + 'a'],
  [`${'{*a,*b}'.repeat(6)}c`, 'ab'.repeat(125)],
])('compileGlob() finishes on %j', (glob, path) => {
  expect(globProblem(glob)).toBeUndefined();
  expect(compileGlob(glob)(path)).toBe(false);
});

describe('selectFiles()', () => {
  const paths = [
    'stackyard.json',
    'README.md',
    'INTEGRATION.md',
    'src/README.md',
    'src/a.ts',
    '.x',
  ];

  test('takes all but the three named files by default', () => {
    expect(selectFiles(paths, undefined)).toEqual(['src/README.md', 'src/a.ts', '.x']);
  });

  test('never takes the manifest', () => {
    expect(selectFiles(paths, ['**'])).toEqual(paths.slice(1));
    expect(selectFiles(paths, ['stackyard.json'])).toEqual([]);
  });

  test('leaves out what a "!" glob names, wherever it stands', () => {
    const wanted = ['README.md', 'INTEGRATION.md', '.x'];
    expect(selectFiles(paths, ['!src', '**'])).toEqual(wanted);
    expect(selectFiles(paths, ['**', '!src'])).toEqual(wanted);
  });

  test('takes nothing from an empty list', () => {
    expect(selectFiles(paths, [])).toEqual([]);
  });
});

test('globProblem() never throws, and compileGlob() takes what it accepts', () => {
  const unit = fc.constantFrom(...'ab*?[]{},!/.\\-'.split(''));
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 14 }), (glob) => {
      fc.pre(globProblem(glob) === undefined);
      expect(typeof compileGlob(glob.replace(/^!/, ''))('a/b')).toBe('boolean');
    }),
    { numRuns: runs(3_000) },
  );
});

test('globListProblem() bounds wildcards, not plain names', () => {
  const names = Array.from({ length: 5_000 }, (_, n) => `src/file-${n}.ts`);
  expect(globListProblem(names)).toBeUndefined();
  expect(selectFiles(['src/file-7.ts', 'src/other.ts'], names)).toEqual(['src/file-7.ts']);
  expect(globListProblem(Array.from({ length: 256 }, (_, n) => `${n}*`))).toBeUndefined();
  expect(globListProblem(Array.from({ length: 129 }, () => '{a,b}*'))).toContain('258');
});
