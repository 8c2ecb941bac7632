import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nativeParser } from './native-parser.ts';
import { parseJavaScript, type SyntaxNode } from './parse-javascript.ts';

const PARSERS = [
  ['native', nativeParser],
  ['in JavaScript', null],
] as const;

describe.each(PARSERS)('parseJavaScript() with the parser %s', (_, native) => {
  it.each([
    [
      'a.js',
      "import a from 'x'; import { b } from './y.js'",
      [
        ['x', false],
        ['./y.js', false],
      ],
    ],
    [
      'a.js',
      "export * from 'x'; export { a } from 'y'",
      [
        ['x', false],
        ['y', false],
      ],
    ],
    [
      'a.ts',
      "import type { A } from 'x'; import { type B } from 'y'",
      [
        ['x', true],
        ['y', true],
      ],
    ],
    ['a.ts', "import { type A, b } from 'x'", [['x', false]]],
    ['a.ts', "export type { A } from 'x'", [['x', true]]],
    ['a.js', "import 'x'", [['x', false]]],
    ['a.js', "require('x'); import('y')", []],
    ['a.js', '', []],
  ])('%s: %s', (path, text, imports) => {
    const parsed = parseJavaScript(path, text, native);
    expect(parsed.imports.map(({ specifier, isType }) => [specifier, isType])).toEqual(imports);
    for (const { specifier, start } of parsed.imports)
      expect(text.slice(start + 1, start + 1 + specifier.length)).toBe(specifier);
    expect(parsed.problemAt).toBeUndefined();
  });

  it.each(['a = ;', 'function (', 'class {', '"'])('reports a problem in %j', (text) => {
    const { problemAt, program } = parseJavaScript('a.js', text, native);
    expect(problemAt).toBeGreaterThanOrEqual(0);
    expect(problemAt).toBeLessThanOrEqual(text.length);
    expect(program.type).toBe('Program');
  });

  it.each([
    ['a.js', 'return await x'],
    ['a.jsx', 'a = <b>{c}</b>'],
    ['a.tsx', 'const a = <b>{c as string}</b>'],
    ['a.ts', 'enum A { B } namespace C { export const d = <string>e }'],
    ['a.js', '#!/usr/bin/env node\na'],
    ['a.js', 'a?.b; c ??= 1n'],
  ])('reads %s: %s', (path, text) => {
    expect(parseJavaScript(path, text, native).program.body.length).toBeGreaterThan(0);
  });

  it('has nodes within the text, for any text', () => {
    const word = fc.constantFrom(
      'a',
      '(',
      ')',
      '{',
      '}',
      '=>',
      '`',
      '${',
      '"',
      ';',
      ' ',
      '/',
      'import ',
      "'x'",
      '\n',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (words) => {
        const text = words.join('');
        const open: SyntaxNode[] = [parseJavaScript('a.js', text, native).program];
        for (let node = open.pop(); node !== undefined; node = open.pop()) {
          expect(0 <= node.start && node.start <= node.end && node.end <= text.length).toBe(true);
          for (const value of Object.values(node).flat())
            if (typeof (value as Partial<SyntaxNode> | null)?.type === 'string')
              open.push(value as SyntaxNode);
        }
      }),
    );
  });
});
