/** Every path of the static interface, built and parsed. Paths are relative to the index, without a leading `/`. */
import { ADVISORIES_FOLDER, isAdvisoryId } from '../advisory/advisory.ts';
import { isBuildName, isOwner } from '../build/build-id.ts';
import { FORMER_ENDINGS, isVersion } from '../version/version.ts';
import { parseLogPath, type LogPath } from '../log/tile.ts';
import { isHashed, parseSitePath, type SitePath } from './site-path.ts';
import { SHADCN_FOLDER, type ShadcnPath, parseShadcnPath } from './shadcn-path.ts';

export const REGISTRY_PATH = 'registry.json';
export const CATALOG_PATH = 'catalog.json';
export const HEADERS_PATH = '_headers';
/** The transparency log: the prefix of its checkpoint, tiles and entry bundles. */
export const LOG_FOLDER = 'log';
export const CHECKPOINT_PATH = `${LOG_FOLDER}/checkpoint`;
/** The client as an npm package; the same bytes are at `clientPath(version)`. */
export const CLIENT_PATH = 'client/stackyard.tgz';

/** In the folder of an index: files of earlier states that readers may still need, at the paths that they had. */
export const RETIRED_FOLDER = '.retired';

export const ADVISORIES_PATH = `${ADVISORIES_FOLDER}/all.json`;

/** The documents that have a JSON Schema under `/schema/`. */
export const SCHEMA_NAMES = [
  'advisories',
  'advisory',
  'catalog',
  'catalog-shard',
  'compatibility',
  'flag',
  'head',
  'head-older',
  'lock',
  'manifest',
  'matrix',
  'moderation',
  'owner',
  'owner-file',
  'record',
  'registry',
  'registry-config',
  'report',
  'signals',
  'version',
  'waivers',
] as const;
export type SchemaName = (typeof SCHEMA_NAMES)[number];

const COMPATIBILITY_NAME = 'compatibility';
const WAIVERS_NAME = 'waivers';

/** The package record of the latest version. */
export function recordPath(id: string): string {
  return `builds/${id}.json`;
}

/** The document of `version`: what is fixed with its publication. */
export function versionPath(id: string, version: string): string {
  return `builds/${id}/${version}.json`;
}

/** The tarball of `version`; its bytes never change. */
export function tarballPath(id: string, version: string): string {
  return `builds/${id}/${version}.tgz`;
}

/** What was measured about the ranges of a build. `compatibility` is no version, so paths stay distinct. */
export function compatibilityPath(id: string): string {
  return `builds/${id}/${COMPATIBILITY_NAME}.json`;
}

/** The findings of a build that an admin accepted. `waivers` is no version either. */
export function waiversPath(id: string): string {
  return `builds/${id}/${WAIVERS_NAME}.json`;
}

export function headPath(id: string): string {
  return `heads/${id}.json`;
}

export function ownerPath(owner: string): string {
  return `owners/${owner}.json`;
}

/** One advisory, in the OSV schema. */
export function advisoryPath(id: string): string {
  return `${ADVISORIES_FOLDER}/${id}.json`;
}

/** @param sha256 digest of the shard's bytes, lower-case hexadecimal */
export function shardPath(sha256: string): string {
  return `catalog/${sha256}.json`;
}

/**
 * A document that a client acts on, as one state of the registry has it. @param sha256 digest of its bytes, lower-case
 * hexadecimal, as the map of the log or another such document names it
 */
export function documentPath(sha256: string): string {
  return `documents/${sha256}.json`;
}

/**
 * The last entry of a signed log, which names the root of the map. @param root of the checkpoint over it, lower-case
 * hexadecimal
 */
export function mapEntryPath(root: string): string {
  return `${LOG_FOLDER}/map-entries/${root}`;
}

/** A file of the map, root or leaf. @param sha256 digest of its bytes, lower-case hexadecimal */
export function mapFilePath(sha256: string): string {
  return `${LOG_FOLDER}/map/${sha256}`;
}

/** Whether the map has the digest of a document. Heads have those of the other documents about builds, the catalog those of its shards. */
export function isMapped({ kind }: IndexPath): boolean {
  return MAPPED.has(kind);
}

const MAPPED: ReadonlySet<IndexPath['kind']> = new Set([
  'registry',
  'catalog',
  'head',
  'owner',
  'advisory',
  'advisories',
  'client',
]);

export function schemaPath(name: SchemaName): string {
  return `schema/${name}.schema.json`;
}

/** The client of this version. Between two releases its bytes may change. */
export function clientPath(version: string): string {
  return `client/stackyard-${version}.tgz`;
}

/** The document that a path of the index holds. */
export type IndexPath =
  | { readonly kind: 'registry' | 'catalog' | 'headers' | 'advisories' }
  | { readonly kind: 'record' | 'head' | 'compatibility' | 'waivers'; readonly id: string }
  | {
      /** `former`: of indexes with interface 1. */
      readonly kind: 'version' | 'tarball' | 'former';
      readonly id: string;
      readonly version: string;
    }
  | { readonly kind: 'owner'; readonly owner: string }
  | { readonly kind: 'advisory'; readonly id: string }
  | { readonly kind: NamedKind; readonly sha256: string }
  | { readonly kind: 'client'; readonly version?: string }
  | { readonly kind: 'schema'; readonly name: SchemaName }
  | { readonly kind: 'log'; readonly path: LogPath }
  | { readonly kind: 'page'; readonly page: SitePath }
  | ShadcnPath;

/** What has a digest for its name. */
type NamedKind = 'shard' | 'document' | 'map-file' | 'map-entry';

/** By the path without the digest. */
const NAMED_KINDS: Readonly<Record<string, NamedKind | undefined>> = {
  __proto__: null,
  'catalog/.json': 'shard',
  'documents/.json': 'document',
  [`${LOG_FOLDER}/map/`]: 'map-file',
  [`${LOG_FOLDER}/map-entries/`]: 'map-entry',
} as never;

/** The inverse of the functions above; `undefined` for a path that the interface does not have. */
export function parseIndexPath(path: string): IndexPath | undefined {
  const segments = path.split('/');
  const page = parseSitePath(path, segments);
  return page === undefined ? parseDocumentPath(path, segments) : { kind: 'page', page };
}

function parseDocumentPath(path: string, segments: readonly string[]): IndexPath | undefined {
  const fixed = FIXED_PATHS[path];
  if (fixed !== undefined) return { kind: fixed };
  const [room = '', first = '', second = '', third = ''] = segments;
  const stem = stemOf(segments.at(-1) ?? '', '.json');
  if (path === CLIENT_PATH) return { kind: 'client' };
  if (room === SHADCN_FOLDER) return parseShadcnPath(path);
  const [, folder = '', sha256 = '', ending = ''] = /^(.*\/)([0-9a-f]{64})(.*)$/.exec(path) ?? [];
  const named = NAMED_KINDS[`${folder}${ending}`];
  if (named !== undefined) return { kind: named, sha256 };
  if (room === LOG_FOLDER) {
    const inLog = parseLogPath(path.slice(LOG_FOLDER.length + 1));
    return inLog === undefined ? undefined : { kind: 'log', path: inLog };
  }
  if (segments.length === 2) {
    if (room === 'client') return parseClientFile(first);
    if (stem === undefined) return undefined;
    if (room === 'owners') return isOwner(stem) ? { kind: 'owner', owner: stem } : undefined;
    if (room === ADVISORIES_FOLDER) {
      return isAdvisoryId(stem) ? { kind: 'advisory', id: stem } : undefined;
    }
    const name = SCHEMA_NAMES.find((n) => room === 'schema' && first === `${n}.schema.json`);
    return name === undefined ? undefined : { kind: 'schema', name };
  }
  if (segments.length === 3 && stem !== undefined) {
    if (!isOwner(first) || !isBuildName(stem)) return undefined;
    const id = `${first}/${stem}`;
    if (room === 'builds') return { kind: 'record', id };
    return room === 'heads' ? { kind: 'head', id } : undefined;
  }
  if (segments.length !== 4 || room !== 'builds') return undefined;
  if (!isOwner(first) || !isBuildName(second)) return undefined;
  const id = `${first}/${second}`;
  if (stem === COMPATIBILITY_NAME) return { kind: 'compatibility', id };
  if (stem === WAIVERS_NAME) return { kind: 'waivers', id };
  const tarball = stemOf(third, '.tgz');
  const former = FORMER_ENDINGS.map((ending) => stemOf(stem ?? '', ending)).find(Boolean);
  const version = tarball ?? former ?? stem;
  if (version === undefined || !isVersion(version)) return undefined;
  if (former !== undefined) return { kind: 'former', id, version };
  return { kind: tarball === undefined ? 'version' : 'tarball', id, version };
}

function parseClientFile(name: string): IndexPath | undefined {
  const version = stemOf(name, '.tgz')?.replace(/^stackyard-/, '');
  if (version === undefined || !isVersion(version)) return undefined;
  return clientPath(version) === `client/${name}` ? { kind: 'client', version } : undefined;
}

/**
 * The `Cache-Control` header of a path, the same on every host of the index.
 * @param parsed what the path holds, where that is known
 */
export function cacheControl(path: string, parsed = parseIndexPath(path)): string {
  if (path === CHECKPOINT_PATH) return 'public, max-age=5';
  if ((parsed !== undefined && IMMUTABLE.has(parsed.kind)) || isHashed(path)) {
    return 'public, max-age=31536000, immutable';
  }
  if (parsed?.kind === 'schema') return 'public, max-age=86400';
  return 'public, max-age=60, s-maxage=60';
}

const IMMUTABLE: ReadonlySet<IndexPath['kind']> = new Set([
  'tarball',
  'shard',
  'document',
  'log',
  'map-file',
  'map-entry',
  'shadcn-version',
]);

/**
 * When a file is written, whoever writes an index: first what has a digest or a version for its name, then aliases and
 * pages, then the checkpoint, by which alone a client finds the state that it reads.
 */
export function writingOrder(path: string, parsed = parseIndexPath(path)): 0 | 1 | 2 {
  if (path === CHECKPOINT_PATH) return 2;
  return cacheControl(path, parsed).endsWith('immutable') ? 0 : 1;
}

/** The path as part of a URL: each segment percent-encoded. */
export function urlPath(path: string): string {
  return PLAIN_URL.test(path) ? path : path.split('/').map(encodeURIComponent).join('/');
}

/** What `encodeURIComponent` leaves as it is, and slashes. */
const PLAIN_URL = /^[\w.!~*'()/-]*$/;

type FixedKind = 'registry' | 'catalog' | 'headers' | 'advisories';

const FIXED_PATHS: Record<string, FixedKind | undefined> = {
  __proto__: null,
  [REGISTRY_PATH]: 'registry',
  [CATALOG_PATH]: 'catalog',
  [ADVISORIES_PATH]: 'advisories',
  [HEADERS_PATH]: 'headers',
} as never;

function stemOf(name: string, ending: string): string | undefined {
  return name.endsWith(ending) ? name.slice(0, -ending.length) : undefined;
}
