/** Text of a registry, a build or an error without characters that control a terminal. */

/** Control, bidirectional and invisible characters, which could change what a terminal shows. */
export const UNPRINTABLE: RegExp =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u{0}-\u{8}\u{B}-\u{1F}\u{7F}-\u{9F}\u{AD}\u{61C}\u{180E}\u{200B}-\u{200F}\u{2028}-\u{202E}\u{2060}-\u{206F}\u{FEFF}\u{FFF9}-\u{FFFB}\u{E0000}-\u{E007F}]/gu;

/** `text` without these characters; tabs and newlines are kept. */
export function printable(text: string): string {
  return text.toWellFormed().replace(UNPRINTABLE, '');
}

/** `text` on one line. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}
