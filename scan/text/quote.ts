/** Quotes a publisher's text for a finding: one short line without invisible characters. */

const MAX_QUOTE = 100;
const UNSEEN =
  // oxlint-disable-next-line no-misleading-character-class
  /[\p{C}\p{Zl}\p{Zp}\uFE00-\uFE0F\u115F\u1160\u3164\uFFA0\u034F\u180B-\u180F\u{E0100}-\u{E01EF}]/gu;

/** `text` on one line, at most `max` characters, with hidden characters written as `\u{...}`. */
export function quote(text: string, max = MAX_QUOTE): string {
  const start = text.slice(0, max * 2).toWellFormed();
  const line = start.replace(/\s+/g, ' ').trim();
  const clean = line.replace(
    UNSEEN,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return clean.length <= max && start.length === text.length
    ? clean
    : `${Array.from(clean)
        .slice(0, max - 1)
        .join('')}…`;
}

/** The line of `text` around `offset`, quoted. */
export function quoteLine(text: string, offset: number, max = MAX_QUOTE): string {
  const before = text.slice(Math.max(0, offset - max), offset);
  const [after = ''] = text.slice(offset, offset + max).split('\n', 1);
  return quote(before.slice(before.lastIndexOf('\n') + 1) + after, max);
}
