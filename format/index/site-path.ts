/**
 * Every path of the web site of a registry, built and parsed. Paths are relative to the index, without a leading `/`.
 * Pages lie beside the documents that they show; each `index.html` has a twin `index.md`.
 *
 *     builds/alice/web/index.html                     the build
 *     builds/alice/web/1.0.0/index.html               one version
 *     builds/alice/web/1.0.0/file/src/~2Bpage.ts.html a file of it; its text is raw/src/~2Bpage.ts.txt
 *     tags/express/index.html, keywords/rest~20api/index.html, owners/alice/index.html
 */
import { isBuildName, isOwner } from '../build/build-id.ts';
import { isVersion } from '../version/semver-range.ts';
import { upperCase } from '../unicode.ts';

/** The pages that every site has once; each has a twin, except the source page. */
export const SITE_SECTIONS = [
  'search',
  'source',
  'findings',
  'publish',
  'run',
  'verify',
  'tags',
  'keywords',
] as const;
export type SiteSection = (typeof SITE_SECTIONS)[number];

/** Files at the root of the site. */
export const SITE_ROOT_FILES = [
  'index.html',
  'index.md',
  '404.html',
  'robots.txt',
  'llms.txt',
  'feed.xml',
  'advisories.xml',
  'opensearch.xml',
  'sitemap.xml',
] as const;
export type SiteRootFile = (typeof SITE_ROOT_FILES)[number];

export const SITE_HOME: SiteRootFile = 'index.html';

/** What a path of the site holds. */
export type SitePath =
  | { readonly kind: 'root'; readonly name: SiteRootFile }
  | { readonly kind: 'section'; readonly section: SiteSection }
  | { readonly kind: 'asset'; readonly name: string }
  | { readonly kind: 'search-data'; readonly name: string }
  | { readonly kind: 'sitemap'; readonly hash: string }
  | { readonly kind: 'build'; readonly id: string }
  | { readonly kind: 'version' | 'source'; readonly id: string; readonly version: string }
  | { readonly kind: 'owner'; readonly owner: string }
  | { readonly kind: 'tag' | 'keyword'; readonly name: string };

/** A name of a file on disk has at most 255 bytes: what becomes longer has no page. */
const MAX_SEGMENT = 240;
const PAGES = ['index.html', 'index.md'];
const BUILD_FILES = [...PAGES, 'feed.xml', 'badge.svg', 'image.png'];
const OWNER_FILES = [...PAGES, 'feed.xml'];
const HASHED = /-[0-9a-f]{16}\.[a-z0-9]+$/;
const ASSET = /^[a-z][a-z0-9-]*-[0-9a-f]{16}\.(?:css|js|woff2|svg)$/;
const DATA = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
/** A segment that is written as it is. */
const PLAIN = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/;
const OWNER_HASH = /^[0-9a-f]{2}$/;

/** The folder of a build's pages, with `/` at its end, as of all functions that are called `...Folder`. */
export function buildFolder(id: string): string {
  return `builds/${id}/`;
}

export function versionFolder(id: string, version: string): string {
  return `builds/${id}/${version}/`;
}

export function ownerFolder(owner: string): string {
  return `owners/${owner}/`;
}

/** The folder of the page of a tag or a keyword; `undefined` when its name is too long for one. */
export function labelFolder(kind: 'tag' | 'keyword', name: string): string | undefined {
  const segment = encodeSegment(name);
  return segment === '' || segment.length > MAX_SEGMENT ? undefined : `${kind}s/${segment}/`;
}

/** The page of a file of a version; `undefined` when its path is too long for one. */
export function filePagePath(id: string, version: string, file: string): string | undefined {
  const path = encodePath(file);
  return path === undefined ? undefined : `${versionFolder(id, version)}file/${path}.html`;
}

/** The text of a file of a version, which every host serves as plain text. */
export function rawPath(id: string, version: string, file: string): string | undefined {
  const path = encodePath(file);
  return path === undefined ? undefined : `${versionFolder(id, version)}raw/${path}.txt`;
}

/** @param hash `ownerHash()` of the owners whose builds it lists */
export function sitemapPath(hash: string): string {
  return `sitemap/${hash}.xml`;
}

/** @param sha256 digest of the file, lower-case hexadecimal */
export function assetPath(name: string, sha256: string, ending: string): string {
  return `assets/${name}-${sha256.slice(0, 16)}.${ending}`;
}

/** Whether the bytes of a file of the site never change: its name has their digest. */
export function isHashed(path: string): boolean {
  return /^(?:assets|search\/data)\//.test(path) && HASHED.test(path);
}

/**
 * The inverse of the functions above; `undefined` for a path that is no part of the site.
 * @param segments of the path, where they are known
 */
export function parseSitePath(
  path: string,
  segments: readonly string[] = path.split('/'),
): SitePath | undefined {
  const [room = '', first = '', second = ''] = segments;
  if (segments.length === 1) {
    const root = SITE_ROOT_FILES.find((name) => name === path);
    return root === undefined ? undefined : { kind: 'root', name: root };
  }
  if (room === 'builds') return parseBuildPath(segments);
  if (segments.length === 2) {
    const section = SITE_SECTIONS.find((name) => name === room);
    if (section !== undefined && PAGES.includes(first)) return { kind: 'section', section };
    if (room === 'assets' && ASSET.test(first)) return { kind: 'asset', name: first };
    const hash = first.replace(/\.xml$/, '');
    if (room !== 'sitemap' || first === hash || !OWNER_HASH.test(hash)) return undefined;
    return { kind: 'sitemap', hash };
  }
  if (segments.length !== 3) return undefined;
  if (room === 'search' && first === 'data' && DATA.test(second)) {
    return { kind: 'search-data', name: second };
  }
  if (room === 'owners' && isOwner(first) && OWNER_FILES.includes(second)) {
    return { kind: 'owner', owner: first };
  }
  const kind = room === 'tags' ? 'tag' : room === 'keywords' ? 'keyword' : undefined;
  const name = decodeSegment(first);
  const isPage = kind !== undefined && name !== undefined && PAGES.includes(second);
  return isPage ? { kind, name } : undefined;
}

function parseBuildPath(segments: readonly string[]): SitePath | undefined {
  const [, owner = '', name = '', first = '', second = '', third = ''] = segments;
  // A document has another form; most paths are those of documents.
  const isDocument = segments.length === 4 && !BUILD_FILES.includes(first);
  if (segments.length < 4 || isDocument) return undefined;
  if (!isOwner(owner) || !isBuildName(name)) return undefined;
  const id = `${owner}/${name}`;
  if (segments.length === 4) return { kind: 'build', id };
  const version = first;
  if (!isVersion(version)) return undefined;
  if (segments.length === 5) {
    return PAGES.includes(second) ? { kind: 'version', id, version } : undefined;
  }
  const isIndex = segments.length === 6 && third === 'index.html';
  if (isIndex && second === 'diff') return { kind: 'version', id, version };
  if (isIndex && second === 'files') return { kind: 'source', id, version };
  const ending = second === 'file' ? '.html' : second === 'raw' ? '.txt' : undefined;
  const last = segments.at(-1) ?? '';
  if (ending === undefined || !last.endsWith(ending) || last === ending) return undefined;
  const inside = [...segments.slice(5, -1), last.slice(0, -ending.length)];
  const isFile = inside.every((segment) => (decodeSegment(segment) ?? '') !== '');
  return isFile ? { kind: 'source', id, version } : undefined;
}

function encodePath(file: string): string | undefined {
  const segments = file.split('/').map(encodeSegment);
  return segments.some((s) => s.length > MAX_SEGMENT) ? undefined : segments.join('/');
}

/**
 * `text` as the name of a file that every file system and host takes and that a URL holds as it is: bytes outside of
 * `A-Z a-z 0-9 - _ .`, and a first `.`, are `~` and two hexadecimal digits. Hosts do not serve names that begin with a dot.
 */
function encodeSegment(text: string): string {
  if (PLAIN.test(text)) return text;
  let encoded = '';
  for (const byte of new TextEncoder().encode(text)) {
    const character = String.fromCharCode(byte);
    const isPlain = /[A-Za-z0-9_-]/.test(character) || (character === '.' && encoded !== '');
    encoded += isPlain ? character : `~${upperCase(byte.toString(16)).padStart(2, '0')}`;
  }
  return encoded;
}

/** `undefined` for what `encodeSegment` does not write. */
export function decodeSegment(segment: string): string | undefined {
  if (PLAIN.test(segment)) return segment;
  const bytes: number[] = [];
  for (const match of segment.matchAll(/~([0-9A-F]{2})|([A-Za-z0-9_.-])/g)) {
    bytes.push(match[1] === undefined ? match[0].charCodeAt(0) : Number.parseInt(match[1], 16));
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array(bytes));
  return encodeSegment(text) === segment ? text : undefined;
}
