/**
 * What code is read: up to a size, and nested up to a depth. Whether a text is within the limits depends on the text alone, so that
 * every machine gives the same findings.
 */

/** A larger file of code is not read. */
export const MAX_CODE_BYTES = 1_000_000;

/**
 * Levels of a syntax tree. Packages of npm have up to 100. The parser of JavaScript calls itself for each of them, and the stack of the
 * main thread of Node.js holds 300: the limit is below that, so that no finding depends on the stack.
 */
export const MAX_DEPTH = 250;

/** A larger file with syntax errors is not read: to go on after an error takes a hundred times as long as to read a token. */
export const MAX_BROKEN_LENGTH = 200_000;

/** Why a text is not read, as a clause. */
export class BeyondLimits extends RangeError {
  override readonly name = 'BeyondLimits';
}

/** @throws {BeyondLimits} */
export function checkSize(size: number): void {
  if (size > MAX_CODE_BYTES) throw new BeyondLimits('it is larger than 1 MB');
}

/** Of a text with a syntax error. @throws {BeyondLimits} */
export function checkBroken(length: number): void {
  if (length > MAX_BROKEN_LENGTH)
    throw new BeyondLimits('it has a syntax error and is larger than 200 kB');
}

/** The error for what is nested too deeply. */
export function tooDeep(): BeyondLimits {
  return new BeyondLimits(`its syntax is nested deeper than ${MAX_DEPTH} levels`);
}

/** Each nested one doubles the time: the parser reads it as a function and then as a value. */
const MAX_CASTS = 8;
/** A cast or the types of a function, a bracket, or the end of an item, as far as a line shows it. */
const CASTS = /(?<=[=(,:?{;[&|!>+]\s{0,9})<[\w$\s,.[\]]{1,99}>|[()[\]{},;]|\n\s{0,99}(?=[\w$])/g;
/** Labels, or operators that look like lists of types: the parser compares each with all before it. */
const LONG_ROW = /[:<](?:\s{0,9}[A-Za-z_$][\w$.]{0,39}\s{0,9}[:<]){19}/;

/** From each comment on, the parser looks for the end of the line: characters that it may read for that. */
const MAX_LINE_READINGS = 2e10;

/** Whether the parser reads each part of a text only a few times, as far as this shows without parsing. */
export function isBounded(text: string, hasCasts: boolean): boolean {
  if (LONG_ROW.test(text)) return false;
  const isFar = (part: string): boolean =>
    part.length * part.split('/*').length > MAX_LINE_READINGS;
  if (isFar(text) && text.split(/[\n\r\u2028\u2029]/).some(isFar)) return false;
  if (!hasCasts || !text.includes('<')) return true;
  /** For each open bracket, in how many casts it is. */
  const open: number[] = [];
  let casts = 0;
  for (const [found] of text.matchAll(CASTS)) {
    if (found.startsWith('<')) casts += 1;
    else if (/[([{]/.test(found)) open.push(casts);
    else if (/[)\]}]/.test(found)) casts = open.pop() ?? 0;
    else casts = open.at(-1) ?? 0;
    if (casts > MAX_CASTS) return false;
  }
  return true;
}
