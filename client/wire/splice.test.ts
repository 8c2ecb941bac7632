import { describe, expect, it } from 'vitest';
import { openCode } from './open-code.ts';
import { readStyle } from './code-style.ts';
import { afterStatement, applySplice, asLastElement, atTop } from './splice.ts';

function applied(text: string, made: ReturnType<typeof afterStatement>): string {
  return typeof made === 'string' ? made : applySplice(text, made);
}

describe('afterStatement()', () => {
  it.each([
    ['  a(); // why\n  b();\n', '  a(); // why\n  x;\n  b();\n'],
    ['  a();', '  a();\n  x;'],
    ['  a();\r\n', '  a();\r\n  x;\r\n'],
    ['  a(); b();\n', 'the place is in the middle of a line'],
    ['{ a();\n}', 'the place is in the middle of a line'],
  ])('puts lines after the first call of %j', (text, expected) => {
    const start = text.indexOf('a');
    const made = afterStatement(text, { start, end: start + 4 }, ['x;'], readStyle(text));
    expect(applied(text, made)).toBe(expected);
  });
});

describe('asLastElement()', () => {
  it.each([
    ['const l = [];', 'const l = [x];'],
    ['const l = [a];', 'const l = [a, x];'],
    ['const l = [\n  a,\n];', 'const l = [\n  a,\n  x,\n];'],
    ['const l = [\n  a\n];', 'const l = [\n  a,\n  x\n];'],
    ['const l = [\n];', 'const l = [\n  x,\n];'],
    ['const l = [\n  a, // last\n];', 'the list has a comment at its end'],
  ])('puts an element into %j', (text, expected) => {
    const [list] = openCode('a.ts', text)!.lists({ kind: 'list', name: 'l' });
    expect(applied(text, asLastElement(text, list!, ['x'], readStyle(text)))).toBe(expected);
  });
});

describe('atTop()', () => {
  it('puts lines in front', () => {
    expect(applySplice('a\n', atTop(0, ['x'], readStyle('a\n')))).toBe('x\na\n');
  });
});
