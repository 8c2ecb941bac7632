import { describe, expect, it } from 'vitest';
import { completeStyle, readStyle } from './code-style.ts';

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
