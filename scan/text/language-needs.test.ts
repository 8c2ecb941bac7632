import { describe, expect, it, test } from 'vitest';
import { parseJavaScript } from '../parse/parse-javascript.ts';
import { testBuild } from '../test-build.ts';
import { deriveLanguageNeeds } from './language-needs.ts';
import { once } from '../once.ts';

function needs(files: Readonly<Record<string, string>>): string[] {
  return deriveLanguageNeeds(testBuild(files)).map(
    ({ need, path, line }) => `${need} ${path}:${line}`,
  );
}

describe('deriveLanguageNeeds()', () => {
  it.each<[string, string, string[]]>([
    ['a.ts', '// import.meta\nconst a = "import.meta";\nexport const b = a;\n', ['esm a.ts:3']],
    ['a.ts', '\nconst a = import.meta.url;\n', ['esm a.ts:2', 'import-meta a.ts:2']],
    ['a.tsx', 'export const a = (\n  <b />\n);', ['esm a.tsx:1', 'jsx a.tsx:2']],
    [
      'a.jsx',
      'x = <b />;\ny = import.meta.url;',
      ['esm a.jsx:2', 'import-meta a.jsx:2', 'jsx a.jsx:1'],
    ],
    ['a.js', 'const a = require("a");\nmodule.exports = a;\n', ['commonjs a.js:1']],
    ['a.js', '// require("a")\nexports.a = 1;\n', ['commonjs a.js:2']],
    ['a.js', '// module.exports = "a"\nlet a;\n', []],
    ['a.ts', 'export {};\nawait a();\n', ['esm a.ts:1', 'top-level-await a.ts:2']],
    [
      'a.ts',
      'export {};\ntry {\n  if (a) {\n    await b();\n  }\n} catch {}\n',
      ['esm a.ts:1', 'top-level-await a.ts:4'],
    ],
    [
      'a.ts',
      'export {};\nfor await (const a of b) c(a);\n',
      ['esm a.ts:1', 'top-level-await a.ts:2'],
    ],
    [
      'a.ts',
      'export async function a() {\n  await b();\n  class C {\n    d = async () => await e;\n  }\n}\n',
      ['esm a.ts:1'],
    ],
    ['a.ts', 'const a = async () => await b;\n', []],
    [
      'a.ts',
      '/**\n * @param a\n */\n@dec()\nclass A {\n  constructor(private a: B) {}\n}\n',
      ['decorators a.ts:4'],
    ],
    [
      'a.ts',
      'class A {\n  constructor(@inject() a: B) {}\n}\n',
      ['decorators a.ts:2', 'parameter-decorators a.ts:2'],
    ],
    ['a.ts', 'const a = 10n;\n', ['bigint a.ts:1']],
    ['a.ts', 'const a = [/b/v, /c/d];\n', ['regexp-d a.ts:1', 'regexp-v a.ts:1']],
    ['a.js', 'a ??= 1_000;\n', ['es2021 a.js:1']],
    ['a.js', 'class A {\n  b = 1;\n}\n', ['es2022 a.js:2']],
    ['a.js', 'class A {\n  #b;\n  c() { return #b in this; }\n}\n', ['es2022 a.js:2']],
    ['a.js', 'a = "#b ??= @c 1_0 2n";\n', []],
    ['a.py', 'a = 1 if b else c\n', []],
    ['a.py', 'if (a := b):\n  pass\n', ['python3.8 a.py:1']],
    ['a.py', 'def f(a, /, b): pass\n', ['python3.8 a.py:1']],
    ['a.py', 'def f(a: list[int]): pass\n', ['python3.9 a.py:1']],
    ['a.py', 'match a:\n  case 1: pass\n', ['python3.10 a.py:1']],
    ['a.py', 'def f(a: int | None): pass\n', ['python3.10 a.py:1']],
    ['a.py', 'from __future__ import annotations\ndef f(a: int | None): pass\n', []],
    ['a.py', 'def f():\n  a: int | None = b | c\n', []],
    ['a.py', 'isinstance(a, int | str)\n', ['python3.10 a.py:1']],
    ['a.py', 'try: pass\nexcept* A: pass\n', ['python3.11 a.py:2']],
    ['a.py', 'a := 1\ntype A = int\n', ['python3.12 a.py:2']],
    ['a.py', 'def f[T](a: T): pass\n', ['python3.12 a.py:1']],
    ['a.py', 'match = 1\ntype = 2\na = match * 3 / type\n', []],
  ])('%s %j', (path, text, expected) => {
    expect(needs({ [path]: text })).toEqual(expected);
  });

  it('names the first place in TypeScript and in JavaScript, and none in tests', () => {
    expect(
      needs({
        'a.test.ts': 'export const a = 1n',
        'b.js': 'a = 1n',
        'c.ts': 'a = 1n',
        'd.ts': 'a = 1n',
      }),
    ).toEqual(['bigint b.js:1', 'bigint c.ts:1']);
  });

  it('reads what cannot be parsed without an exception', () => {
    expect(needs({ 'a.ts': 'await (', 'b.py': 'match (', 'c.ts': '['.repeat(50_000) })).toEqual([]);
  });
});

test.each([
  ['export const a = import.meta;', 0, 17],
  ['a = import.meta;', 4, 4],
  ['import "a";', 0, undefined],
  ['a = 1;', undefined, undefined],
  ['export {};', 0, undefined],
])('parseJavaScript() finds what makes a module in %s', (text, moduleAt, importMetaAt) => {
  expect(parseJavaScript('a.ts', text)).toMatchObject({ moduleAt, importMetaAt });
});

describe('once()', () => {
  it('computes once per key', () => {
    const keys: object[] = [];
    const count = once((key: object) => keys.push(key));
    const [a, b] = [{}, {}];
    expect([count(a), count(b), count(a), count(b)]).toEqual([1, 2, 1, 2]);
    expect(keys).toEqual([a, b]);
  });

  it('remembers that there was no result', () => {
    let calls = 0;
    const none = once((): undefined => void (calls += 1));
    const key = {};
    expect([none(key), none(key), calls]).toEqual([undefined, undefined, 1]);
  });

  it('does not remember a failure', () => {
    let calls = 0;
    const fails = once((): number => {
      calls += 1;
      if (calls === 1) throw new RangeError('first');
      return calls;
    });
    const key = {};
    expect(() => fails(key)).toThrow(RangeError);
    expect(fails(key)).toBe(2);
  });
});
