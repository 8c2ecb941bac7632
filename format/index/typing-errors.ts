/** Corrects words of a query that no build has. The candidates are the words of all builds and those that have synonyms. */
import { isTelling, wordsOf, SYNONYMS } from './word-forms.ts';

/** Hostile text may have words of any length; no name or tag is longer. */
const SPELLED_WORD = /^[a-z][a-z0-9]{3,31}$/;

/** The words of texts that are candidates, each once. */
export function spelledWords(texts: readonly string[]): Set<string> {
  return new Set(
    texts.flatMap(wordsOf).filter((word) => SPELLED_WORD.test(word) && isTelling(word)),
  );
}

/** The most frequent words first. @param counts builds that have each word */
export function byFrequency(counts: ReadonlyMap<string, number>): string[] {
  const sorted = [...counts].sort(([a, some], [b, more]) => more - some || (a < b ? -1 : 1));
  return sorted.map(([word]) => word);
}

/**
 * The nearest word, or `undefined` when none is near.
 * @param candidates words of builds: the first of equally near ones counts
 */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = Infinity;
  for (const known of [...candidates, ...SYNONYMS.keys()]) {
    const far = wordDistance(word, known);
    if (far === undefined || far >= least) continue;
    least = far;
    nearest = known;
  }
  return nearest;
}

/**
 * The distance of `word` from `known`: 0 equal, 0.5 its start, 1 or 2 typing errors (a letter too much, too few or wrong, or two
 * neighbours swapped); `undefined` when they are unrelated. Words of 4 to 7 characters permit one error, longer ones two.
 */
export function wordDistance(word: string, known: string): number | undefined {
  if (word === known) return 0;
  if (word.length < 4 || word.length > 40) return undefined;
  if (known.startsWith(word)) return 0.5;
  const allowed = word.length < 8 ? 1 : 2;
  if (Math.abs(word.length - known.length) > allowed) return undefined;
  const errors = typingErrors(word, known);
  return errors <= allowed ? errors : undefined;
}

/** The distance of Damerau and Levenshtein, where no letter is changed twice ("optimal string alignment"). */
function typingErrors(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [
    [],
    Array.from({ length: b.length + 1 }, (_, at) => at),
  ];
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = row[j - 1]! + Number(a[i - 1] !== b[j - 1]);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? before[j - 2]! + 1 : Infinity;
      next.push(Math.min(changed, swapped, row[j]! + 1, next[j - 1]! + 1));
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
