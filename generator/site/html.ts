/** The tagged template of all pages: values are escaped unless they are `Html` themselves. */
import { html as template, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { replaceHidden } from './visible-text.ts';

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
