import { describe, expect, it } from 'vitest';
import { testFile } from '../../test-build.ts';
import { foreignNames } from './hidden-text.ts';

function names(path: string, text: string): string[] | undefined {
  const found = foreignNames(testFile(path, text).syntax, text);
  return found === undefined ? undefined : [...found];
}

describe('foreignNames()', () => {
  it.each([
    ['a.js', 'const \u0430dmin = 1; b.\u0441 = "\u0445"; // \u0440', ['\u0430dmin', '\u0441']],
    ['a.ts', 'function f(\u0430: string) {}', ['\u0430']],
    ['a.py', '\u0430 = 1\nb.\u0441 = "\u0445"  # \u0440\n', ['\u0430', '\u0441']],
    ['a.js', 'const a = "\u0430"', []],
    ['a.py', 'a = "\u0430"', []],
  ])('%s: %j', (path, text, expected) => {
    expect(names(path, text)?.sort()).toEqual([...expected].sort());
  });

  it('has no tree of a document', () => {
    expect(names('README.md', '\u0430')).toBeUndefined();
  });
});
