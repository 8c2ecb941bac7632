import { describe, expect, it } from 'vitest';
import { irOf, lowerJavaScriptText } from '../../../tests/taint/ir-text.ts';

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
