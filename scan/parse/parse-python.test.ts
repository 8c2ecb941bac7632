import type { Tree } from '@lezer/common';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePython } from './parse-python.ts';

describe('parsePython()', () => {
  it.each([
    '',
    'import a\n',
    'def f(a: int = 1) -> str:\n  return f"{a!r}"\n',
    'match a:\n  case 1: pass\n',
  ])('reads %j', (text) => {
    const { tree, problemAt } = parsePython(text);
    expect(problemAt).toBeUndefined();
    expect(tree.length).toBe(text.length);
  });

  it.each([
    ['a = \n', 3],
    ['a = (\n', 5],
    ['def f(:\n  pass\nimport b\n', 6],
  ])('goes on after the problem in %j', (text, most) => {
    const { tree, problemAt } = parsePython(text);
    expect(problemAt).toBeGreaterThan(0);
    expect(problemAt).toBeLessThanOrEqual(most + 1);
    expect(tree.length).toBe(text.length);
  });

  it('has nodes within the text, in order, for any text', () => {
    const word = fc.constantFrom(
      'a',
      '(',
      ')',
      ':',
      '\n',
      '  ',
      'def ',
      '=',
      '"',
      '"""',
      'f"{',
      '}',
      'import ',
      '#',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (words) => {
        const text = words.join('');
        parsePython(text).tree.iterate({
          enter: ({ from, to }) => {
            expect(0 <= from && from <= to && to <= text.length).toBe(true);
          },
        });
      }),
    );
  });

  it.each(['(', 'lambda: ', 'f"{', 'f"""{', 'require("', 'import("', 'eval("'])(
    'reads the statements beside many %j, which are too deep or have too many errors',
    (part) => {
      const text = `import os\n${part.repeat(25_000)}\nos.system("x")\n`;
      const { tree, gap } = parsePython(text);
      expect(gap).toMatch(/^its syntax (?:is nested too deeply|has too many errors)$/);
      expect(tree.topNode.firstChild?.name).toBe('ImportStatement');
      expect(tree.length).toBe(text.length);
    },
  );

  it.each(['if a:\n', '"', '\\\n'])('is bounded on many %j', (part) => {
    expect(parsePython(part.repeat(5_000)).tree.length).toBe(part.length * 5_000);
  });

  it('reads all code that comments alone make too large', () => {
    const text = `# ${'x '.repeat(2_550_000)}\na = 1\nimport os\n`;
    const names = ({ topNode }: Tree): string[] =>
      topNode.getChildren('Statement').map(({ name }) => name);
    const matters = (part: string): boolean => part.includes('os');
    const { tree, gap } = parsePython(text, matters);
    expect(names(tree)).toEqual(['AssignStatement', 'ImportStatement']);
    expect(gap).toBeUndefined();
    const more = parsePython(`${'bb = 1\n'.repeat(900_000)}${text}`, matters);
    expect(names(more.tree)).toEqual(['ImportStatement']);
  });
});
