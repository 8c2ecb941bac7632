/** The expected output in a script test: `[..]` matches any text in a line, `...` any lines. */
import { diffArrays } from 'diff';

const ANYTHING = '[..]';
const ANY_LINES = '...';
const NO_END = '\\ no newline at end';

/** The lines of a stream in the form of a script test. */
export function streamLines(text: string): string[] {
  if (text === '') return [];
  return text.endsWith('\n') ? text.slice(0, -1).split('\n') : [...text.split('\n'), NO_END];
}

/** The inverse of `streamLines`. */
export function streamText(lines: readonly string[]): string {
  if (lines.at(-1) === NO_END) return lines.slice(0, -1).join('\n');
  return lines.map((line) => `${line}\n`).join('');
}

/**
 * `expected` itself if `actual` matches it, else `actual` with the lines of `expected` that match one, so
 * that a comparison of both shows only the differences.
 */
export function settleLines(expected: readonly string[], actual: readonly string[]): string[] {
  if (doLinesMatch(expected, actual)) return [...expected];
  const parts = diffArrays([...expected], [...actual], { comparator: doesLineMatch });
  let at = 0;
  return parts.flatMap(({ added, removed, count, value }) => {
    const lines = expected.slice(at, at + count);
    if (!added) at += count;
    if (removed) return [];
    return added ? value : lines;
  });
}

/** Whether `actual` matches `expected`. */
export function doLinesMatch(expected: readonly string[], actual: readonly string[]): boolean {
  return doPartsMatch(expected, actual, (line) => line === ANY_LINES, doesLineMatch);
}

/** Whether a line matches `expected`. */
export function doesLineMatch(expected: string, actual: string): boolean {
  if (!expected.includes(ANYTHING)) return expected === actual;
  const wanted = expected.split(ANYTHING).flatMap((text, index) => {
    return index === 0 ? text.split('') : [ANYTHING, ...text.split('')];
  });
  return doPartsMatch(
    wanted,
    actual.split(''),
    (part) => part === ANYTHING,
    (a, b) => a === b,
  );
}

/** Glob matching in time of at most the product of both lengths: only the last wildcard is tried again. */
function doPartsMatch(
  pattern: readonly string[],
  parts: readonly string[],
  isWildcard: (part: string) => boolean,
  isSame: (wanted: string, part: string) => boolean,
): boolean {
  let [p, at, star, retry] = [0, 0, -1, 0];
  while (at < parts.length) {
    const wanted = pattern[p];
    if (wanted !== undefined && isWildcard(wanted)) {
      [star, retry] = [p, at];
      p += 1;
    } else if (wanted !== undefined && isSame(wanted, parts[at]!)) {
      p += 1;
      at += 1;
    } else if (star >= 0) {
      retry += 1;
      [p, at] = [star + 1, retry];
    } else return false;
  }
  return pattern.slice(p).every(isWildcard);
}
