/** Where the links of a publisher's text lead: to pages of the same version, to the web, or nowhere. */
import type { ResolveLink } from './clean-markup.ts';

/** Stands for the way to the root of the site, which differs between the pages that show a text. */
export const ROOT_MARK = '.~root~/';

export interface LinkedFiles {
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
  let path: string;
  try {
    path = decodeURIComponent(url);
  } catch {
    return undefined;
  }
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join('/');
}
