/**
 * Long alternations as lists of words. A list is readable and gives the reason of each group; the regular expression is
 * made from it once, when its module loads.
 *
 *     wordPattern({ 'run code': ['eval', /exec(?:Sync)?/] }, { before: /\b/, after: /\b/ })
 *     /\b(?:eval|exec(?:Sync)?)\b/
 */

/** A string matches itself; a regular expression matches what it matches. */
export type Words = readonly (string | RegExp)[];

/** Words by the reason why they are in the list. */
export type WordGroups = Readonly<Record<string, Words>>;

/** What surrounds the words, and the flags of the whole. */
interface WordPatternOptions {
  readonly before?: RegExp;
  readonly after?: RegExp;
  readonly flags?: string;
}

/**
 * The regular expression that matches any word of `groups`; words that come first win.
 *
 * @throws {TypeError} the list is empty, or a part has a flag that is not in `flags`
 */
export function wordPattern(
  groups: WordGroups,
  { before, after, flags = '' }: WordPatternOptions = {},
): RegExp {
  const words = Object.values(groups).flat();
  if (words.length === 0) throw new TypeError('A word list needs at least one word');
  const any = words.map((word) => sourceOf(word, flags)).join('|');
  const [start, end] = [before, after].map((part) =>
    part === undefined ? '' : `(?:${sourceOf(part, flags)})`,
  );
  return new RegExp(`${start}(?:${any})${end}`, flags);
}

/**
 * The regular expression that matches all `parts`, one directly after the other.
 *
 * @throws {TypeError} a part has a flag that is not in `flags`
 */
export function sequence(parts: readonly RegExp[], flags = ''): RegExp {
  return new RegExp(parts.map((part) => `(?:${sourceOf(part, flags)})`).join(''), flags);
}

function sourceOf(part: string | RegExp, flags: string): string {
  if (typeof part === 'string') return part.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
  for (const flag of part.flags) {
    if (!flags.includes(flag))
      throw new TypeError(`The list of ${String(part)} has no flag "${flag}"`);
  }
  return part.source;
}

/** The words of lines that separate them by spaces. */
export function wordsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(' '));
}
