/** Which files a pattern may match in: the patterns of all rules are looked for in one pass over each file. */
import { PatternFilter } from './pattern-filter.ts';

/** A file of a scan: the same object each time, with the same text. */
interface File {
  readonly text: string | undefined;
  readonly bytes: Uint8Array;
}

const patterns: RegExp[] = [];
let foundIn = new WeakMap<File, number>();
let filter: PatternFilter | undefined;

/**
 * Adds `pattern` to those that are looked for; called when a module loads.
 * @returns false only for files whose text, as a whole and in any part of it, the pattern does not match
 */
export function mayMatch(pattern: RegExp): (file: File) => boolean {
  // A module that loads late: what was found did not look for its pattern.
  [filter, foundIn] = [undefined, new WeakMap()];
  const bit = 1 << (patterns.push(pattern) - 1);
  return (file) => {
    let found = foundIn.get(file);
    if (found === undefined) foundIn.set(file, (found = find(file)));
    return (found & bit) !== 0;
  };
}

function find({ text, bytes }: File): number {
  filter ??= new PatternFilter(patterns);
  return text === undefined ? 0 : filter.test(text, bytes);
}
