/** Code as markup without colours: escaped, with what is invisible made visible. */
import { escapeMarkup } from '../html.ts';
import { replaceHidden } from '../visible-text.ts';

/** `code` as markup. Readers see every character: what turns the order of text around is shown by its name. */
export function codeText(code: string): string {
  return replaceHidden(
    escapeMarkup(code),
    (name) => `<span class="hidden-character">${name}</span>`,
  );
}

/** `text` with the line ends that pages have. */
export function withUnixLines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
