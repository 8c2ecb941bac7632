/**
 * Where the repository of a registry has its builds. Paths become ids, and ids paths, here only.
 *
 *     flat      builds/<owner>/<name>/
 *     sharded   builds/<ab>/<cd>/<owner>/<name>/   with the first letters of SHA-256(owner) as hex
 *
 * git reads and writes every folder on the way to a file, so folders with many thousands of entries cost time in each
 * commit. The index does not depend on the layout.
 */
import { sha256Hex } from '../archive/integrity.ts';

export const LAYOUTS = ['flat', 'sharded'] as const;
export type Layout = (typeof LAYOUTS)[number];

export const BUILDS_FOLDER = 'builds';
/** The configuration of a registry, at the root of its repository. */
export const CONFIG_FILE = 'registry.config.json';
const OWNER_FILE = 'owner.json';
const SHARD = /^[0-9a-f]{2}$/;

/** What is at a path of a repository. */
type RepositoryPlace =
  /** Not below the folder of builds. */
  | { readonly kind: 'outside' }
  /** The folder of builds, or a folder of shards. */
  | { readonly kind: 'above' }
  | { readonly kind: 'owner'; readonly owner: string }
  | { readonly kind: 'owner-file'; readonly owner: string }
  /** `file` is the path in the build; `""` for the build folder itself. */
  | {
      readonly kind: 'build';
      readonly owner: string;
      readonly name: string;
      readonly file: string;
    }
  /** In another place than the layout has for this owner. */
  | { readonly kind: 'misplaced'; readonly owner: string };

/** The first byte of SHA-256(owner) as hex: spreads owners over 256 places. */
export function ownerHash(owner: string): string {
  return digestOf(owner).slice(0, 2);
}

/** The folder of an owner, such as `builds/alice` or `builds/2b/d8/alice`. */
export function ownerFolder(owner: string, layout: Layout): string {
  return [BUILDS_FOLDER, ...shardsOf(owner, layout), owner].join('/');
}

/** The folder of a build. @param id `<owner>/<name>` */
export function buildFolder(id: string, layout: Layout): string {
  const [owner = '', ...rest] = id.split('/');
  return [ownerFolder(owner, layout), ...rest].join('/');
}

/** The path of an owner's file. */
export function ownerFilePath(owner: string, layout: Layout): string {
  return `${ownerFolder(owner, layout)}/${OWNER_FILE}`;
}

/** What is at `path`, which may be hostile. */
export function placeAt(path: string, layout: Layout): RepositoryPlace {
  const [room, ...segments] = path.split('/');
  if (room !== BUILDS_FOLDER) return { kind: 'outside' };
  const depth = layout === 'sharded' ? 2 : 0;
  const shards = segments.slice(0, depth);
  const bad = shards.findIndex((shard) => !SHARD.test(shard));
  if (bad >= 0) return { kind: 'misplaced', owner: segments[bad] ?? '' };
  if (segments.length <= depth) return { kind: 'above' };
  const [owner = '', name, ...rest] = segments.slice(depth);
  if (shardsOf(owner, layout).join('/') !== shards.join('/')) return { kind: 'misplaced', owner };
  if (name === undefined) return { kind: 'owner', owner };
  if (name === OWNER_FILE && rest.length === 0) return { kind: 'owner-file', owner };
  return { kind: 'build', owner, name, file: rest.join('/') };
}

/** The layout that the text of a `registry.config.json` names; a file that cannot be read names none. */
export function layoutIn(config: Uint8Array | string): Layout {
  try {
    const text = typeof config === 'string' ? config : new TextDecoder().decode(config);
    const value = JSON.parse(text) as { layout?: unknown } | null;
    return LAYOUTS.find((layout) => layout === value?.layout) ?? 'flat';
  } catch {
    return 'flat';
  }
}

function shardsOf(owner: string, layout: Layout): readonly string[] {
  if (layout === 'flat') return [];
  const hex = digestOf(owner);
  return [hex.slice(0, 2), hex.slice(2, 4)];
}

function digestOf(owner: string): string {
  return sha256Hex(new TextEncoder().encode(owner));
}
