import { describe, expect, it } from 'vitest';
import { irOf, lowerJavaScriptText } from '../../../tests/taint/ir-text.ts';

function ir(text: string, path = 'a.ts'): string {
  return irOf(lowerJavaScriptText(text, path)).join('; ');
}

describe('lowerExpression()', () => {
  it.each([
    ['a;', '@a'],
    ['f("a", 1, true, null, /a/)', '@f("a", "1", _, _, _)'],
    ['f(`a`, `a${b}c`)', '@f(concat("a"), concat("a", @b, "c"))'],
    ['tag`a`', '@tag(concat("a"))'],
    ['tag`a${b}`', 'sequence($0 = @b, $1 = concat("a", $0), any(@tag($1, $0), $1))'],
    ['a.b["c"][d]', '@a["b"]["c"][@d]'],
    ['a?.b?.(c)', '@a["b"](@c)'],
    ['new A(b, ...c)', 'new @A(@b, ...@c)'],
    ['import("a")', '@import("a")'],
    ['import.meta.url', '@import.meta["url"]'],
    ['[a, ...b]', '[@a, ...@b]'],
    ['({ a: 1, [b]: 2, ...c })', '{"a": "1", @b: "2", ...@c}'],
    ['({ a() {} })', '{"a": function() {} -> $0}'],
    ['({ get a() { return 1; } })', '{"a": any(function() {$0 = "1"} -> $0, $0)}'],
    ['(a, b)', 'sequence(@a, @b)'],
  ])('lowers %s', (text, expected) => {
    expect(ir(text)).toBe(expected);
  });

  it.each([
    ['a + "b" + c', 'concat(@a, "b", @c)'],
    ['a - b', 'concat(_, @a, @b)'],
    ['a ^ b', 'xor(@a, @b)'],
    ['a === b', 'sequence(@a, @b, _)'],
    ['a in b', 'sequence(@a, @b, _)'],
    ['f(a || b || c, a && b, a ?? b)', '@f(any(@a, @b, @c), any(@a, @b), any(@a, @b))'],
    ['a ? b : c', 'sequence(@a, any(@b, @c))'],
    ['-1', 'sequence("1", "-1")'],
    ['typeof a', 'sequence(@a, _)'],
    ['a++', '@a'],
    ['async () => { await a(); }', 'function() {@a()} -> $0'],
  ])('lowers the operator of %s', (text, expected) => {
    expect(ir(text)).toBe(expected);
  });

  it.each([
    ['x = 1', '@x = "1"'],
    ['x += "a"', '@x += concat(@x, "a")'],
    ['x ^= 2', '@x += xor(@x, "2")'],
    ['x ||= "b"', '@x = "b"'],
    ['x ??= "b"', '@x = "b"'],
    ['a.b = c', '@a["b"] = @c'],
    ['module.exports = a', 'exports = @a'],
    ["module['exports'].b = a", 'exports["b"] = @a'],
    ['exports.b = c', 'exports["b"] = @c'],
    ['var exports; exports.b = c', '$0["b"] = @c'],
    ['({ a: x.y } = b)', 'sequence($0 = @b, @x["y"] = $0["a"], $0)'],
  ])('lowers the assignment %s', (text, expected) => {
    expect(ir(text)).toBe(expected);
  });

  it.each([
    ['class A { m() { return this.x; } }', '$0 = class {"m": function() {$1 = $2["x"]} -> $1}'],
    ['class A { x = 1; static y = 2; }', '$0 = class {"x": "1", "y": "2"}'],
    ['class A { constructor() {} }', '$0 = class {} init'],
    ['class A extends B {}', '$0 = sequence($1 = @B(), class {})'],
    ['class A { static { a(); } }', '$0 = sequence(@a(), class {})'],
  ])('lowers %s', (text, expected) => {
    expect(ir(text)).toBe(expected);
  });

  it('shares `this` between the members of a class and its arrow functions', () => {
    const text = 'class A { a() { this.x = 1; } b() { return () => this.x; } }';
    const [, assigned, read] = /\{(\$\d+)\["x"\] = "1".*(\$\d+)\["x"\]/.exec(ir(text)) ?? [];
    expect(assigned).toBeDefined();
    expect(read).toBe(assigned);
  });

  it.each([
    ['a as string', '@a'],
    ['a!', '@a'],
    ['<T>a', '@a'],
    ['a satisfies B', '@a'],
  ])('ignores the types of %s', (text, expected) => {
    expect(ir(text)).toBe(expected);
  });

  it('lowers the attributes and children of JSX', () => {
    expect(ir('<A b={c} {...d}>text{e}<f/></A>', 'a.tsx')).toBe(
      'sequence(@c, @d, @e, sequence(_), _)',
    );
  });

  it('lowers a chain of 1,900 operands, more than the nesting it follows', () => {
    const text = `x = ${'a + '.repeat(1_900)}b`;
    const [line = ''] = irOf(lowerJavaScriptText(text, 'a.js'));
    expect(line.match(/@a/g)).toHaveLength(1_900);
  });
});
