/** Where tokens of JavaScript end, and kinds of its characters, by codes as `characterCodes()` returns them. */

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

/** Every character that is not ASCII, except those that end a line. */
export const OTHER = 128;
/** U+2028 and U+2029. */
export const OTHER_LINE_END = 129;

/** Larger texts get memory of their own. */
const KEPT_BYTES = 65_536;
const kept = new Uint8Array(KEPT_BYTES);
const encoder = new TextEncoder();

/**
 * The characters of `text`, one byte each, and a 0 after them. What follows the 0 has no meaning.
 * The bytes are valid until the next call.
 */
export function characterCodes(text: string): Uint8Array {
  const { length } = text;
  const codes = length < kept.length ? kept : new Uint8Array(length + 1);
  const { read, written } = encoder.encodeInto(text, codes);
  // Only ASCII has as many bytes of UTF-8 as characters.
  if (read !== length || written !== length) {
    for (let at = 0; at < length; at += 1) {
      const c = text.charCodeAt(at);
      codes[at] = c < OTHER ? c : c === 0x2028 || c === 0x2029 ? OTHER_LINE_END : OTHER;
    }
  }
  codes[length] = 0;
  return codes;
}

/** It opens a statement or an operand: such words can be nested without brackets. */
export const STACKS = 1;
/** It has a head in parentheses that a statement follows. */
export const HAS_HEAD = 2;
/** After it a "/" begins a regular expression. */
export const BEFORE_REGEX = 4;
/** A name in sloppy code or a type, an operator elsewhere: what a "/" after it means is unknown. */
export const IS_OPEN = 8;
/** It is `else`, which belongs to the `if` before it, across semicolons. */
export const IS_ELSE = 16;
/** A type follows it in an expression. */
export const IS_CAST = 32;
/** On a line of its own after an operand, it begins a statement. */
export const IS_START = 64;

const WORDS: readonly (readonly [role: number, words: string])[] = [
  [
    STACKS,
    'if else for while do with try new typeof void delete await yield async throw return case in of instanceof ' +
      'function class extends as satisfies keyof unique readonly infer is asserts let const var static get set export default import abstract declare',
  ],
  [HAS_HEAD, 'if for while with'],
  [
    BEFORE_REGEX,
    'return typeof case in of delete void throw new else do instanceof await yield extends default',
  ],
  [IS_OPEN, 'of await yield void'],
  [IS_ELSE, 'else'],
  [IS_CAST, 'as satisfies'],
  [IS_START, 'if for throw return let const var import export'],
];

interface Word {
  readonly codes: Uint8Array;
  readonly role: number;
}

/** Longer than the longest of the words. */
const MAX_LENGTH = 16;
/** By first character and length: the words, mostly none and rarely more than one. */
const byShape: (readonly Word[] | undefined)[] = Array.from({ length: 128 * MAX_LENGTH });
for (const word of new Set(WORDS.flatMap(([, words]) => words.split(' ')))) {
  const role = WORDS.reduce(
    (all, [one, words]) => (words.split(' ').includes(word) ? all | one : all),
    0,
  );
  const codes = Uint8Array.from(word, (c) => c.charCodeAt(0));
  const shape = codes[0]! * MAX_LENGTH + codes.length;
  byShape[shape] = [...(byShape[shape] ?? []), { codes, role }];
}

/** The role of the word in `codes` from `start` to `end`, the sum of the above; 0 for all other words. */
export function nestingRole(codes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  const first = codes[start]!;
  if (length >= MAX_LENGTH || first >= 128) return 0;
  const words = byShape[first * MAX_LENGTH + length];
  if (words === undefined) return 0;
  for (const word of words) {
    let at = 1;
    while (at < length && word.codes[at] === codes[start + at]) at += 1;
    if (at === length) return word.role;
  }
  return 0;
}

/** Between tokens, the end of a line included; spaces that are not ASCII are parts of words. */
export const IS_SPACE = new Uint8Array(256);
for (const c of ' \t\n\v\f\r') IS_SPACE[c.charCodeAt(0)] = 1;

/** A character of operators. */
export const IS_OPERATOR = new Uint8Array(128);
for (const c of '!%&*+-:<=>?^|~`') IS_OPERATOR[c.charCodeAt(0)] = 1;

/** An operator between operands, or of one. */
export const IS_INFIX = new Uint8Array(128);
for (const c of '%&*+-/^|') IS_INFIX[c.charCodeAt(0)] = 1;

/** What is not ASCII is a part of words. */
export const IS_WORD_PART = Uint8Array.from({ length: 256 }, (_, c) =>
  Number(c >= OTHER || /[\w$]/.test(String.fromCharCode(c))),
);

export function isWordStart(c: number): boolean {
  return IS_WORD_PART[c] === 1 && (c < 48 || c > 57);
}
