import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BeyondLimits, MAX_BROKEN_LENGTH, MAX_CODE_BYTES, MAX_DEPTH } from './limits.ts';
import { parseJavaScript, wholeJavaScript, type SyntaxNode } from './parse-javascript.ts';

describe('parseJavaScript()', () => {
  it.each<[string, string, [string, boolean][]]>([
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
    const parsed = parseJavaScript(path, text);
    expect(parsed.imports.map(({ specifier, isType }) => [specifier, isType])).toEqual(imports);
    for (const { specifier, start } of parsed.imports)
      expect(text.slice(start + 1, start + 1 + specifier.length)).toBe(specifier);
    expect(parsed.problemAt).toBeUndefined();
  });

  it.each(['a = ;', 'function (', 'class {', '"'])('reports a problem in %j', (text) => {
    const { problemAt, program } = parseJavaScript('a.js', text);
    expect(problemAt).toBeGreaterThanOrEqual(0);
    expect(problemAt).toBeLessThanOrEqual(text.length);
    expect(program.type).toBe('Program');
    expect(wholeJavaScript('a.js', text)).toBeUndefined();
  });

  it.each([
    ['a.js', 'return await x'],
    ['a.js', '// @flow\nimport type { A } from "a"; const b = (c: A): ?A => (c: any)'],
    ['a.jsx', 'a = <b>{c}</b>'],
    ['a.tsx', 'const a = <b>{c as string}</b>'],
    ['a.ts', 'enum A { B } namespace C { export const d = <string>e }'],
    ['a.ts', '@A() export class B { constructor(@C() private readonly d: D) {} @E() f = 1 }'],
    ['a.d.ts', 'export const a: string; declare global { interface B {} var B: B; } export = a'],
    ['a.ts', `/* ${'25:FE:39:AB:CD:'.repeat(9)} */ const a = 1`],
    ['a.js', '#!/usr/bin/env node\na'],
    ['a.js', 'a?.b; c ??= 1n'],
  ])('reads %s: %s', (path, text) => {
    const { program, problemAt } = parseJavaScript(path, text);
    expect([program.body.length > 0, problemAt]).toEqual([true, undefined]);
  });

  it('has no parentheses in its tree', () => {
    const { program } = parseJavaScript('a.js', '((f))(((a)), b => (({})), (c = (d)) => 1);');
    expect(JSON.stringify(program)).not.toContain('ParenthesizedExpression');
  });

  it('makes its tree again after a release', () => {
    const parsed = parseJavaScript('a.js', 'f((a))');
    const before = JSON.stringify(parsed.program);
    parsed.release();
    expect(JSON.stringify(parsed.program)).toBe(before);
  });

  it('has nodes within the text, for any text', () => {
    const words = ['a', '(', ')', '{', '}', '=>', '`', '${', '"', ';', ' ', '/', 'import ', "'x'"];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words, '\n'), { maxLength: 30 }), (chosen) => {
        const text = chosen.join('');
        const open: SyntaxNode[] = [parseJavaScript('a.js', text).program];
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

/** Nested `n` deep, each in its own way, and how many levels each adds. */
const NESTED: readonly (readonly [string, number, (n: number) => string])[] = [
  ['parentheses', 2, (n) => `${'('.repeat(n)}1${')'.repeat(n)}`],
  ['arrays', 1, (n) => `${'['.repeat(n)}${']'.repeat(n)}`],
  ['objects', 2, (n) => `x=${'{a:'.repeat(n)}1${'}'.repeat(n)}`],
  ['calls', 2, (n) => `${'f('.repeat(n)}${')'.repeat(n)}`],
  ['async calls', 2, (n) => `${'async('.repeat(n)}1${')'.repeat(n)}`],
  ['members', 1 / 2, (n) => `a${'.b'.repeat(n)}`],
  ['functions', 2, (n) => `${'function f(){'.repeat(n)}${'}'.repeat(n)}`],
  ['arrows', 1, (n) => `${'a=>'.repeat(n)}1`],
  ['arrows in parentheses', 3, (n) => `${'((a)=>'.repeat(n)}1${')'.repeat(n)}`],
  ['defaults', 4, (n) => `${'({a='.repeat(n)}1${'})=>1'.repeat(n)}`],
  ['negations', 1, (n) => `${'!'.repeat(n)}1`],
  ['conditionals', 1 / 2, (n) => `${'a?b:'.repeat(n)}1`],
  ['conditionals in parentheses', 3, (n) => `${'(a?'.repeat(n)}1${':b)'.repeat(n)}`],
  ['sums', 1 / 8, (n) => `1${'+1'.repeat(n)}`],
  ['ifs', 1, (n) => `${'if(a)'.repeat(n)}b`],
  ['elses', 1 / 2, (n) => `${'if(a){}else '.repeat(n)}b`],
  ['templates', 1, (n) => `${'`${'.repeat(n)}1${'}`'.repeat(n)}`],
  ['patterns', 2, (n) => `var ${'{a:'.repeat(n)}b${'}'.repeat(n)}=1`],
  ['classes', 3, (n) => `${'class A{a=1;static{'.repeat(n)}${'}}'.repeat(n)}`],
  ['JSX', 1, (n) => `x=${'<a>'.repeat(n)}${'</a>'.repeat(n)}`],
  ['JSX in attributes', 4, (n) => `x=${'<a b={'.repeat(n)}1${'}/>'.repeat(n)}`],
  ['types', 2, (n) => `let x:${'A<'.repeat(Math.min(n, 15))}A${'>'.repeat(Math.min(n, 15))}`],
  ['types of functions', 3, (n) => `let x:${'(a:'.repeat(n)}A${')=>b'.repeat(n)}`],
  ['casts', 1, (n) => `a${' as b'.repeat(n)}`],
];

describe('a text that is nested in', () => {
  it.each(NESTED)('%s is read up to a depth', (kind, levels, make) => {
    const path = kind.startsWith('JSX') ? 'a.tsx' : 'a.ts';
    expect(() => parseJavaScript(path, make(Math.floor((MAX_DEPTH - 8) / levels)))).not.toThrow();
    if (kind === 'types') return;
    for (const n of [MAX_DEPTH / levels + 8, (20 * MAX_DEPTH) / levels])
      expect(() => parseJavaScript(path, make(Math.ceil(n)))).toThrow(BeyondLimits);
  });
});

it.each(['(', 'a=>', '`${', '/[', '<a>', '<a b={', 'f<a', 'a:', '<T>(', 'a?(b):', '{', '"'])(
  'reads 1 MB of %j or leaves it',
  (part) => {
    const text = part.repeat(Math.floor(MAX_CODE_BYTES / part.length));
    expect(() => parseJavaScript('a.tsx', text)).toThrow(BeyondLimits);
  },
);

it('leaves what is larger, also where it is all comment', () => {
  expect(() => parseJavaScript('a.js', `/*${'x'.repeat(MAX_CODE_BYTES)}*/`)).toThrow(
    'it is larger than 1 MB',
  );
});

it('goes on after an error in a text of usual size', () => {
  const code = 'let a; let a; f(a);';
  const { program, problemAt } = parseJavaScript('a.js', code);
  expect([program.body.length, problemAt]).toEqual([3, 11]);
  expect(() => parseJavaScript('a.js', `${code}//${'x'.repeat(MAX_BROKEN_LENGTH)}`)).toThrow(
    'it has a syntax error and is larger than 200 kB',
  );
});
