/**
 * The allow list for what publishers write. Markdown may hold any HTML: nothing that runs, frames, submits or styles
 * stays, and no `id`, which could replace a name that scripts look up.
 */
import sanitize from 'sanitize-html';

/** Decides about the target of a link; `undefined` leaves the text without a link. */
export type ResolveLink = (href: string) => string | undefined;

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
