import { describe, expect, it } from 'vitest';
import { irOf, lowerPythonText } from '../../../tests/taint/ir-text.ts';
import { readPythonString } from './lower-expression.ts';

function ir(expression: string): string {
  const [first = ''] = irOf(lowerPythonText(`x = ${expression}`));
  return first.replace('$0 = ', '');
}

describe('lowerPythonExpression()', () => {
  it.each([
    ['a', '@a'],
    ['"a"', '"a"'],
    ['"a" "b"', 'concat("a", "b")'],
    ['r"\\x41"', String.raw`"\\x41"`],
    ['1_000', '"1000"'],
    ['0x10', '"16"'],
    ['f"a{b}c{d!r:>3}"', 'concat("a", @b, "c", @d)'],
    ['f""', 'concat()'],
    ['None', '_'],
    ['...', '_'],
  ])('lowers the literal %s', (text, expected) => {
    expect(ir(text)).toBe(expected);
  });

  it.each([
    ['f(a, k=b, *c, **d)', '@f(@a, ...@c, "k": @b, ...@d)'],
    ['a.b.c', '@a["b"]["c"]'],
    ['a[b]', '@a[@b]'],
    ['a[1:2]', '@a["$slice"]()'],
    ['a[::-1]', '@a["$reverse"]()'],
    ['a[ : : - 1 ]', '@a["$reverse"]()'],
    ['a[::2]', '@a["$slice"]()'],
  ])('lowers the call or member %s', (text, expected) => {
    expect(ir(text)).toBe(expected);
  });

  it.each([
    ['a + b + c', 'concat(@a, @b, @c)'],
    ['a ^ b', 'xor(@a, @b)'],
    ['a == b', 'sequence(@a, @b, _)'],
    ['a in b', 'sequence(@a, @b, _)'],
    ['a is b', 'sequence(@a, @b, _)'],
    ['a and b', 'any(@a, @b)'],
    ['a or b', 'any(@a, @b)'],
    ['a << b', 'concat(_, @a, @b)'],
    ['not a', 'sequence(@a, _)'],
    ['-1', '"-1"'],
    ['-a', 'sequence(@a, _)'],
    ['a if b else c', 'any(@a, @b, @c)'],
    ['(y := 1)', '@y = "1"'],
    ['(a)', '@a'],
  ])('lowers the operator of %s', (text, expected) => {
    expect(ir(text)).toBe(expected);
  });

  it.each([
    ['(a, b)', '[@a, @b]'],
    ['[a, *b]', '[@a, ...@b]'],
    ['{a, b}', '[@a, @b]'],
    ['{"k": a, **b}', '{"k": @a, ...@b}'],
    ['[f(v) for v in y if v]', 'sequence($1 = @y[_], [@f($1)])'],
    ['f(v for v in y)', '@f(sequence($1 = @y[_], [$1]))'],
    ['{k: v for k, v in y}', 'sequence($1 = @y[_], $2 = @y[_], [$2, $1])'],
    ['lambda a: b', 'function($1) {$2 = @b} -> $2'],
  ])('lowers the container %s', (text, expected) => {
    expect(ir(text)).toBe(expected);
  });

  it('takes an unknown name from every star import', () => {
    const lines = irOf(lowerPythonText('from a import *\nfrom ..b import *\nc'));
    expect(lines[0]).toBe('any(@c, import(a)["c"], import(..b)["c"])');
  });
});

describe('readPythonString()', () => {
  it.each([
    [`'a'`, 'a'],
    [`"a'b"`, "a'b"],
    [`"""a"b"""`, 'a"b'],
    [`'''a\nb'''`, 'a\nb'],
    [`b'a'`, 'a'],
    [`rb"\\x41"`, '\\x41'],
    [`R'\\n'`, '\\n'],
    [`'\\x41\\u0042\\U00000043\\104'`, 'ABCD'],
    [`'\\n\\t\\r\\a\\b\\f\\v'`, '\n\t\r\u0007\b\f\v'],
    [`'a\\\nb'`, 'ab'],
    [`'\\\\ \\' \\"'`, `\\ ' "`],
    [`'\\q'`, '\\q'],
    [`'\\U99999999'`, '\\U99999999'],
    [`'unclosed`, 'unclosed'],
    [`''`, ''],
    ['a', 'a'],
  ])('%s', (literal, text) => {
    expect(readPythonString(literal)).toBe(text);
  });
});
