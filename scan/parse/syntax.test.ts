/** Nested `n` deep, each in its own way. */
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { LineTable } from './line-table.ts';
import { SAFE_DEPTH, depthOf } from './nesting.ts';
import { nativeParser } from './native-parser.ts';
import { parseJavaScript, type SyntaxNode } from './parse-javascript.ts';
import { languageOf, readSyntax, byPath, longRun } from './syntax.ts';
import { isDeep, runs } from '../../tests/run/runs.ts';

const NESTED: Readonly<Record<string, (n: number) => string>> = {
  parentheses: (n) => '('.repeat(n) + '1' + ')'.repeat(n),
  arrays: (n) => '['.repeat(n) + ']'.repeat(n),
  objects: (n) => 'x=' + '{a:'.repeat(n) + '1' + '}'.repeat(n),
  functions: (n) => 'function f(){'.repeat(n) + '}'.repeat(n),
  classes: (n) => 'class A{x='.repeat(n) + '1' + '}'.repeat(n),
  negations: (n) => '!'.repeat(n) + '1',
  arrows: (n) => 'a=>'.repeat(n) + '1',
  conditionals: (n) => 'a?b:'.repeat(n) + '1',
  sums: (n) => '1' + '+1'.repeat(n),
  quotients: (n) => 'a' + '/a'.repeat(n),
  assignments: (n) => 'a='.repeat(n) + '1',
  ifs: (n) => 'if(a)'.repeat(n) + 'b',
  elses: (n) => 'if(a){}else '.repeat(n) + 'b',
  'elses with semicolons': (n) => 'if(a)b;else '.repeat(n) + 'b',
  loops: (n) => 'for(;;)'.repeat(n) + 'b',
  news: (n) => 'new '.repeat(n) + 'a',
  templates: (n) => '`${'.repeat(n) + '1' + '}`'.repeat(n),
  'tagged templates': (n) => 'a' + '``'.repeat(n),
  labels: (n) => 'a:'.repeat(n) + 'b',
  types: (n) => 'let x:' + 'A<'.repeat(n) + 'A' + '>'.repeat(n),
  'type operators': (n) => 'type x=' + 'keyof '.repeat(n) + 'a',
  casts: (n) => 'a' + ' as b'.repeat(n),
  'hidden by a string': (n) => '(")",'.repeat(n) + '1' + ')'.repeat(n),
  'hidden by a comment': (n) => '(/*)*/'.repeat(n) + '1' + ')'.repeat(n),
  'hidden by a regular expression': (n) => '(/)/,'.repeat(n) + '1' + ')'.repeat(n),
  'hidden by a regular expression with a quote': (n) =>
    'if(a)/"/;' + '['.repeat(n) + '"' + ']'.repeat(n),
  'hidden by a division': (n) => 'a=(b)/"/",[' + '['.repeat(n) + ']'.repeat(n) + '"/"]',
  ...hidden(),
  'hidden by an HTML comment': (n) => '<!-- `\n' + '['.repeat(n) + ']'.repeat(n) + '\n//`',
};

/** After each of these, a slash or a quote has another meaning than it seems to have. */
function hidden(): Record<string, (n: number) => string> {
  const places: readonly (readonly [string, string])[] = [
    ['a = 1 /', '/ 2'],
    ['a = 1.5 /', '/ 2'],
    ['a = 1./', '/ 2'],
    ['a = b\f/', '/ 2'],
    ['a = b\v/', '/ 2'],
    ['throw\u00a0/"/;', '//"'],
    ['a . return /', '/ 2'],
    ['a ./* */\nreturn /', '/ 2'],
    ['a . if (b) /', '/ 2'],
    ['a?.return /', '/ 2'],
    ['017.return /', '/ 2'],
    ['1..return /', '/ 2'],
    ['a = 1. in /"/,', '//"'],
    ['a = [...typeof /"/,', '//"\n]'],
    ['class A { #return; a() { this.#return /', '/ 2 } }'],
    ['async function f() { for await (a of b) /"/;', '//"\n}'],
    ["import 'a'\n/\"/;", '//"'],
    ['while (a) { break\n/"/;', '//"\n}'],
    ['do;while(0)/"/;', '//"'],
    ['a\n++/"/.b;', '//"'],
    ['a = {}! /', '/ 2'],
    ['a\n!/"/;', '//"'],
    ['{}\n/a/ /', '/ 1'],
    ['{}\n/a//', '\n/ 1'],
    ['{}\n/a/in /', '/ 1'],
    ['a = /a/in /', '/ 1'],
    ['\\u0069f (a) /"/;', '//"'],
    ['type A = string\n/"/;', '//"'],
    ['let a: string\n/"/;', '//"'],
    ['function f(a)\n/"/;', '//"'],
    ['a as void /', '/ 2'],
    ['a as any? /', '/ 2'],
    ['"a" as in /', '/ 2'],
    ['function f() { yield / await /"/,', '//"\n}'],
    ['a<b>/', '/ 2'],
    ['await\n/"/;', '//"'],
  ];
  const cases = places.map(([before, after]): [string, (n: number) => string] => [
    JSON.stringify(before),
    (n) => `${before}${'['.repeat(n)}${']'.repeat(n)}${after}`,
  ]);
  return {
    ...Object.fromEntries(cases),
    'words with other spaces': (n) => 'typeof\u00a0'.repeat(n),
  };
}

describe('depthOf()', () => {
  it.each(Object.keys(NESTED))('reports deep %s', (kind) => {
    const depth = kind === 'sums' || kind === 'quotients' ? 8 * SAFE_DEPTH : SAFE_DEPTH;
    expect(depthOf(NESTED[kind]!(depth + 10))).not.toBe('shallow');
    expect(depthOf(NESTED[kind]!(100_000))).not.toBe('shallow');
  });

  it.each([
    ['a long file', 'const a = (b) ? [c] : { d: `${e}` };\n'.repeat(20_000)],
    ['a long list', `x = [${'"a" + b, '.repeat(20_000)}]`],
    ['regular expressions', 'a = /[/"]/.test(b) / 2;\n'.repeat(5_000)],
    ['divisions', 'a = 1 / b; c = d[1] / 2 / "/";\ne =\n  f(g)\n  / 0.5;\n'.repeat(5_000)],
    ['a text with a mark of its byte order', '\uFEFFa = /"/;'],
    ['sums over lines', `a = ${'b\n + '.repeat(2 * SAFE_DEPTH)} c`],
    ['one line', 'function f(a){return a?b:c}var g="((((";'.repeat(20_000)],
  ])('lets %s pass', (_, text) => {
    expect(depthOf(text)).toBe('shallow');
  });
});

describe('readSyntax()', () => {
  // The native parser would end the process: a defect here ends the worker.
  it.each(Object.keys(NESTED))('survives deep %s', (kind) => {
    for (const depth of [SAFE_DEPTH - 10, 3_000, isDeep() ? 100_000 : 10_000]) {
      for (const name of ['a.js', 'a.ts']) {
        expect(['javascript', 'unread']).toContain(readSyntax(name, NESTED[kind]!(depth)).language);
      }
    }
  });

  it.each(['(', '[', '{', 'a(', 'f"{', 'lambda: ', 'not ', '-', '\n if a:\n', 'x = ', 'a.'])(
    'survives deep Python: %j',
    (part) => {
      expect(readSyntax('a.py', part.repeat(runs(50_000))).language).toMatch(/^(?:python|unread)$/);
    },
  );

  it('survives strings in strings of Python, in whose tree a node has no type', () => {
    const text = 'rf"""{'.repeat(950) + '"""fr}'.repeat(950);
    expect(readSyntax('a.py', text)).toMatchObject({ language: 'python', gap: expect.any(String) });
  });

  it('does not read what is not text', () => {
    expect(readSyntax('a.js', undefined)).toMatchObject({ language: 'unread' });
    expect(readSyntax('a.bin', undefined)).toEqual({ language: 'none' });
  });
});

describe('parseJavaScript()', () => {
  it('stays on the stack of a worker thread at the depth that it admits', async () => {
    const texts = Object.values(NESTED)
      .map((make) => make(SAFE_DEPTH / 5))
      .filter((text) => depthOf(text) === 'shallow');
    const module = new URL('./parse-javascript.ts', import.meta.url).href;
    const code = `const { workerData, parentPort } = require('node:worker_threads');
      import(${JSON.stringify(module)}).then(({ parseJavaScript }) => {
        // From then on, texts are read through the parser's own memory.
        for (let n = 0; n < 100; n += 1) parseJavaScript('a.ts', '');
        for (const text of workerData) {
          parseJavaScript('a.ts', text).program;
          parseJavaScript('a.ts', text, { outline: () => undefined }).program;
        }
        parentPort.postMessage('done');
      });`;
    const worker = new Worker(code, { eval: true, workerData: texts });
    const message = await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    expect(message).toBe('done');
  });

  it.each([
    ['a.js', 'import a, { b as c } from "d"; export default async function* f({ x, ...y }) {}'],
    ['a.cjs', 'var a = require("b"), { c = 1 } = a?.d?.(...e); `x${a}y`; (function () {})();'],
    [
      'a.ts',
      'import type { A } from "a"; export const d = (e: A): A => e! as A; class F { private x?: string }',
    ],
    ['a.js', 'class A { static #a = 1; get b() { return this.#a; } static { import("x"); } }'],
    [
      'a.js',
      'a ??= b; a = 1n ** 2n; for await (const x of y) { try { z() } catch { } } import.meta.url',
    ],
  ])('gives the same tree with either parser: %s %s', (path, text) => {
    expect(nativeParser).not.toBeNull();
    const withNative = shapeOf(parseJavaScript(path, text).program);
    const without = shapeOf(parseJavaScript(path, text, null).program);
    expect(without).toEqual(withNative);
  });

  it('gives the same imports with either parser', () => {
    const statement = fc.constantFrom(
      "import 'a';",
      "import b, { type B } from 'b';",
      "import type { C } from 'c';",
      "import { type D, type E } from 'd';",
      "import * as e from 'e';",
      "export * from 'f';",
      "export type { G } from 'g';",
      "export { h, type H } from '@h/h';",
      "export { type I } from 'i';",
      'export const j = 1;',
      "const k = require('k'); export { k };",
    );
    fc.assert(
      fc.property(fc.uniqueArray(statement), (all) => {
        const text = all.join('\n');
        const { imports } = parseJavaScript('a.ts', text, null);
        expect(imports).toEqual(parseJavaScript('a.ts', text).imports);
        const expected = all.filter((one) => /^import| from /.test(one)).length;
        expect(imports).toHaveLength(expected);
      }),
    );
  });
});

/** Types and offsets of all nodes in order. */
function shapeOf(node: SyntaxNode): string[] {
  const shape: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) {
      const { type, start, end } = value as SyntaxNode;
      if (typeof type === 'string') shape.push(`${type} ${start} ${end}`);
      for (const [key, inner] of Object.entries(value)) {
        if (
          !['loc', 'extra', 'comments', 'parent', 'value', 'regex'].includes(key) ||
          (key === 'value' && type !== 'Literal' && type !== 'TemplateElement')
        )
          visit(inner);
      }
    }
  };
  visit(node);
  return shape.sort();
}

describe('languageOf()', () => {
  it.each([
    ['a.js', '', 'javascript'],
    ['a.d.ts', '', undefined],
    ['bin/run', '#!/usr/bin/env node\n', 'javascript'],
    ['bin/run', '#!/usr/bin/python3\n', 'python'],
    ['bin/run', '#!/bin/sh\n', undefined],
    ['LICENSE', 'MIT', undefined],
    ['setup.PY', '', 'python'],
  ])('%s %j: %s', (path, text, language) => {
    expect(languageOf(path, text)).toBe(language);
  });
});

describe('LineTable', () => {
  it('finds line and column', () => {
    const lines = new LineTable('ab\ncd\n');
    expect(lines.place(0, 1)).toEqual({ line: 1, column: 1, length: 1 });
    expect(lines.place(4, 1)).toEqual({ line: 2, column: 2, length: 1 });
    expect(lines.place(6, 0)).toEqual({ line: 3, column: 1, length: 0 });
  });
});

test('byPath() computes once for a path, also where the result is undefined', () => {
  const computed: string[] = [];
  const read = byPath((path) => {
    computed.push(path);
    return path === 'a' ? undefined : path.length;
  });
  expect(['a', 'bc', 'a', 'bc'].map(read)).toEqual([undefined, 2, undefined, 2]);
  expect(computed).toEqual(['a', 'bc']);
});

test('byPath() keeps the names of objects apart', () => {
  const read = byPath((path) => `of ${path}`);
  expect(['__proto__', 'constructor'].map(read)).toEqual(['of __proto__', 'of constructor']);
});

test('byPath() forgets: its memory does not grow with the number of paths', () => {
  let computed = 0;
  const read = byPath(() => (computed += 1));
  for (let n = 0; n < 2_001; n += 1) read(`src/${n}.ts`);
  expect(read('src/2000.ts')).toBe(2_001);
  expect(read('src/0.ts')).toBe(2_002);
});

describe('longRun()', () => {
  it.each<[string, boolean]>([
    ['', false],
    ['abc', false],
    ['abcd', true],
    ['xabcdx', true],
    ['abcxabcx', false],
    ['x'.repeat(20), false],
    ['xxxabcd', true],
    ['abéd', true],
    ['abc', false],
  ])('looks for four letters of a to d in "%s"', (text, wanted) => {
    expect(longRun(/[a-d]/, 4)(text)).toBe(wanted);
  });

  it('finds what the regular expression finds', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'x'), maxLength: 60 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (made, length) => {
        expect(longRun(/[ab]/, length)(made)).toBe(new RegExp(`[ab]{${length}}`).test(made));
      }),
    );
  });
});
