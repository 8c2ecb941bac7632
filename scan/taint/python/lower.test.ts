/** Without the exports, which are the names at the top level. */
import { describe, expect, it } from 'vitest';
import { functionOf, irOf, lowerPythonText } from '../../../tests/taint/ir-text.ts';

function ir(text: string): string {
  const lines = irOf(lowerPythonText(text));
  return lines.filter((line) => !line.startsWith('exports[')).join('; ');
}

describe('lowerPython()', () => {
  it('exports every name at the top level', () => {
    const module = lowerPythonText('a = 1\ndef f():\n    b = 2\nclass A: pass');
    const exported = irOf(module).flatMap((line) => /^exports\["(\w+)"\]/.exec(line)?.[1] ?? []);
    expect(exported).toEqual(['a', 'f', 'A']);
  });

  it.each([
    ['a = f(b)', '$0 = @f(@b)'],
    ['a.b = 1', '@a["b"] = "1"'],
    ['a[0] = b', '@a["0"] = @b'],
    ['a: str = b', '$0 = @b; $1 = $0'],
    ['a = b = c', '$0 = @c; $1 = $0; $2 = $0'],
    ['a, b = c', '$0 = @c; $1 = $0["0"]; $2 = $0["1"]'],
    ['a = b, c', '$0 = [@b, @c]'],
    ['a += "x"', '@a += concat(@a, "x")'],
    ['a ^= 3', '@a += xor(@a, "3")'],
  ])('lowers the assignment %s', (text, expected) => {
    expect(ir(text)).toBe(expected);
  });

  it.each([
    ['for x in y():\n    f(x)', '$0 = @y()[_]; @f($0)'],
    ['for a, b in y():\n    f(a)', '$0 = @y()[_]["0"]; $1 = @y()[_]["1"]; @f($0)'],
    [
      'for a, b in enumerate(y()):\n    f(b)',
      '$0 = @enumerate(@y())[_]; $1 = @enumerate(@y())[_]; @f($1)',
    ],
    ['with open(a) as b:\n    b.read()', '$0 = @open(@a)["__enter__"](); $0["read"]()'],
    ['with a() as b, c():\n    d()', '$0 = @a()["__enter__"](); @c(); @d()'],
    ['if a():\n    b()\nelif c():\n    d()\nelse:\n    e()', '@a(); @b(); @c(); @d(); @e()'],
    ['while a():\n    b()', '@a(); @b()'],
    ['try:\n    a()\nexcept E as e:\n    b()\nfinally:\n    c()', '@a(); @b(); @c()'],
    ['match a():\n    case 1:\n        b()', '@a(); @b()'],
    ['@dec\ndef f():\n    pass', '$0 = function() {} -> $1; sequence(@dec)($0)'],
  ])('lowers both branches and the body of %j', (text, expected) => {
    expect(ir(text)).toBe(expected);
  });

  it.each([
    ['def f(): pass', '() {} -> $0'],
    ['def f(a, b=1, *c):\n    return a', '($0, $1, ...$2) {$1 = "1"; $3 = $0} -> $3'],
    ['def f():\n    return 1, 2', '() {$0 = ["1", "2"]} -> $0'],
    ['def f():\n    yield 1', '() {$0 = "1"} -> $0'],
    ['async def f():\n    await g()', '() {@g()} -> $0'],
    ['def f():\n    return', '() {} -> $0'],
    ['f = lambda x: x + 1', '($0) {$1 = concat($0, "1")} -> $1'],
  ])('lowers the function %j', (text, expected) => {
    expect(functionOf(lowerPythonText(text))).toBe(expected);
  });

  it('stores the members of a class into one object, which is the first parameter of its methods', () => {
    const text = 'class A(B):\n    k = 1\n    def m(self):\n        self.y = 2';
    const [base, record, member] = ir(text).split('; ');
    expect([base, record, member]).toEqual(['$0 = @B()', '$0 = {}', '$0["k"] = "1"']);
    expect(ir(text)).toContain('$0["m"] = function() {$0["y"] = "2"}');
    expect(ir(text)).toMatch(/= class \{\}$/);
  });
});
