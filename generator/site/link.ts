/** Links between pages, which are relative, so that a site works at any address. */
import { urlPath } from '../../format/index/layout.ts';

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
