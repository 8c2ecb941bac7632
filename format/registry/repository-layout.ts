/**
 * Where the repository of a registry has its builds, and the signals about them. Paths become ids, and ids paths, here only.
 *
 *     builds/<owner>/<name>/   signals/<owner>/<name>.json
 *
 * In a larger repository all of it is below one folder, the root. The index does not depend on it.
 */
import { sha256Hex } from '../archive/integrity.ts';
import { isBuildId } from '../build/build-id.ts';

/** As the configuration has it. */
export interface Layout {
  /** The folder of the registry, with "/" at its end; empty where that is the repository. */
  readonly root: string;
}

export const BUILDS_FOLDER = 'builds';
/** What happened to builds after publication: `<name>.json` counts, `<name>.matrix.json` was measured. */
export const SIGNALS_FOLDER = 'signals';
const SIGNALS_ENDINGS = { signals: '.json', matrix: '.matrix.json' } as const;
export type SignalsKind = keyof typeof SIGNALS_ENDINGS;
/** The configuration of a registry, at the top of its repository whatever its root is. */
export const CONFIG_FILE = 'registry.config.json';
const OWNER_FILE = 'owner.json';

/** What is at a path of a repository. */
type RepositoryPlace =
  /** Not below the folder of builds. */
  | { readonly kind: 'outside' }
  /** The folder of builds. */
  | { readonly kind: 'above' }
  | { readonly kind: 'owner'; readonly owner: string }
  | { readonly kind: 'owner-file'; readonly owner: string }
  /** `file` is the path in the build; `""` for the build folder itself. */
  | {
      readonly kind: 'build';
      readonly owner: string;
      readonly name: string;
      readonly file: string;
    };

/** The first byte of SHA-256(owner) as hex: spreads owners over 256 places. */
export function ownerHash(owner: string): string {
  return sha256Hex(new TextEncoder().encode(owner)).slice(0, 2);
}

/** The path below the root; `undefined` for one outside. */
export function pathInRoot(path: string, root: string): string | undefined {
  return path.startsWith(root) ? path.slice(root.length) : undefined;
}

/** The folder of an owner, such as `builds/alice`. */
export function ownerFolder(owner: string, layout: Layout): string {
  return `${layout.root}${BUILDS_FOLDER}/${owner}`;
}

/** The folder of a build. @param id `<owner>/<name>` */
export function buildFolder(id: string, layout: Layout): string {
  return `${layout.root}${BUILDS_FOLDER}/${id}`;
}

/** The path of an owner's file. */
export function ownerFilePath(owner: string, layout: Layout): string {
  return `${ownerFolder(owner, layout)}/${OWNER_FILE}`;
}

/** The file with what happened to a build, or was measured. @param id `<owner>/<name>` */
export function signalsPath(id: string, kind: SignalsKind, layout: Layout): string {
  return `${layout.root}${SIGNALS_FOLDER}/${id}${SIGNALS_ENDINGS[kind]}`;
}

/**
 * The build that a file below the folder of signals is about; `undefined` for a file that no registry reads.
 */
export function signalsFileAt(
  path: string,
  root = '',
): { readonly id: string; readonly kind: SignalsKind } | undefined {
  const [, stem = '', matrix] =
    /^signals\/([^/]+\/[^/]+?)(\.matrix)?\.json$/.exec(pathInRoot(path, root) ?? '') ?? [];
  if (!isBuildId(stem)) return undefined;
  return { id: stem, kind: matrix === undefined ? 'signals' : 'matrix' };
}

/** What is at `path`, which may be hostile. */
export function placeAt(path: string, layout: Layout): RepositoryPlace {
  const [first, owner, name, ...rest] = pathInRoot(path, layout.root)?.split('/') ?? [];
  if (first !== BUILDS_FOLDER) return { kind: 'outside' };
  if (owner === undefined) return { kind: 'above' };
  if (name === undefined) return { kind: 'owner', owner };
  if (name === OWNER_FILE && rest.length === 0) return { kind: 'owner-file', owner };
  return { kind: 'build', owner, name, file: rest.join('/') };
}

/** The root that the text of a `registry.config.json` names; a file that cannot be read names none. */
export function layoutIn(config: Uint8Array | string): Layout {
  try {
    const text = typeof config === 'string' ? config : new TextDecoder().decode(config);
    const { root } = (JSON.parse(text) as { root?: unknown } | null) ?? {};
    return { root: typeof root === 'string' && ROOT.test(root) ? root : '' };
  } catch {
    return TOP;
  }
}

/** Of a repository that is a registry, and of one without a configuration. */
export const TOP: Layout = { root: '' };
/** What `root` may be: no segment begins with a dot. */
export const ROOT = /^(?:\w[\w.-]{0,99}\/){0,9}$/;
