/** Without the exports. */
import { describe, expect, it } from 'vitest';
import { irOf, lowerPythonText } from '../../../tests/taint/ir-text.ts';

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
    ['f(a)\nwith x() as a: pass', '@f($0); $0 = @x()'],
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
