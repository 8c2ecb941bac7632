/** Links between pages: relative, so that a site works at any address. */
import { urlPath } from '../../format/index/layout.ts';
import { html, type Html } from './html.ts';

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
