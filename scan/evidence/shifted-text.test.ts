import { describe, expect, it } from 'vitest';
import { runs } from '../../tests/run/runs.ts';
import { shiftedTexts } from './shifted-text.ts';

const CODE = 'const p = require("child_process"); p.exec("id");';
const JAVASCRIPT = '.map((c) => String.fromCharCode(c.charCodeAt(0) - 3))';

function shifted(text: string, by: number): string {
  return Array.from(text, (c) => String.fromCharCode(c.charCodeAt(0) + by)).join('');
}

function turned(text: string, by: number): string {
  return text.replaceAll(/[a-z]/g, (c) =>
    String.fromCharCode(((c.charCodeAt(0) - 97 + by) % 26) + 97),
  );
}

describe('shiftedTexts()', () => {
  it.each([
    ['by three', `[...${JSON.stringify(shifted(CODE, 3))}]${JAVASCRIPT}`],
    ['back by one', `[...\`${shifted(CODE, -1)}\`]${JAVASCRIPT}`],
    ['within the alphabet', `[...'${turned(CODE, 13)}']${JAVASCRIPT}`],
    [
      'in a loop',
      `const s = ${JSON.stringify(shifted(CODE, 5))}; for (const c of s) { const n = c.charCodeAt(0) - 5; o += String.fromCharCode(n); }`,
    ],
    ['in Python', `exec(''.join(chr(ord(c) - 7) for c in ${JSON.stringify(shifted(CODE, 7))}))`],
    [
      'in a loop of Python',
      `for c in '${turned(CODE, 4)}':\n  n = ord(c) - 97\n  o += chr((n - 4) % 26 + 97)`,
    ],
  ])('%s', (_, text) => {
    const [found] = shiftedTexts(text);
    expect(found?.code).toContain('require("child_process")');
    expect(text[found!.start]).toMatch(/['"`]/);
  });

  it.each([
    ['text that no code shifts', `const s = '${shifted(CODE, 3)}';`],
    ['text that is not shifted', `const s = '${CODE.replaceAll('"', '')}'; [...s]${JAVASCRIPT}`],
    ['a sentence', `const s = 'the quick brown fox jumps over the lazy dog'; [...s]${JAVASCRIPT}`],
    [
      'a shifted sentence',
      `[...'${turned('attack the castle at dawn from the east', 3)}']${JAVASCRIPT}`,
    ],
    ['letters of columns', `const s = '${'x'.repeat(50)}'; String.fromCharCode(65 + n)`],
  ])('not %s', (_, text) => {
    expect(shiftedTexts(text)).toEqual([]);
  });

  it('is bounded on many texts and on one long line', () => {
    const many = `"${'abcdefghij'.repeat(5)}",`.repeat(runs(20_000));
    expect(shiftedTexts(`${many}${JAVASCRIPT}`)).toEqual([]);
    expect(shiftedTexts('ord(chr(.charCodeAt(.fromCharCode('.repeat(runs(50_000)))).toEqual([]);
    expect(shiftedTexts(`${JAVASCRIPT}${'"\'`'.repeat(runs(100_000))}`)).toEqual([]);
  });
});
