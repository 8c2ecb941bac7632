import { readFileSync, readdirSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { parse } from '@babel/parser';
import { describe, expect, it } from 'vitest';
import { stripTypes } from './strip-types.ts';

const BUILDS = join(import.meta.dirname, '../../../builds/stackyard');

describe('stripTypes()', () => {
  it.each([
    ['annotations', 'const a: number = 1;\nlet b!: string;\n', 'const a = 1;\nlet b;\n'],
    [
      'functions',
      'function f<T>(this: X, a?: T, { b }: B = {}): a is T {}\n',
      'function f(a, { b } = {}) {}\n',
    ],
    ['a lone this', 'function f(this: X): void {}\n', 'function f() {}\n'],
    ['arrows', 'const f = async <T,>(a: T): Promise<T> => a;\n', 'const f = async (a) => a;\n'],
    [
      'assertions',
      'f((a as B).c, d!, <E>e, g satisfies H, ["i"] as const);\n',
      'f((a).c, d, e, g, ["i"]);\n',
    ],
    ['type arguments', 'new Map<A, B>(); f<C>(1);\n', 'new Map(); f(1);\n'],
    [
      'classes',
      'abstract class A<T> extends B<T> implements C, D<T> {\n  private readonly a: T;\n  static override b?: string = "b";\n  declare c: X;\n  #d: number = 1;\n  [key: string]: T;\n  abstract e(): void;\n  protected async f(): Promise<void> {}\n}\n',
      'class A extends B {\n  a;\n  static b = "b";\n  #d = 1;\n  async f() {}\n}\n',
    ],
    [
      'declarations with their comments',
      '// The file.\n\n/** A user. */\nexport interface A {\n  b: string;\n}\n\n/** Yes. */\nexport type C = A;\n\n// Kept.\nexport const d = 1;\n',
      '// The file.\n\n// Kept.\nexport const d = 1;\n',
    ],
    [
      'overloads',
      '/** Both. */\nexport function f(a: A): B;\nexport function f(a: C): D {\n  return a;\n}\n',
      '/** Both. */\nexport function f(a) {\n  return a;\n}\n',
    ],
    [
      'globals',
      'declare global {\n  interface A {}\n}\ndeclare const b: string;\nuse(b);\n',
      'use(b);\n',
    ],
    [
      'imports of types, and what is used as a type only',
      "import type { A } from 'a';\nimport B, { type C, D, E } from 'b';\nimport { F } from 'f';\nimport 'g';\nconst e: F = D as E;\n",
      "import { D } from 'b';\nimport 'g';\nconst e = D;\n",
    ],
    [
      'exports of types',
      "export { type A, b } from 'a';\nexport type { C } from 'c';\nexport type * from 'd';\n",
      "export { b } from 'a';\n",
    ],
    [
      'comments and blank lines',
      'const a = 1; // one\n\n\n/* two */ const b: /* three */ B = 2;\n',
      'const a = 1; // one\n\n\n/* two */ const b = 2;\n',
    ],
  ])('cuts out %s', (_, text, expected) => {
    expect(stripTypes('a.ts', text)).toBe(expected);
  });

  it.each([
    ['enum A { B }', 'an enum'],
    ['namespace A { export const b = 1; }', 'a namespace'],
    ['class A { constructor(private b: string) {} }', 'a parameter that declares a property'],
    ["import a = require('a');", '"import ="'],
    ['export = 1;', '"export ="'],
  ])('refuses %s', (text, what) => {
    expect(stripTypes('a.ts', text)).toEqual({ why: `it has ${what}, which is more than a type` });
  });

  it('refuses a text with a syntax error', () => {
    expect(stripTypes('a.ts', 'const = 1')).toEqual({ why: 'its syntax cannot be read' });
  });

  it('makes of every file of our builds the code that Node.js makes of it', () => {
    const paths = readdirSync(BUILDS, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.ts'),
    );
    const different = paths.filter((path) => {
      const text = readFileSync(join(BUILDS, path), 'utf8');
      const ours = stripTypes(path, text);
      const treeOf = (code: unknown): string => {
        const { body } = parse(String(code), { sourceType: 'module' }).program;
        // An import of types alone goes as a whole, as by the compiler.
        const values = body.filter(
          (one) => one.type !== 'ImportDeclaration' || one.specifiers.length > 0,
        );
        return JSON.stringify(values, (key, value: unknown) =>
          /^(?:start|end|loc|extra|\w+Comments)$/.test(key) ? undefined : value,
        );
      };
      return treeOf(ours) !== treeOf(stripTypeScriptTypes(text));
    });
    expect(paths.length).toBeGreaterThan(100);
    expect(different).toEqual([]);
  });
});
