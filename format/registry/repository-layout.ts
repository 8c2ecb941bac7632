/**
 * Where the repository of a registry has its builds, and the signals about them. Paths become ids, and ids paths, here only.
 *
 *     flat      builds/<owner>/<name>/             signals/<owner>/<name>.json
 *     sharded   builds/<ab>/<cd>/<owner>/<name>/   with the first letters of SHA-256(owner) as hex; signals/ too
 *
 * git reads and writes every folder on the way to a file, so folders with many thousands of entries cost time in each
 * commit. In a larger repository all of it is below one folder, the root. The index does not depend on the layout.
 */
import { sha256Hex } from '../archive/integrity.ts';
import { isBuildId } from '../build/build-id.ts';

export const LAYOUTS = ['flat', 'sharded'] as const;
/** As the configuration has it. */
export interface Layout {
  readonly layout: (typeof LAYOUTS)[number];
  /** The folder of the registry, with "/" at its end; empty where that is the repository. */
  readonly root: string;
}

export const BUILDS_FOLDER = 'builds';
/** What happened to builds after publication: `<name>.json` counts, `<name>.matrix.json` was measured. */
export const SIGNALS_FOLDER = 'signals';
/** The folders that have a folder for each owner. */
export const OWNERS_FOLDERS = [BUILDS_FOLDER, SIGNALS_FOLDER] as const;
type OwnersFolder = (typeof OWNERS_FOLDERS)[number];
const SIGNALS_ENDINGS = { signals: '.json', matrix: '.matrix.json' } as const;
export type SignalsKind = keyof typeof SIGNALS_ENDINGS;
/** The configuration of a registry, at the top of its repository whatever its root is. */
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

/** The path below the root; `undefined` for one outside. */
export function pathInRoot(path: string, root: string): string | undefined {
  return path.startsWith(root) ? path.slice(root.length) : undefined;
}

/** The folder of an owner, such as `builds/alice` or `builds/2b/d8/alice`. */
export function ownerFolder(
  owner: string,
  layout: Layout,
  room: OwnersFolder = BUILDS_FOLDER,
): string {
  return `${layout.root}${[room, ...shardsOf(owner, layout), owner].join('/')}`;
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

/** The file with what happened to a build, or was measured. @param id `<owner>/<name>` */
export function signalsPath(id: string, kind: SignalsKind, layout: Layout): string {
  const [owner = '', ...rest] = id.split('/');
  return `${[ownerFolder(owner, layout, SIGNALS_FOLDER), ...rest].join('/')}${SIGNALS_ENDINGS[kind]}`;
}

/**
 * The build that a file below the folder of signals is about, wherever the file is; `undefined` for a file that no registry reads.
 * It counts only where `signalsPath` of the answer has it.
 */
export function signalsFileAt(
  path: string,
  root = '',
): { readonly id: string; readonly kind: SignalsKind } | undefined {
  const [, stem = '', matrix] =
    /^signals\/(?:[0-9a-f]{2}\/[0-9a-f]{2}\/)?([^/]+\/[^/]+?)(\.matrix)?\.json$/.exec(
      pathInRoot(path, root) ?? '',
    ) ?? [];
  if (!isBuildId(stem)) return undefined;
  return { id: stem, kind: matrix === undefined ? 'signals' : 'matrix' };
}

/** What is at `path`, which may be hostile. @param room the folder with a folder for each owner */
export function placeAt(
  path: string,
  layout: Layout,
  room: OwnersFolder = BUILDS_FOLDER,
): RepositoryPlace {
  const [first, ...segments] = pathInRoot(path, layout.root)?.split('/') ?? [];
  if (first !== room) return { kind: 'outside' };
  const depth = layout.layout === 'sharded' ? 2 : 0;
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
    const value = JSON.parse(text) as { layout?: unknown; root?: unknown } | null;
    const { layout, root } = value ?? {};
    return {
      layout: LAYOUTS.find((one) => one === layout) ?? 'flat',
      root: typeof root === 'string' && ROOT.test(root) ? root : '',
    };
  } catch {
    return FLAT;
  }
}

/** Of a repository that is a registry, and of one without a configuration. */
export const FLAT: Layout = { layout: 'flat', root: '' };
/** What `root` may be: no segment begins with a dot. */
export const ROOT = /^(?:\w[\w.-]{0,99}\/){0,9}$/;

function shardsOf(owner: string, layout: Layout): readonly string[] {
  if (layout.layout === 'flat') return [];
  const hex = digestOf(owner);
  return [hex.slice(0, 2), hex.slice(2, 4)];
}

function digestOf(owner: string): string {
  return sha256Hex(new TextEncoder().encode(owner));
}
