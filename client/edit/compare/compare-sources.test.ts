import fc from 'fast-check';
import { format } from 'oxfmt';
import { describe, expect, test } from 'vitest';
import { compareSources, MAX_COMPARED_BYTES } from './compare-sources.ts';

type Pair = readonly [path: string, before: string, after: string];

/** Texts that use much of each language. */
const SAMPLES: readonly (readonly [path: string, text: string])[] = [
  [
    'a.ts',
    `#!/usr/bin/env node
'use strict'
import {a, type B} from "./a.js"   // behind
/**
 * Documented.
   * @param x more
 */
export default class Store<T extends object = {}> extends Base implements I, J {
  static #count = 0; readonly 'name': string; private x?: number
  constructor(private readonly db: Db, @inject() other?: () => void) { super() }
  @dec({a: 1}) async *items(...rest: readonly (A | B)[]): AsyncGenerator<Map<string, Array<T>>> { for await (const {a, 'b': c = 2, ...d} of rest) yield* (a as unknown as any)! }
}
type U = | 'a' | "it's"; type F = ((new () => A) | (() => void))[]
interface Shape { a: string, b?(x: number): asserts x is 5; readonly [key: string]: unknown }
enum Kind { First = 0XFF, 'second' = 1.50 }
declare module "x" { const y: unique symbol }
const sum = (1 + 2) * 3 ** -(4), text = \`a \${ b  ? 'c' : "d" } \\n\`, re = /[/]a+/gi, big = 1_000N, when = (await x)?.y?.[0]
let f = x => ({ ...x, 'a': 1 }), g = async function* () {}, h = !(a && (b && c)), i = a ?? (b || c)
outer: for (let i = 0, j; i < 10; i++) { if (!j) continue outer; else break }
;[1, , 2].forEach(function (n) { delete o[n]; void 0 })
switch (a) { case 1: case 2: { b() } break; default: throw new Error }
try { a } catch { b } finally { c }
do x--; while (x > 0)
export {a as default, f}; export * as ns from 'ns'
`.replace('1_000N', '1_000n'),
  ],
  [
    'a.tsx',
    `const A = <T,>(props: {a: string}) => <div className='x "y"' title={"t"} {...props}>
  Hello {props.a} and <b>bold</b>{" "}
  {/* comment */}
  text that is long enough to be wrapped by any formatter, because it goes on and on
  {props.b ? <i>one</i> : null}
  <></>
</div>
`,
  ],
  ['a.json', '{"b":[1,2.50,{"c":null}],"a":"\\u0041",\n\n  "d":{},"e":[true,false]}\n'],
];

const SAME: readonly Pair[] = [
  ['a.ts', 'a = b\nc()', 'a = b;\nc();'],
  ['a.ts', 'type A = | B;', 'type A = B'],
  ['a.ts', 'let a = { "b": 1, c: 2 };', 'let a = { b: 1, c: 2 };'],
  ['a.js', 'a(function () {})', '(a)((function () {}))'],
  ['a.js', '/* a\n   * b\n */ c', '/* a\n * b\n */\nc'],
  ['a.js', 'return // why\n', 'return; // why\n'],
  ['a.jsonc', '// a\n{ "b": [1, 2,], }', '// a\n{\n "b": [1, 2]\n}'],
];

const DIFFERENT: readonly Pair[] = [
  // The order of conditions and patterns counts, and that of keys in other files.
  ['package.json', '{"b":1,"a":2}', '{"a":2,"b":1}'],
  ['x/package.json', '{"bin":{"b":"1","a":"2"}}', '{"bin":{"a":"2","b":"1"}}'],
  ['package.json', '{"keywords":["b","a","b"]}', '{"keywords":["a","b"]}'],
  ['package.json', '{"exports":{"b":"1","a":"2"}}', '{"exports":{"a":"2","b":"1"}}'],
  ['package.json', '{"jest":{"b":"1","a":"2"}}', '{"jest":{"a":"2","b":"1"}}'],
  ['package.json', '{"files":["b","!a"]}', '{"files":["!a","b"]}'],
  ['package.json', '{"bin":{"a":"1","a":"2"}}', '{"bin":{"a":"2","a":"1"}}'],
  ['package.json', '{"bin":{"a":"1"},"b":2}', '{"bin":{"a":"1","b":2}}'],
  ['a.json', '{"b":1,"a":2}', '{"a":2,"b":1}'],
  // Directives: a string in parentheses is none, and its escapes count.
  ['a.js', '"use strict"', '("use strict")'],
  ['a.js', '"use strict"', '"use\\x20strict"'],
  // Automatic semicolons.
  ['a.js', 'return a', 'return\na'],
  ['a.js', 'a\n++b', 'a++\nb'],
  ['a.js', 'a = b;\n(c)', 'a = b\n(c)'],
  ['a.js', 'x = 1;\n[a] = b', 'x = 1\n[a] = b'],
  // Parentheses.
  ['a.js', '(a?.b).c', 'a?.b.c'],
  ['a.js', '(a + b) * c', 'a + b * c'],
  ['a.js', 'a - (b - c)', 'a - b - c'],
  ['a.js', 'new (a())()', 'new a()()'],
  ['a.js', 'export default (function () {})', 'export default function () {}'],
  ['a.js', '(a) = function () {}', 'a = function () {}'],
  ['a.js', 'x = /** @type {A} */ (b)', 'x = /** @type {A} */ b'],
  ['a.ts', 'type A = (B | C)[]', 'type A = B | C[]'],
  // Literals.
  ['a.js', "a = 'b'", "a = 'b '"],
  ['a.js', "a = 'it\\'s'", "a = 'its'"],
  ['a.js', 'a = `b`', 'a = `b\n`'],
  ['a.js', 'a = `b`', "a = 'b'"],
  ['a.js', 'a = 1', 'a = 2'],
  ['a.js', 'a = 1', 'a = 1n'],
  ['a.js', 'a = 1000', 'a = 1_000'],
  ['a.js', 'a = /b/g', 'a = /b/'],
  ['a.js', 'a = /b/', 'a = /B/'],
  ['a.js', 'a = [1, , 2]', 'a = [1, 2]'],
  ['a.js', 'a = [1, ,]', 'a = [1,]'],
  ['a.js', 'if (a);', 'if (a) {}'],
  ['a.js', 'if (a) b; c', 'if (a) { b; c }'],
  ['a.jsx', '<a>b c</a>', '<a>b  c</a>'],
  ['a.jsx', '<a>b</a>', '<a> b</a>'],
  ['a.jsx', '<a>{b} c</a>', '<a>{b}\nc</a>'],
  ['a.jsx', '<a b="c" />', '<a b="c " />'],
  // Comments, and those for tools.
  ['a.js', 'a // b', 'a // c'],
  ['a.js', '// a\nb', 'b // a'],
  ['a.ts', '// @ts-ignore\na\nb', 'a\n// @ts-ignore\nb'],
  ['a.ts', 'a; // eslint-disable-line\nb', 'a;\n// eslint-disable-line\nb'],
  ['a.js', 'a\n/* prettier-ignore */\nb', '/* prettier-ignore */\na\nb'],
  ['a.js', 'a /* @__PURE__ */ ()', 'a()'],
  // Order.
  ['a.ts', 'import a from "a"\nimport b from "b"', 'import b from "b"\nimport a from "a"'],
  ['a.ts', 'import {a, b} from "a"', 'import {b, a} from "a"'],
  ['a.ts', 'import {type A} from "a"', 'import type {A} from "a"'],
  ['a.json', '{"a": 1, "b": 2}', '{"b": 2, "a": 1}'],
  ['a.json', '{"a": 1}', '{"a": -1}'],
  ['a.json', '{"a": "b"}', '{"a": "\\u0062"}'],
  ['a.json', '[[1], 2]', '[[1, 2]]'],
  // Python: blocks, precedence, strings.
];

async function compare(path: string, before: string, after: string): Promise<string> {
  return (await compareSources(path, Buffer.from(before), Buffer.from(after))).kind;
}

describe('compareSources() finds only formatting in', () => {
  test.each(SAME)('%s: %s', async (path, before, after) => {
    expect(await compare(path, before, after)).toBe('same');
    expect(await compare(path, after, before)).toBe('same');
  });

  const styles = [
    { printWidth: 40, semi: false, singleQuote: true, useTabs: true, trailingComma: 'none' },
    { printWidth: 160, quoteProps: 'as-needed', arrowParens: 'avoid', bracketSpacing: false },
  ] as const;
  test.each(SAMPLES)('%s as oxfmt formats it', async (path, text) => {
    for (const style of styles) {
      const { code, errors } = await format(path, text, style);
      expect(errors).toEqual([]);
      expect(code).not.toBe(text);
      expect(await compare(path, text, code), code).toBe('same');
    }
  });

  test.each(SAMPLES)('%s with CRLF, tabs and a byte order mark', async (path, text) => {
    const changed = text.replaceAll('\n', '\r\n').replaceAll(/(?<=^ *) {4}/gm, '\t');
    expect(await compare(path, text, `\uFEFF${changed}`)).toBe('same');
  });
});

describe('compareSources() finds an edit in', () => {
  test.each(DIFFERENT)('%s: %s', async (path, before, after) => {
    expect(await compare(path, before, after)).toBe('different');
  });

  test.each(SAMPLES)('%s where any word is changed', async (path, text) => {
    const words = [...text.matchAll(/[\w$]+/g)];
    await fc.assert(
      fc.asyncProperty(fc.nat(words.length - 1), async (at) => {
        const { index, 0: word } = words[at]!;
        const changed = `${text.slice(0, index)}${word}q${text.slice(index + word.length)}`;
        expect(await compare(path, text, changed), changed.slice(index - 20, index + 20)).not.toBe(
          'same',
        );
      }),
      { numRuns: 40 },
    );
  });

  test.each(SAMPLES)('%s where any line is left out', async (path, text) => {
    const lines = text.split('\n');
    const full = lines.flatMap((line, at) => (/\w/.test(line) ? [at] : []));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...full), async (at) => {
        const changed = lines.toSpliced(at, 1).join('\n');
        expect(await compare(path, text, changed), lines[at]).not.toBe('same');
      }),
      { numRuns: 20 },
    );
  });
});

describe('compareSources() compares by bytes', () => {
  const twoMegabytes = `const a = [${'1,\n'.repeat(1_000_000)}];\n`;
  test.each<[string, string, string, string]>([
    [
      'a.ts',
      twoMegabytes,
      twoMegabytes.replaceAll('\n', ''),
      `it has more than ${MAX_COMPARED_BYTES} bytes`,
    ],
    ['a.ts', `a${'('.repeat(100_000)}`, 'a', 'its syntax cannot be read'],
    ['a.ts', `${'['.repeat(40_000)}${']'.repeat(40_000)}`, '[]', 'its syntax cannot be read'],
    ['a.json', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, '[]', 'its syntax cannot be read'],
    ['a.ts', 'const = 1', 'const  = 1', 'its syntax cannot be read'],
    ['a.json', '{"a": }', '{"a":}', 'its syntax cannot be read'],
    ['a.ts', 'a\0', 'a \0', 'it is not UTF-8 text'],
    ['a.html', '<p>', '< p>', 'its format is not compared'],
    ['a.css', 'a{}', 'a {}', 'its format is not compared'],
    ['a.md', '* a', '- a', 'its format is not compared'],
    ['a.py', 'a = (1)', 'a = 1', 'its format is not compared'],
  ])('%s: %#', async (path, before, after, why) => {
    const compared = await compareSources(path, Buffer.from(before), Buffer.from(after));
    expect(compared).toEqual({ kind: 'unknown', why });
  });

  test('bytes that are not UTF-8', async () => {
    const compared = await compareSources('a.ts', Buffer.from([0xff]), Buffer.from([0xfe]));
    expect(compared).toEqual({ kind: 'unknown', why: 'it is not UTF-8 text' });
  });

  test('any text without an exception', async () => {
    const part = fc.constantFrom(
      ...' \n\t()[]{}\'"`\\/*#@.,:;=<>$!-+&|'.split(''),
      'a',
      'if',
      'for',
      '1',
      '${',
      '/*',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('a.ts', 'a.tsx', 'a.js', 'a.json', 'package.json'),
        fc.array(part, { maxLength: 30 }),
        fc.array(part, { maxLength: 30 }),
        async (path, before, after) => {
          const kind = await compare(path, before.join(''), after.join(''));
          expect(['same', 'different', 'unknown']).toContain(kind);
        },
      ),
      { numRuns: 300 },
    );
  });
});
