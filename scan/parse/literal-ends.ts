/** Where tokens of JavaScript end, by codes as `characterCodes()` returns them. */
import { OTHER_LINE_END } from './character-codes.ts';

const [NEWLINE, CR, DOT, SLASH, ZERO, NINE, OPEN_SQUARE, BACKSLASH, CLOSE_SQUARE, UNDERSCORE] = [
  10, 13, 46, 47, 48, 57, 91, 92, 93, 95,
];

export function isDigit(c: number): boolean {
  return c >= ZERO && c <= NINE;
}

/** Where the line of `from` ends: at its end or at `length`. */
export function lineEnd(codes: Uint8Array, from: number, length: number): number {
  for (let at = from; at < length; at += 1) if (isLineEnd(codes[at]!)) return at;
  return length;
}

/**
 * Past the digits, and the fraction, of a number that begins at `from`. Prefix, exponent and suffix are left: they look
 * like words after it. An octal number of old has no fraction: a dot after it is that of a property.
 */
export function numberEnd(codes: Uint8Array, from: number): number {
  let at = digitsEnd(codes, from);
  const isOctal = codes[from] === ZERO && isDigit(codes[from + 1]!);
  if (codes[at] === DOT && !isOctal) at = digitsEnd(codes, at + 1);
  return at;
}

/** Past the quote that ends a string that begins at `from`; `undefined` when the line or text ends first. */
export function stringEnd(codes: Uint8Array, from: number, length: number): number | undefined {
  const quote = codes[from];
  for (let at = from + 1; at < length; at += 1) {
    const c = codes[at]!;
    if (c === quote) return at + 1;
    if (c === BACKSLASH) at += codes[at + 1] === CR && codes[at + 2] === NEWLINE ? 2 : 1;
    else if (c === NEWLINE || c === CR) return undefined;
  }
  return undefined;
}

/** Past the slash that ends a regular expression that begins at `from`; `undefined` when the line ends first. */
export function regexEnd(codes: Uint8Array, from: number, length: number): number | undefined {
  let isClass = false;
  for (let at = from + 1; at < length; at += 1) {
    let c = codes[at]!;
    if (c === BACKSLASH) c = codes[(at += 1)]!;
    else if (c === OPEN_SQUARE) isClass = true;
    else if (c === CLOSE_SQUARE) isClass = false;
    else if (c === SLASH && !isClass) return at + 1;
    if (isLineEnd(c)) return undefined;
  }
  return undefined;
}

function digitsEnd(codes: Uint8Array, from: number): number {
  let at = from;
  while (isDigit(codes[at]!) || codes[at] === UNDERSCORE) at += 1;
  return at;
}

function isLineEnd(c: number): boolean {
  return c === NEWLINE || c === CR || c === OTHER_LINE_END;
}
