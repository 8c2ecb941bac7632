import fc from 'fast-check';
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
  ['*a*a*b', 'with over 3 stars, or over 2 in a segment'],
  ['**/*/*/*', 'with over 3 stars, or over 2 in a segment'],
  [`${'*a'.repeat(100)}*b`, 'with over 3 stars, or over 2 in a segment'],
  [`${'{*a,*b}'.repeat(4)}c`, 'with over 3 stars, or over 2 in a segment'],
  ['[z-a]', 'with a range in the wrong order'],
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

/** The meaning of a glob without braces, by trying everything. */
function isMatch(pattern: readonly string[], path: readonly string[]): boolean {
  const [part, ...rest] = pattern;
  const [name, ...below] = path;
  // A pattern that is used up names a folder.
  if (part === undefined) return true;
  if (part === '**' && isMatch(rest, path)) return true;
  if (name === undefined) return false;
  return part === '**'
    ? isMatch(pattern, below)
    : isNamed(part.match(/\[[^\]]*\]|[^]/g) ?? [], name) && isMatch(rest, below);
}

function isNamed([part, ...rest]: readonly string[], name: string): boolean {
  if (part === undefined) return name === '';
  if (part === '*')
    return isNamed(rest, name) || (name !== '' && isNamed([part, ...rest], name.slice(1)));
  const first = name.slice(0, 1);
  const list = /^\[(!?)(.*)\]$/.exec(part);
  const isOne =
    list === null ? part === '?' || part === first : list[2]!.includes(first) === (list[1] === '');
  return first !== '' && isOne && isNamed(rest, name.slice(1));
}

test('compileGlob() means what the format says', () => {
  const part = fc.constantFrom('a', 'a', 'b', '.', '*', '?', '[ab]', '[!a]', '+', '(a|b)', '$');
  const segment = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
  const some = { minLength: 1, maxLength: 4 };
  const glob = fc.array(fc.oneof(segment, segment, fc.constant('**')), some);
  const name = fc.stringMatching(/^[ab.+$|()]{0,3}[ab]$/);
  fc.assert(
    fc.property(glob, fc.array(name, some), (pattern, path) => {
      const text = pattern.join('/');
      fc.pre(globProblem(text) === undefined && !text.includes('***'));
      const isBoth = compileGlob(`{${text},x}`)(path.join('/'));
      expect(compileGlob(text)(path.join('/'))).toBe(isMatch(pattern, path));
      expect(isBoth).toBe(isMatch(pattern, path));
    }),
    { numRuns: runs(5_000) },
  );
});

test.each([
  ['*a*b', 'a'.repeat(250)],
  ['*a*a/*b', `${'a'.repeat(125)}/${'a'.repeat(125)}`],
  ['**/*a*b', `${'a'.repeat(125)}/${'a'.repeat(125)}`],
  ['**/*a*b', `${'a'.repeat(7)}/`.repeat(31) + 'a'],
  ['**/a*/**/b', 'a/'.repeat(125) + 'a'],
  ['**/**/**/b', 'a/'.repeat(125) + 'a'],
  [`**/${'{a,?}'.repeat(6)}*a*b`, 'a'.repeat(250)],
])('compileGlob() finishes on %j', (glob, path) => {
  expect(globProblem(glob)).toBeUndefined();
  const matches = compileGlob(glob);
  const start = performance.now();
  for (let n = 0; n < 100; n += 1) expect(matches(path)).toBe(false);
  expect(performance.now() - start).toBeLessThan(5_000);
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
  expect(globListProblem(Array.from({ length: 64 }, (_, n) => `${n}*`))).toBeUndefined();
  expect(globListProblem(Array.from({ length: 33 }, () => '{a,b}*'))).toContain('66');
});
