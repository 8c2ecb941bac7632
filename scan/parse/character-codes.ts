/** A text as bytes for loops that look at each character: they are read in a third of the time of `charCodeAt`. */

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
