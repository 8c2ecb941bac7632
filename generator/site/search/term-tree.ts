/**
 * Where terms are. The terms of all builds, each with `TERM_END` behind it, are divided by their first characters until
 * a leaf is small. The leaves are named by those characters, so no name of a leaf is the start of another one:
 *
 *     "a"   "s " "sa" "sql" "sqlite " "sqlite3"   "t"
 *
 * Where leaves part ("s", "sql" and "sqlite" here) there is a node as well, which has the builds of all terms below it.
 */
import { TERM_END } from './search-terms.ts';

/** The leaf that has `term`, if the tree has one. @param leaves names of leaves, sorted */
export function leafOf(leaves: readonly string[], term: string): string | undefined {
  const text = term + TERM_END;
  const at = firstFrom(leaves, text);
  const known = leaves[at] === text ? text : leaves[at - 1];
  return known !== undefined && text.startsWith(known) ? known : undefined;
}

/** The leaves whose names begin with `prefix`. */
export function leavesUnder(leaves: readonly string[], prefix: string): string[] {
  return leaves.slice(...rangeUnder(leaves, prefix));
}

/** The indexes of the first leaf whose name begins with `prefix`, and of the first one behind them. */
export function rangeUnder(leaves: readonly string[], prefix: string): [from: number, to: number] {
  const from = firstFrom(leaves, prefix);
  return [from, firstWhere(leaves, from, (leaf) => !leaf.startsWith(prefix))];
}

/** The name of a leaf for a term that no leaf has. */
export function newLeaf(leaves: readonly string[], term: string): string {
  let name = '';
  for (const character of term + TERM_END) {
    if (leaves[firstFrom(leaves, name)]?.startsWith(name) !== true) return name;
    name += character;
  }
  return name;
}

/** The nodes where leaves part, sorted. */
export function nodesOf(leaves: readonly string[]): string[] {
  const nodes = new Set<string>();
  for (let at = 1; at < leaves.length; at += 1) {
    nodes.add(commonStart(leaves[at - 1]!, leaves[at]!));
  }
  return [...nodes].filter((node) => node !== '' && !node.startsWith('=')).sort();
}

/** The longest text of whole characters with which both begin. */
export function commonStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  const isInPair = /[\uD800-\uDBFF]$/.test(a.slice(0, length));
  return a.slice(0, isInPair ? length - 1 : length);
}

/** The index of the first name that is not before `text`. */
function firstFrom(sorted: readonly string[], text: string): number {
  return firstWhere(sorted, 0, (name) => name >= text);
}

/** The first index from `start` on of which `is` is true; it is true of all that follow. */
function firstWhere(
  sorted: readonly string[],
  start: number,
  is: (name: string) => boolean,
): number {
  let [from, to] = [start, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (is(sorted[middle]!)) to = middle;
    else from = middle + 1;
  }
  return from;
}
