/** The modules that a file imports; `?` behind those that it can do without. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testFile } from '../test-build.ts';
import { importsOf, npmPackageOf } from './imports.ts';

function modules(path: string, text: string): string[] {
  return importsOf(testFile(path, text)).map(
    ({ specifier, isOptional }) => `${specifier}${isOptional ? '?' : ''}`,
  );
}

describe('importsOf()', () => {
  it.each([
    ['a.js', "import a from 'x'", ['x']],
    ['a.ts', "import type { A } from 'x'", ['x?']],
    ['a.js', "require('x'); await import(`y`)", ['x', 'y']],
    ['a.js', "try { require('x') } catch {}", ['x?']],
    ['a.js', "// require('x')\n/* require('y') */", []],
    ['a.js', ' * require("x")', []],
    ['a.js', 'require(name); require(`a${b}`)', []],
    ['a.js', "const text = 'import x'", []],
    ['a.py', 'import a.b, c as d\nfrom e.f import g', ['a.b', 'c', 'e.f']],
    ['a.py', 'from . import a\nfrom .b import c', []],
    ['a.py', 'try:\n  import a\nexcept ImportError:\n  a = None\nimport b', ['a?', 'b']],
    ['a.py', 'if TYPE_CHECKING:\n  import a', ['a?']],
    ['a.py', '"""\nimport a\n"""', []],
    ['a.json', '{"a": "require(\'x\')"}', []],
  ])('%s: %j', (path, text, expected) => {
    expect(modules(path, text)).toEqual(expected);
  });

  it('is computed once per file', () => {
    const file = testFile('a.js', "import 'x'");
    expect(importsOf(file)).toBe(importsOf(file));
  });

  it.each([
    ['a.js', "require('x');\n"],
    ['a.js', "import 'x';\n"],
    ['a.py', 'import x\n'],
  ])('reads at most 2,000 of %s: %j', (path, line) => {
    expect(modules(path, line.repeat(3_000))).toHaveLength(2_000);
  });

  it('has places within the text, for any text', () => {
    const word = fc.constantFrom(
      'require(',
      "'x'",
      ')',
      'import ',
      'from ',
      ' ',
      '\n',
      'x',
      '.',
      ',',
      'try {',
      '//',
    );
    fc.assert(
      fc.property(
        fc.constantFrom('a.js', 'a.py'),
        fc.array(word, { maxLength: 30 }),
        (path, words) => {
          const text = words.join('');
          for (const { start } of importsOf(testFile(path, text)))
            expect(0 <= start && start < text.length).toBe(true);
        },
      ),
    );
  });
});

describe('npmPackageOf()', () => {
  it.each([
    ['a', 'a'],
    ['a/b/c', 'a'],
    ['@a/b/c', '@a/b'],
    ['A-b.c', 'A-b.c'],
  ])('%s: %s', (specifier, name) => {
    expect(npmPackageOf(specifier)).toBe(name);
  });

  it.each([
    '',
    '.',
    './a',
    '../a',
    '/a',
    '#a',
    '~/a',
    '@/a',
    'node:fs',
    'https://a.com/a.js',
    'c:\\a',
    '@a',
    'a b',
    'a?raw',
  ])('%j is in none', (specifier) => {
    expect(npmPackageOf(specifier)).toBeUndefined();
  });
});
