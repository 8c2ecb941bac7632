/** Finds near words: a known word that starts with the given one, or differs by a typing error. */
import { distance } from 'fastest-levenshtein';

/** Hostile text may have words of any length; no name or tag is longer. */
const MAX_WORD = 64;

/**
 * The distance of `word` from `known`: 0 equal, 0.5 its start, 1 or 2 typing errors; `undefined` when they
 * are unrelated. Short words permit no errors: too many of them are similar.
 */
export function wordDistance(word: string, known: string): number | undefined {
  if (word === known) return 0;
  if (known.length > MAX_WORD || word.length > MAX_WORD) return undefined;
  if (word.length >= 2 && known.startsWith(word)) return 0.5;
  const allowed = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
  if (Math.abs(word.length - known.length) > allowed) return undefined;
  if (allowed > 0 && isSwapped(word, known)) return 1;
  const slips = distance(word, known);
  return slips <= allowed ? slips : undefined;
}

/** Whether two adjacent letters are swapped. */
function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
