import { describe, expect, it } from 'vitest';
import { lowerJavaScriptText, lowerPythonText } from '../../tests/taint/ir-text.ts';
import type { Module } from './ir.ts';
import { NOTHING, Obj, storeField, textValue } from './value.ts';
import { linkImport } from './link.ts';

function modules(paths: readonly string[]): Map<string, Module> {
  return new Map(
    paths.map((path) => {
      const lower = path.endsWith('.py') ? lowerPythonText : lowerJavaScriptText;
      const module = { ...lower('', path), exports: { value: textValue(path) } };
      return [path, module];
    }),
  );
}

/** The path of the module that an import means. */
function linked(
  paths: readonly string[],
  from: string,
  name: string,
  level = 0,
): string | undefined {
  const known = modules([...paths, from]);
  const value = linkImport(known, known.get(from)!, name, level);
  return value === undefined ? undefined : (value.texts[0] ?? 'nothing');
}

describe('linkImport() of JavaScript', () => {
  it.each([
    ['src/a.js', './b.js', 'src/b.js'],
    ['src/a.js', './b', 'src/b.js'],
    ['src/a.ts', './c.js', 'src/c.ts'],
    ['src/a.ts', './c.mjs', 'src/c.ts'],
    ['src/a.js', './d', 'src/d/index.js'],
    ['src/e/a.js', '../b', 'src/b.js'],
    ['src/a.js', './missing', 'nothing'],
    ['src/a.js', '../../b', 'nothing'],
    ['src/a.js', 'b', undefined],
    ['src/a.js', '/src/b.js', undefined],
  ])('%s imports %s: %s', (from, name, expected) => {
    const paths = ['src/b.js', 'src/c.ts', 'src/d/index.js'];
    expect(linked(paths, from, name)).toBe(expected);
  });

  it('is also the function that the module exports as default', () => {
    const known = modules(['a.js', 'b.js']);
    const exports = new Obj();
    const func = { self: { value: undefined } };
    storeField(exports, 'default', { ...NOTHING, funcs: [func] });
    known.get('b.js')!.exports.value = { ...NOTHING, objects: [exports] };
    const value = linkImport(known, known.get('a.js')!, './b', 0);
    expect(value).toMatchObject({ funcs: [func], objects: [exports] });
  });
});

describe('linkImport() of Python', () => {
  it.each([
    ['p/a.py', 'b', 1, 'p/b.py'],
    ['p/a.py', 'c', 1, 'p/c/__init__.py'],
    ['p/c/d.py', 'b', 2, 'p/b.py'],
    ['p/a.py', 'b', 0, 'p/b.py'],
    ['x/a.py', 'p.b', 0, 'p/b.py'],
    ['x/a.py', 'q', 0, 'src/q.py'],
    ['p/a.py', 'missing', 1, 'nothing'],
    ['p/a.py', 'os', 0, undefined],
  ])('%s imports %s at level %i: %s', (from, name, level, expected) => {
    const paths = ['p/b.py', 'p/c/__init__.py', 'src/q.py'];
    expect(linked(paths, from, name, level)).toBe(expected);
  });
});
