import { describe, expect, it } from 'vitest';
import { checkImports } from './import-state.ts';
import { openCode } from './open-code.ts';

const BLOCK = "import { mount } from './mount.js';";

describe('checkImports()', () => {
  it.each([
    ["import a from 'a';\n", 'absent'],
    [`${BLOCK}\n`, 'present'],
    ['import { other, mount } from "./mount"\n', 'present'],
    ["import { mount } from './other.js';\n", 'the name "mount" is taken'],
    ['export function mount() {}\n', 'the name "mount" is taken'],
    ["const a = require('a');\n", 'it is CommonJS, and the block needs an ES module'],
  ])('%j: %s', (text, expected) => {
    expect(checkImports(openCode('a.ts', text)!, BLOCK, true)).toBe(expected);
  });

  it('reads a JavaScript file without imports by the package that it is in', () => {
    const code = openCode('a.js', 'run();\n')!;
    expect(checkImports(code, BLOCK, true)).toBe('absent');
    expect(checkImports(code, BLOCK, false)).toContain('CommonJS');
  });
});
