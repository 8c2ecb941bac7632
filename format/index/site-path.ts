/**
 * Every path of the web site of a registry, built and parsed. Paths are relative to the index, without a leading `/`.
 * Pages lie beside the documents that they show; each `index.html` has a twin `index.md`.
 *
 *     builds/alice/web/index.html                     the build: its latest version, with a list of all
 *     tags/~40types~2Fnode/index.html, owners/alice/index.html, advisories/x_STACKYARD-2026-0001/index.html
 *
 * Every version is shown by the source page: `sourceAddress`.
 */
import { isBuildName, isOwner } from '../build/build-id.ts';
import { ADVISORIES_FOLDER, isAdvisoryId } from '../advisory/advisory.ts';

/** The pages that every site has once; each has a twin, except the source page. */
export const SITE_SECTIONS = [
  'search',
  'source',
  'findings',
  'publish',
  'verify',
  'tags',
  'advisories',
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
  'renovate.json',
  'opensearch.xml',
  'sitemap.xml',
  'registry.css',
] as const;
type SiteRootFile = (typeof SITE_ROOT_FILES)[number];

export const SITE_HOME: SiteRootFile = 'index.html';
/** What every page shows of the registry's settings. */
export const REGISTRY_STYLE: SiteRootFile = 'registry.css';

/** What a path of the site holds. */
export type SitePath =
  | { readonly kind: 'root'; readonly name: SiteRootFile }
  | { readonly kind: 'section'; readonly section: SiteSection }
  | { readonly kind: 'asset'; readonly name: string }
  | { readonly kind: 'sitemap'; readonly hash: string }
  /** Of an earlier version of this software: a full run removes it. */
  | { readonly kind: 'former' }
  | { readonly kind: 'build'; readonly id: string }
  | { readonly kind: 'owner'; readonly owner: string }
  | { readonly kind: 'advisory'; readonly id: string }
  | { readonly kind: 'tag'; readonly name: string };

/** A name of a file on disk has at most 255 bytes: what becomes longer has no page. */
const MAX_SEGMENT = 240;
const PAGES = ['index.html', 'index.md'];
/** Pictures of publishers have names of their own. */
const SCREENSHOTS = ['screenshot.png', 'screenshot.webp'];
const BUILD_FILES = [...PAGES, 'feed.xml', 'badge.svg', ...SCREENSHOTS];
const OWNER_FILES = [...PAGES, 'feed.xml'];
const HASHED = /-[0-9a-f]{16}\.[a-z0-9]+$/;
const ASSET = /^[a-z][a-z0-9-]*-[0-9a-f]{16}\.(?:css|js|woff2|svg|png)$/;
/** A segment that is written as it is. */
const PLAIN = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/;
const OWNER_HASH = /^[0-9a-f]{2}$/;
const FORMER =
  /^(?:backstage(?:\/[0-9a-f]{2})?\.yaml|builds\/[^/]+\/[^/]+\/image\.png|search\/data\/[A-Za-z0-9_-][A-Za-z0-9._-]*|run\/index\.(?:html|md))$/;

/** The folder of a build's pages, with `/` at its end, as of all functions that are called `...Folder`. */
export function buildFolder(id: string): string {
  return `builds/${id}/`;
}

export function ownerFolder(owner: string): string {
  return `owners/${owner}/`;
}

/** The folder of the page of a stack tag; `undefined` when its name is too long for one. */
export function tagFolder(name: string): string | undefined {
  const segment = encodeSegment(name);
  return segment === '' || segment.length > MAX_SEGMENT ? undefined : `tags/${segment}/`;
}

export function advisoryFolder(id: string): string {
  return `${ADVISORIES_FOLDER}/${id}/`;
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
  return path.startsWith('assets/') && HASHED.test(path);
}

/**
 * The inverse of the functions above; `undefined` for a path that is not part of the site.
 * @param segments of the path, where they are known
 */
export function parseSitePath(
  path: string,
  segments: readonly string[] = path.split('/'),
): SitePath | undefined {
  const [room = '', first = '', second = '', third = ''] = segments;
  if (FORMER.test(path)) return { kind: 'former' };
  if (segments.length === 1) {
    const root = SITE_ROOT_FILES.find((name) => name === path);
    return root === undefined ? undefined : { kind: 'root', name: root };
  }
  if (room === 'builds') {
    const isPage = segments.length === 4 && BUILD_FILES.includes(third);
    return isPage && isOwner(first) && isBuildName(second)
      ? { kind: 'build', id: `${first}/${second}` }
      : undefined;
  }
  if (segments.length === 2) {
    const section = SITE_SECTIONS.find((name) => name === room);
    if (section !== undefined && PAGES.includes(first)) return { kind: 'section', section };
    if (room === 'assets' && ASSET.test(first)) return { kind: 'asset', name: first };
    const hash = first.slice(0, 2);
    const isSitemap = OWNER_HASH.test(hash) && path === sitemapPath(hash);
    return isSitemap ? { kind: 'sitemap', hash } : undefined;
  }
  if (segments.length !== 3) return undefined;
  if (room === 'owners' && isOwner(first) && OWNER_FILES.includes(second)) {
    return { kind: 'owner', owner: first };
  }
  if (!PAGES.includes(second)) return undefined;
  if (room === ADVISORIES_FOLDER) {
    return isAdvisoryId(first) ? { kind: 'advisory', id: first } : undefined;
  }
  const name = room === 'tags' ? decodeSegment(first) : undefined;
  return name === undefined || name === '' ? undefined : { kind: 'tag', name };
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
    encoded += isPlain ? character : `~${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

/** `undefined` for what `encodeSegment` does not write. */
function decodeSegment(segment: string): string | undefined {
  if (PLAIN.test(segment)) return segment;
  const bytes: number[] = [];
  for (const match of segment.matchAll(/~([0-9A-F]{2})|([A-Za-z0-9_.-])/g)) {
    bytes.push(match[1] === undefined ? match[0].charCodeAt(0) : Number.parseInt(match[1], 16));
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array(bytes));
  return encodeSegment(text) === segment ? text : undefined;
}
