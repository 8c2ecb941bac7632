/** The text of a Python string literal. */

/** @param literal with prefix and quotes: `rb"\x41"`; bytes are read as Latin-1 */
export function readPythonString(literal: string): string {
  const match = /^([a-z]*)("""|'''|"|')/i.exec(literal);
  if (match === null) return literal;
  const [open, prefix = '', quote = ''] = match;
  const end = literal.endsWith(quote) ? literal.length - quote.length : literal.length;
  const body = literal.slice(open.length, Math.max(open.length, end));
  if (/r/i.test(prefix) || !body.includes('\\')) return body;
  return body.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|(\r?\n)|([\s\S]))/g,
    (whole, x, u, long, octal, newline, other) => {
      const hex: string | undefined = x ?? u ?? long;
      if (hex !== undefined) {
        const code = parseInt(hex, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      }
      if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8));
      if (newline !== undefined) return '';
      return ESCAPES[other as string] ?? (other === '\\' || other === quote ? other : whole);
    },
  );
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  "'": "'",
  '"': '"',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
};
