/**
 * Long alternations as lists of words. A list is readable and gives the reason of each group; the regular expression is
 * made from it once, when its module loads.
 *
 *     wordPattern(/\bWORDS\b/, { 'run code': ['eval', /exec(?:Sync)?/] })
 *     /\b(?:eval|exec(?:Sync)?)\b/
 */

/** A string matches itself; a regular expression matches what it matches. */
export type Words = readonly (string | RegExp)[];

/** Words by the reason why they are in the list. */
export type WordGroups = Readonly<Record<string, Words>>;

/**
 * The regular expression that matches `frame`, in which `WORDS` stands for any word of `groups`; words that come first win.
 *
 * @throws {TypeError} the list is empty, or a word has a flag that `frame` does not have
 */
export function wordPattern({ source, flags }: RegExp, groups: WordGroups): RegExp {
  const words = Object.values(groups).flat();
  if (words.length === 0) throw new TypeError('A word list needs at least one word');
  const any = words.map((word) => sourceOf(word, flags)).join('|');
  return new RegExp(
    source.replace('WORDS', () => `(?:${any})`),
    flags,
  );
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
