import { describe, expect, it } from 'vitest';
import { openCode } from './open-code.ts';
import { completeStyle, readStyle } from './code-style.ts';
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

describe('readStyle()', () => {
  it.each([
    ["import a from 'a';\n", { quote: "'", hasSemicolons: true, lineEnd: '\n' }],
    ['import a from "a"\r\nlet b = 1\r\n', { quote: '"', hasSemicolons: false, lineEnd: '\r\n' }],
    ["import a from './a.js'\n", { ending: '.js' }],
    ["import a from './a.ts'\n", { ending: '.ts' }],
    ["import a from './a'\nimport b from '../b'\n", { ending: '' }],
    ['if (x) {\n    y();\n}\n', { indent: '    ' }],
    ['if (x) {\n\ty();\n}\n', { indent: '\t' }],
    ['', { quote: undefined, hasSemicolons: undefined, indent: undefined, ending: undefined }],
  ])('%j has %j', (text, expected) => {
    expect(readStyle(text)).toMatchObject(expected);
  });
});

describe('completeStyle()', () => {
  it('takes from other files only what the first one does not show, and never its line ends', () => {
    const first = readStyle("import a from 'a';\n");
    const other = readStyle('import b from "./b.js"\r\n');
    expect(completeStyle(first, [other])).toMatchObject({
      quote: "'",
      hasSemicolons: true,
      ending: '.js',
      lineEnd: '\n',
    });
  });
});
