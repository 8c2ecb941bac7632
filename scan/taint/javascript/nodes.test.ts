import { describe, expect, it } from 'vitest';
import { parseJavaScript } from '../../parse/parse-javascript.ts';
import { newSlot } from '../value.ts';
import { Scope, declarePattern, declareVars, itemOf, nameOf, namesIn, type Node } from './nodes.ts';
import { irOf, lowerJavaScriptText } from '../../../tests/taint/ir-text.ts';

function statement(text: string): Node {
  return parseJavaScript('a.js', text).program.body[0] as Node;
}

function pattern(text: string): Node {
  return statement(`function f(${text}) {}`)['params'][0];
}

function newScope(parent?: Scope): Scope {
  return new Scope(parent, newSlot());
}

describe('Scope', () => {
  it('finds a name in the nearest scope that declares it', () => {
    const outer = newScope();
    const inner = newScope(outer);
    const a = outer.declare('a');
    expect(inner.find('a')).toBe(a);
    expect(inner.declare('a')).not.toBe(a);
    expect(inner.find('a')).toBe(inner.slots.get('a'));
    expect(outer.find('a')).toBe(a);
    expect(inner.find('b')).toBeUndefined();
  });

  it('declares a name once', () => {
    const scope = newScope();
    expect(scope.declare('a')).toBe(scope.declare('a'));
  });
});

describe('namesIn()', () => {
  it.each([
    ['a', ['a']],
    ['a = 1', ['a']],
    ['{ a, b: c, d: { e }, ...f }', ['a', 'c', 'e', 'f']],
    ['[a, , [b], ...c]', ['a', 'b', 'c']],
    ['{ a: [{ b = 1 }] }', ['b']],
  ])('%s: %j', (text, names) => {
    expect(namesIn(pattern(text))).toEqual(names);
  });
});

describe('declarePattern()', () => {
  it('declares every name of the pattern', () => {
    const scope = newScope();
    declarePattern(pattern('{ a, b: [c] }'), scope);
    expect([...scope.slots.keys()]).toEqual(['a', 'c']);
  });
});

describe('declareVars()', () => {
  it.each([
    ['if (x) { var a; } else var b;', ['a', 'b']],
    ['for (var a of x) { var b; }', ['a', 'b']],
    ['try { var a; } catch (e) { var b; } finally { var c; }', ['a', 'b', 'c']],
    ['switch (x) { case 1: var a; }', ['a']],
    ['label: { var a; }', ['a']],
    ['{ let a; const b = 1; }', []],
  ])('%s: %j', (text, names) => {
    const scope = newScope();
    declareVars(statement(text), scope);
    expect([...scope.slots.keys()].sort()).toEqual(names);
  });
});

describe('nameOf()', () => {
  it('returns the text of identifiers and literals', () => {
    const [first, second, third] = statement('x = { a: 1, "b-c": 2, 3: 4 }')['expression'].right
      .properties as Node[];
    expect([first, second, third].map((p) => nameOf(p?.['key']))).toEqual(['a', 'b-c', '3']);
  });
});

describe('itemOf()', () => {
  it('returns any element, or a text of the content for a key', () => {
    const node = statement('a');
    const of = { op: 'global', name: 'a', at: 0, end: 1 } as const;
    expect(itemOf(of, node, false)).toMatchObject({ op: 'get', of, key: { op: 'none' } });
    expect(itemOf(of, node, true)).toMatchObject({ op: 'concat', parts: [{ op: 'none' }, of] });
  });
});

function ir(text: string): string {
  return irOf(lowerJavaScriptText(text)).join('; ');
}

describe('lowerImport()', () => {
  it.each([
    ["import a, { b as c } from 'm'", '$0 = import(m)["default"]; $1 = import(m)["b"]'],
    ["import * as n from 'm'", '$0 = import(m)'],
    ["import { 'a-b' as c } from 'm'", '$0 = import(m)["a-b"]'],
    ["import 'm'", 'import(m)'],
    ["import type { T } from 'm'", ''],
  ])('%s', (text, expected) => {
    expect(ir(text)).toBe(expected);
  });
});

describe('lowerExports()', () => {
  it.each([
    [
      'export const a = 1, { b } = c',
      '$0 = "1"; $1 = @c; $2 = $1["b"]; exports["a"] = $0; exports["b"] = $2',
    ],
    ['export function g() {}', '$0 = function() {} -> $1; exports["g"] = $0'],
    ['export class K {}', '$0 = class {}; exports["K"] = $0'],
    ['const z = 1; export { z as y }', '$0 = "1"; exports["y"] = $0'],
    ["export { a as b } from 'm'", 'exports["b"] = import(m)["a"]'],
  ])('%s', (text, expected) => {
    expect(ir(text)).toBe(expected);
  });
});

describe('lowerExport()', () => {
  it.each([
    ['export default 1', 'exports["default"] = "1"'],
    ['export default function f() {}', '$0 = function() {} -> $1; exports["default"] = $0'],
    ["export * from 'm'", 'exports = import(m)'],
    ["export * as n from 'm'", 'exports["n"] = import(m)'],
    ['export = a', 'exports = @a'],
  ])('%s', (text, expected) => {
    expect(ir(text)).toBe(expected);
  });
});
