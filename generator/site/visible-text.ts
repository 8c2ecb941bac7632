/**
 * Makes visible what hides in text: readers and coding agents must see the same. Control characters, characters of
 * bidirectional text, and characters without width or form are written as `U+202E`.
 */

/** `text` with the line ends that pages have. */
export function withUnixLines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

const HIDDEN: RegExp = new RegExp(
  `[${[
    // Control characters, except tab and line feed.
    '\u{0}-\u{8}\u{b}-\u{1f}\u{7f}-\u{9f}',
    // Soft hyphen, fillers, selectors of Mongolian, and what has no width.
    '\u{ad}\u{34f}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}-\u{180f}\u{200b}\u{3164}\u{feff}\u{ffa0}',
    // Direction of text, separators of lines, invisible operators.
    '\u{61c}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}',
    // Annotations, shorthand and musical controls, tags, half surrogates.
    '\u{fff0}-\u{fffb}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}',
    '\\p{Cs}',
  ].join('')}]`,
  'gu',
);

/** Text that a publisher wrote, in one line, with what is invisible made visible. Joiners stay: scripts and emoji need them. */
export function plain(text: string): string {
  const line = /[\n\r\t]/.test(text) ? text.replace(/[\n\r\t]+/g, ' ') : text;
  return replaceHidden(line, (name) => `[${name}]`);
}

/** `text` with each hidden character replaced by what `show` makes of its name, such as `U+202E`. */
export function replaceHidden(text: string, show: (name: string) => string): string {
  if (isPlain(text)) return text;
  return text.replace(HIDDEN, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return show(`U+${code}`);
  });
}

/** Most text is: a test is cheaper than a replacement. */
function isPlain(text: string): boolean {
  HIDDEN.lastIndex = 0;
  return !HIDDEN.test(text);
}
