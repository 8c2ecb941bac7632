import { describe, expect, it } from 'vitest';
import { functionOf, irOf, lowerPythonText } from '../../../tests/taint/ir-text.ts';

describe('lowerFunction()', () => {
  it.each([
    ['def f(): pass', '() {} -> $0'],
    ['def f(a, b=1, *c):\n    return a', '($0, $1, ...$2) {$1 = "1"; $3 = $0} -> $3'],
    ['def f(a, *, b): pass', '($0, $1) {} -> $2'],
    ['def f(**a): pass', '(...$0) {} -> $1'],
    ['f = lambda: a', '() {$0 = @a} -> $0'],
    ['f = lambda x, y=1: x + 1', '($0, $1) {$1 = "1"; $2 = concat($0, "1")} -> $2'],
  ])('%j', (text, expected) => {
    expect(functionOf(lowerPythonText(text))).toBe(expected);
  });

  it('binds parameters by name', () => {
    const [func] = lowerPythonText('def f(a, *b, **c): pass').funcs;
    expect([...(func?.named.keys() ?? [])]).toEqual(['a', 'b', 'c']);
    expect(func?.named.get('a')).toBe(func?.params[0]);
  });

  it('takes the object of the class as the first parameter of a method', () => {
    const module = lowerPythonText('class A:\n    def m(self, x):\n        self.y = x');
    const [func] = module.funcs;
    expect(func?.params).toHaveLength(1);
    expect(irOf(module).join()).toContain('function($1) {$0["y"] = $1}');
  });

  it('evaluates default values outside of the function', () => {
    expect(functionOf(lowerPythonText('a = 1\ndef f(a=a): pass'))).toMatch(
      /^\(\$0\) \{\$0 = \$1\}/,
    );
  });
});
