/** Links, images, scripts and forms of pages that lead to nothing in their index. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { headPath, tarballPath } from '../../format/index/layout.ts';
import { parseSourceAddress, type SourceView } from '../../generator/site/source-address.ts';
import { read } from './site-fixture.ts';

/** @param pages paths of the index; the 404 page is left out, because its links begin at the root of a host */
export function brokenLinks(out: string, pages: readonly string[]): string[] {
  const ids = new Map<string, ReadonlySet<string>>();
  const isFile = new Map<string, boolean>();
  const idsOf = (path: string): ReadonlySet<string> => {
    const known =
      ids.get(path) ??
      new Set([...read(out, path).matchAll(/\sid="([^"]+)"/g)].map((m) => m[1] ?? ''));
    ids.set(path, known);
    return known;
  };
  const exists = (file: string): boolean => {
    const known = isFile.get(file) ?? existsSync(join(out, file));
    isFile.set(file, known);
    return known;
  };
  /** The source page draws it from the tarball and the head. */
  const hasSource = ({ id, version, against = version }: SourceView): boolean =>
    [version, against].every((one) => exists(tarballPath(id, one))) && exists(headPath(id));
  return pages
    .filter((path) => path !== '404.html')
    .flatMap((page) => {
      const hrefs = [...read(out, page).matchAll(/(?:href|src|action)="([^"]*)"/g)];
      return hrefs.flatMap(([, href = '']) => {
        if (/^(?:https?|mailto):/.test(href)) return [];
        const url = new URL(href.replaceAll('&amp;', '&'), `file:///${page}`);
        const path = decodeURIComponent(url.pathname).slice(1);
        const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
        const source = path === 'source/' ? parseSourceAddress(url.search, url.hash) : undefined;
        const anchor = source === undefined ? decodeURIComponent(url.hash.slice(1)) : '';
        const isThere =
          exists(file) &&
          (anchor === '' || idsOf(file).has(anchor)) &&
          (source === undefined || hasSource(source));
        return isThere ? [] : [`${page}: ${href}`];
      });
    });
}
