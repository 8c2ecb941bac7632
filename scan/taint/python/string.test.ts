import { describe, expect, it } from 'vitest';
import { readPythonString } from './string.ts';

describe('readPythonString()', () => {
  it.each([
    [`'a'`, 'a'],
    [`"a'b"`, "a'b"],
    [`"""a"b"""`, 'a"b'],
    [`'''a\nb'''`, 'a\nb'],
    [`b'a'`, 'a'],
    [`rb"\\x41"`, '\\x41'],
    [`R'\\n'`, '\\n'],
    [`'\\x41\\u0042\\U00000043\\104'`, 'ABCD'],
    [`'\\n\\t\\r\\a\\b\\f\\v'`, '\n\t\r\u0007\b\f\v'],
    [`'a\\\nb'`, 'ab'],
    [`'\\\\ \\' \\"'`, `\\ ' "`],
    [`'\\q'`, '\\q'],
    [`'\\U99999999'`, '\\U99999999'],
    [`'unclosed`, 'unclosed'],
    [`''`, ''],
    ['a', 'a'],
  ])('%s', (literal, text) => {
    expect(readPythonString(literal)).toBe(text);
  });
});
