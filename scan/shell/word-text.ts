/** The parts of shell words that hide the text of a word: `$'\x63url'`, `${IFS}`, variables. */
import type { Word } from './parsed-shell.ts';

const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  e: '\u001b',
  a: '',
  b: '',
};

/** Reads `'...'` at `at` with C escapes; returns the value and the offset after it. */
export function ansiQuoted(text: string, at: number): readonly [string, number] {
  const parts: string[] = [];
  let here = at + 1;
  while (here < text.length && text[here] !== "'") {
    if (text[here] !== '\\') {
      parts.push(text[here]!);
      here += 1;
      continue;
    }
    const escape = /^(?:x[0-9a-f]{1,2}|u[0-9a-f]{1,4}|[0-7]{1,3})/i.exec(
      text.slice(here + 1, here + 6),
    );
    if (escape === null) {
      const next = text[here + 1] ?? '';
      parts.push(SIMPLE[next] ?? next);
      here += 2;
      continue;
    }
    const [digits] = escape;
    const isHex = /^[xu]/i.test(digits);
    const code = isHex ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 8);
    parts.push(String.fromCharCode(code));
    here += 1 + digits.length;
  }
  return [parts.join(''), here + 1];
}

/** A word with the values of variables that were set before; `${IFS}` splits it. */
export function wordWithVariables(word: Word, variables: ReadonlyMap<string, string>): Word[] {
  if (!word.text.includes('$') || word.text.length > 10_000) return [word];
  const text = word.text
    .replaceAll(/\$\{?IFS\}?(?:\$\d)?/g, ' ')
    .replaceAll(
      /\$(?:\{(\w{1,60})\}|(\w{1,60}))/g,
      (all: string, braced?: string, bare?: string) => variables.get(braced ?? bare ?? '') ?? all,
    );
  const pieces = text
    .slice(0, 20_000)
    .split(' ')
    .filter((piece) => piece !== '');
  if (pieces.length <= 1 || word.text.includes(' ')) return [{ ...word, text }];
  return pieces.map((piece, place) => ({
    ...word,
    text: piece,
    scripts: place === 0 ? word.scripts : [],
  }));
}
