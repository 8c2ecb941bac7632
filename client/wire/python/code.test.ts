import { describe, expect, it } from 'vitest';
import { readPython } from './code.ts';

describe('readPython()', () => {
  it('reads imports, names and texts', () => {
    const code = readPython(
      'a.py',
      'import os.path\nfrom a import b as c, d\nX = "/auth"\n@e\ndef f(): ...\nclass G: ...\n',
    )!;
    expect(code.imports).toHaveLength(2);
    expect([...code.names]).toEqual(['os', 'c', 'd', 'X', 'f', 'G']);
    expect(code.strings).toEqual(['/auth']);
  });

  it.each([
    ['"""About."""\nx = 1\n', 13],
    ['# a\n# b\nx = 1\n', 8],
    ['x = 1\n', 0],
  ])('puts imports of %j at %i', (text, top) => {
    expect(readPython('a.py', text)!.top).toBe(top);
  });

  it('finds lists by name', () => {
    const lists = readPython('a.py', 'A = [1, 2]\nB = (1,)\n')!.lists;
    expect(lists({ kind: 'list', name: 'A' })[0]!.elements).toHaveLength(2);
    expect(lists({ kind: 'list', name: 'B' })).toEqual([]);
  });

  it('is undefined for a syntax error, and reads a byte order mark', () => {
    expect(readPython('a.py', 'def f(:\n')).toBeUndefined();
    expect(readPython('a.py', '\u{FEFF}x = 1\n')?.names).toEqual(new Set(['x']));
  });
});
