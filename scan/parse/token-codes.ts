/** Kinds of characters in JavaScript, by codes as `characterCodes()` returns them. */
import { OTHER } from './literal-ends.ts';

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
