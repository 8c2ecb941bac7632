// Templates are functions of the application that return the parts of a mail. What they put into HTML is escaped here.
//
//   export const welcome = ({ name, url }: { name: string; url: string }) => ({
//     subject: `Welcome, ${name}`,
//     ...letter(`Hello ${name},`, 'Your account is ready.', { label: 'Begin', url }),
//   });

/** HTML that may be put into other HTML as it is. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/**
 * A value in a template: escaped unless it is `Html`; elements of lists one after the other; nothing for undefined,
 * null and false.
 */
export type HtmlValue = string | number | Html | undefined | null | false | readonly HtmlValue[];

/** Tag for HTML: `` html`<p>Hello ${name}</p>` ``. Put attribute values in quotes. */
export function html(texts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(texts.map((text, index) => text + write(values[index])).join(''));
}

function write(value: HtmlValue): string {
  if (value instanceof Html) return value.toString();
  if (Array.isArray(value)) return value.map(write).join('');
  if (value === undefined || value === null || value === false) return '';
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A link in a letter, drawn as a button. */
export interface LetterLink {
  readonly label: string;
  /** Absolute, `http:` or `https:`. */
  readonly url: string;
}

const STYLE =
  'margin:0 auto;max-width:34em;padding:1.5em;font:16px/1.5 system-ui,sans-serif;color:#1a1a1a;background:#fff';
const BUTTON =
  'display:inline-block;padding:.6em 1.2em;border-radius:.4em;background:#1a1a1a;color:#fff;text-decoration:none';

/**
 * The text and the HTML of a mail that consists of paragraphs and links. Throws `TypeError` for a link that is not of
 * the web.
 */
export function letter(...blocks: readonly (string | LetterLink)[]): { readonly text: string; readonly html: Html } {
  const texts: string[] = [];
  const parts: string[] = [];
  // Without the tag `html`: formatters change what is in a template that has it.
  for (const block of blocks) {
    if (typeof block === 'string') {
      texts.push(block);
      parts.push(`<p>${write(block)}</p>`);
    } else {
      texts.push(`${block.label}:\n${checkUrl(block.url)}`);
      parts.push(`<p><a style="${BUTTON}" href="${write(block.url)}">${write(block.label)}</a></p>`);
    }
  }
  const body = `<body style="${STYLE}">${parts.join('')}</body>`;
  const page = `<!doctype html><html><head><meta charset="utf-8"></head>${body}</html>`;
  return { text: `${texts.join('\n\n')}\n`, html: new Html(page) };
}

function checkUrl(url: string): string {
  if (/^https?:\/\/[^\s]+$/i.test(url)) return url;
  throw new TypeError('Cannot write the letter: a link must begin with "https://" or "http://"');
}
