/**
 * The allow list for what publishers write. Markdown may hold any HTML: nothing that runs, frames, submits or styles
 * stays, and no `id`, which could replace a name that scripts look up.
 */
import sanitize from 'sanitize-html';
import { escapeMarkup } from '../html.ts';
import { decoded } from '../source-address.ts';

/** Decides about the target of a link; `undefined` leaves the text without a link. */
type ResolveLink = (href: string) => string | undefined;

const TAGS =
  'h1 h2 h3 h4 h5 h6 p br hr ul ol li dl dt dd table thead tbody tfoot tr th td caption a strong b em i u s del ins sub sup kbd samp var code pre blockquote details summary img span div abbr mark small q input ruby rt rp'.split(
    ' ',
  );
/** The classes of the highlighter; they only colour. */
const TOKEN_CLASSES = ['tk', 'ts', 'tf', 'tc', 'tp', 'tm', 'hidden-character'];
const MAX_DEPTH = 60;

/** `markup` with what the allow list has. */
export function cleanMarkup(markup: string, resolve: ResolveLink): string {
  return sanitize(markup, {
    allowedTags: TAGS,
    allowedAttributes: {
      a: ['href', 'rel', 'title'],
      img: ['src', 'alt', 'title', 'width', 'height', 'loading', 'referrerpolicy'],
      th: ['align', 'colspan', 'rowspan'],
      td: ['align', 'colspan', 'rowspan'],
      ol: ['start'],
      details: ['open'],
      input: ['type', 'checked', 'disabled', 'aria-label'],
      abbr: ['title'],
    },
    allowedClasses: { span: TOKEN_CLASSES },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowedSchemesByTag: { img: ['https'] },
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    nestingLimit: MAX_DEPTH,
    transformTags: {
      a: (_, { href = '', title }) => {
        const target = resolve(href);
        if (target === undefined) return { tagName: 'span', attribs: {} };
        const rel = /^[a-z]+:/i.test(target) ? { rel: 'nofollow ugc noopener' } : {};
        return { tagName: 'a', attribs: { href: target, ...rel, ...(title ? { title } : {}) } };
      },
      img: (_, { src = '', alt = '', ...more }) => {
        if (!/^https:\/\//i.test(src)) return { tagName: 'span', attribs: {}, text: alt };
        const sizes = Object.fromEntries(
          ['width', 'height'].flatMap((name) => {
            return /^\d{1,4}$/.test(more[name] ?? '') ? [[name, more[name] ?? '']] : [];
          }),
        );
        const quiet = { loading: 'lazy', referrerpolicy: 'no-referrer' };
        return { tagName: 'img', attribs: { src, alt, ...sizes, ...quiet } };
      },
      input: (_, { type, checked }) => {
        if (type !== 'checkbox') return { tagName: 'span', attribs: {} };
        const state = checked === undefined ? {} : { checked: '' };
        const label = checked === undefined ? 'To do' : 'Done';
        return {
          tagName: 'input',
          attribs: { type, ...state, disabled: '', 'aria-label': label },
        };
      },
    },
  });
}

/** Stands for the way to the root of the site, which differs between the pages that show a text. */
export const ROOT_MARK = '.~root~/';

interface LinkedFiles {
  /** The page of a file of the version, as a path of the site. */
  readonly pageOf: (file: string) => string | undefined;
  /** The page that lists the files. */
  readonly list: string;
  readonly hasFolder: (folder: string) => boolean;
}

/** Resolves links as they would work beside the text in its folder. */
export function linkResolver({ pageOf, list, hasFolder }: LinkedFiles): ResolveLink {
  return (href) => {
    const url = href.trim();
    if (/^(?:https?:\/\/[^/\s]|mailto:)/i.test(url)) return url;
    // Of another scheme, or of the host of this page.
    if (/^[a-z][a-z0-9+.-]*:/i.test(url) || /^[/\\]{2}/.test(url)) return undefined;
    const path = filePath(url.replace(/[?#].*$/s, ''));
    if (path === undefined) return undefined;
    if (path === '' || hasFolder(path)) return ROOT_MARK + list;
    const page = pageOf(path);
    return page === undefined ? undefined : ROOT_MARK + page;
  };
}

/** The path within the build; `undefined` for one that leads out of it. */
function filePath(url: string): string | undefined {
  const path = decoded(url);
  if (path === undefined) return undefined;
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join('/');
}

/** The headings of a rendered text: ids to link to, levels without gaps below those of the page, and the contents. */
const UNANCHORED = /[^\p{L}\p{M}\p{N}\p{Pc} -]/gu;

export interface Heading {
  readonly id: string;
  /** Plain text, not escaped. */
  readonly text: string;
  /** 1 for the outermost headings of the text. */
  readonly depth: number;
}

const HEADING = /<h([1-6])>([\s\S]*?)<\/h\1>/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
};
const MAX_HEADINGS = 500;

/**
 * @param prefix begins every id, so that no id of a publisher can be a name of the page
 * @param level of the outermost headings, 1 to 6
 */
export function placeHeadings(
  markup: string,
  prefix: string,
  level: number,
): { markup: string; headings: readonly Heading[] } {
  const headings: Heading[] = [];
  const used = new Map<string, number>();
  const open: number[] = [];
  const placed = markup.replace(HEADING, (_, own: string, inner: string) => {
    while ((open.at(-1) ?? 0) >= Number(own)) open.pop();
    open.push(Number(own));
    const depth = open.length;
    const text = inner
      .replace(/<[^>]*>/g, '')
      .replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? '')
      .trim();
    const tag = `h${Math.min(6, level - 1 + depth)}`;
    const id = uniqueId(prefix + anchorOf(text), used);
    if (headings.length < MAX_HEADINGS && text !== '') headings.push({ id, text, depth });
    return `<${tag} id="${escapeMarkup(id)}">${inner}</${tag}>`;
  });
  return { markup: placed, headings };
}

/** The anchor of a heading, as code hosts write it: `Rate limits & 429` is `rate-limits--429`. */
export function anchorOf(text: string): string {
  return text.toLowerCase().replace(UNANCHORED, '').replace(/ /g, '-');
}

function uniqueId(id: string, used: Map<string, number>): string {
  const count = used.get(id) ?? 0;
  used.set(id, count + 1);
  return count === 0 ? id : `${id}-${count}`;
}
