/**
 * The tagged template of all pages: values are escaped unless they are `Html` themselves. Numbers in a form that does not depend
 * on the machine, and links, which are relative, so that a site works at any address.
 */
import { html as template, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { urlPath } from '../../format/index/layout.ts';

/** Markup that is safe to put into a page. */
export type Html = HtmlEscapedString;

/** What a template takes: text is escaped, `undefined` and booleans leave nothing. */
type HtmlValue =
  | Html
  | string
  | number
  | boolean
  | undefined
  | readonly (Html | string | undefined)[];

/** Markup with escaped values. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  // Without promises among its values, the template gives a string at once.
  return template(strings, ...values) as Html;
}

/** Text that is markup already: from the sanitiser, the highlighter or this folder. */
export function trusted(markup: string): Html {
  return raw(markup);
}

/** Text that a publisher wrote, in one line, with what is invisible made visible. */
export function plain(text: string): string {
  return visibleText(text);
}

/** `text` for an XML or HTML document, outside of a template. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

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

/**
 * Makes visible what hides in text: readers and coding agents must see the same. Control characters, characters of
 * bidirectional text, and characters without width or form are written as `U+202E`.
 */
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

/** `text` in one line. Joiners stay: scripts and emoji need them. */
export function visibleText(text: string): string {
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

/** `12345` as `12,345`. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 build`, `2 builds`. */
export function countOf(value: number, noun: string, plural: string = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

/** Bytes: `512 B`, `1.5 kB`, `2.0 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const [unit, size] = bytes < 1_000_000 ? ['kB', bytes / 1_000] : ['MB', bytes / 1_000_000];
  return `${size.toFixed(1)} ${unit}`;
}

/** A share from 0 to 1: `0.4385` as `44 %`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Makes the link from one page to a path of the index. */
export type Link = (target: string) => string;

/**
 * Links of the page at `path`. A link to an `index.html` is one to its folder.
 * @example
 * linkFrom('builds/a/b/index.html')('owners/a/index.html'); // '../../../owners/a/'
 */
export function linkFrom(path: string): Link {
  const root = rootFrom(path);
  return (target) => {
    const url = urlPath(target);
    const isFolder = url === INDEX || url.endsWith(`/${INDEX}`);
    return root + (isFolder ? url.slice(0, -INDEX.length) : url);
  };
}

const INDEX = 'index.html';

/** The way from the page at `path` to the root of the site: `./`, `../`, `../../`. */
export function rootFrom(path: string): string {
  const depth = path.split('/').length - 1;
  return depth === 0 ? './' : '../'.repeat(depth);
}

/** Times on pages: the date in UTC, in words that do not depend on the machine. */
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `2026-01-02T03:04:05.000Z` as `2 Jan 2026`. */
export function dateText(time: string): string {
  const [year = '', month = '', day = ''] = time.slice(0, 10).split('-');
  return `${Number(day)} ${MONTHS[Number(month) - 1] ?? ''} ${year}`;
}

/** The date; the browser module shows how long ago it is instead, and keeps the date as its title. */
export function when(time: string): Html {
  return html`<time datetime="${time}" data-relative>${dateText(time)}</time>`;
}
