import type { SyntaxNode } from '@lezer/common';
import { describe, expect, it } from 'vitest';
import { parsePython } from '../../parse/parse-python.ts';
import {
  PythonScope,
  childrenOf,
  importedNames,
  isBeforeAssign,
  isKeyword,
  split,
} from './nodes.ts';

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
