import { describe, expect, it } from 'vitest';
import type { SyntaxNode } from '@lezer/common';
import { functionOf, irOf, lowerPythonText } from '../../../tests/taint/ir-text.ts';
import { parsePython } from '../../parse/parse-python.ts';
import { importedNames } from './lower-names.ts';
import { PythonScope, childrenOf, isBeforeAssign, isKeyword, split } from './nodes.ts';

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

/** Without the exports. */
function ir(text: string): string {
  const lines = irOf(lowerPythonText(text));
  return lines.filter((line) => !line.startsWith('exports[')).join('; ');
}

describe('lowerPythonImport()', () => {
  it.each([
    ['import a', '$0 = import(a)'],
    ['import a.b\na.b', '$0 = import(a); $0["b"]'],
    ['import a.b as c', '$0 = import(a.b)'],
    ['import a, b as c', '$0 = import(a); $1 = import(b)'],
    ['from a.b import c as d, e', '$0 = import(a.b)["c"]; $1 = import(a.b)["e"]'],
    ['from a import (\n    b,  # why\n    c,\n)', '$0 = import(a)["b"]; $1 = import(a)["c"]'],
    ['from a import b, \\\n    c', '$0 = import(a)["b"]; $1 = import(a)["c"]'],
    ['from . import a', '$0 = import(.)["a"]'],
    ['from ...a import b', '$0 = import(...a)["b"]'],
    ['from a import *', ''],
  ])('%j', (text, expected) => {
    expect(ir(text)).toBe(expected);
  });
});

describe('declareIn()', () => {
  it.each([
    ['f(a)\na = 1', '@f($0); $0 = "1"'],
    ['f(a)\nif x():\n    a = 1', '@f($0); @x(); $0 = "1"'],
    ['f(a)\nfor a in x(): pass', '@f($0); $0 = @x()[_]'],
    ['f(a)\nwith x() as a: pass', '@f($0); $0 = @x()["__enter__"]()'],
    ['f(a)\ntry:\n    a = 1\nexcept E: pass', '@f($0); $0 = "1"'],
    ['f(g)\ndef g(): pass', '@f($0); $0 = function() {} -> $1'],
    ['f(A)\nclass A: pass', '@f($0); $1 = {}; $0 = class {}'],
  ])('declares names before the statements that assign them: %j', (text, expected) => {
    expect(ir(text)).toBe(expected);
  });

  it('gives a function variables of its own', () => {
    expect(ir('a = 1\ndef f():\n    a = 2\ng(a)')).toBe(
      '$0 = "1"; $1 = function() {$2 = "2"} -> $3; @g($0)',
    );
  });

  it('assigns a global of a function at the top level', () => {
    expect(ir('def f():\n    global a\n    a = 2\ng(a)')).toBe(
      '$0 = function() {$1 = "2"} -> $2; @g($1)',
    );
  });
});

function statement(text: string): SyntaxNode {
  return parsePython(text).tree.topNode.firstChild!;
}

describe('PythonScope', () => {
  it('finds a name in the nearest scope that declares it', () => {
    const outer = new PythonScope(undefined);
    const inner = new PythonScope(outer);
    const a = outer.declare('a');
    expect(inner.find('a')).toBe(a);
    expect(inner.declare('a')).not.toBe(a);
    expect(outer.declare('a')).toBe(a);
    expect(inner.find('b')).toBeUndefined();
  });
});

describe('childrenOf()', () => {
  it('leaves out comments', () => {
    const body = parsePython('a\n# comment\nb').tree.topNode;
    expect(childrenOf(body).map((n) => n.name)).toEqual([
      'ExpressionStatement',
      'ExpressionStatement',
    ]);
  });
});

describe('isBeforeAssign()', () => {
  it('is true for targets only', () => {
    const [target, , value] = childrenOf(statement('a = b'));
    expect([isBeforeAssign(target!), isBeforeAssign(value!)]).toEqual([true, false]);
  });
});

describe('isKeyword()', () => {
  it('is true for all but the values of a statement', () => {
    const names = (text: string): string[] =>
      childrenOf(statement(text)).flatMap((n) => (isKeyword(n) ? [] : n.name));
    expect(names('return a, b')).toEqual(['VariableName', 'VariableName']);
    expect(names('yield from a')).toEqual(['VariableName']);
  });
});

describe('importedNames()', () => {
  it.each([
    ['a', [['a', 'a']]],
    [
      'a.b as c , d',
      [
        ['a.b', 'c'],
        ['d', 'd'],
      ],
    ],
    [' a as b,', [['a', 'b']]],
    ['*', []],
  ])('%j', (list, names) => {
    expect([...importedNames(list)]).toEqual(names);
  });
});

describe('split()', () => {
  it('returns the nodes between separators', () => {
    const nodes = childrenOf(statement('a = b, c = d'));
    const groups = split(nodes, /^AssignOp$/);
    expect(groups.map((group) => group.length)).toEqual([1, 3, 1]);
    expect(split([], /x/)).toEqual([[]]);
  });
});
