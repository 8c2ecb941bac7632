/** What merging a pull request changes on the base branch: entries and folders, bounded, sorted by their role in the registry. */
import { ADVISORIES_FOLDER } from '../../format/advisory/advisory.ts';
import { MANIFEST_FILE } from '../../format/build/build-files.ts';
import {
  CONFIG_FILE,
  pathInRoot,
  placeAt,
  type Layout,
} from '../../format/registry/repository-layout.ts';
import type { Reason } from './gate-verdict.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { compareTrees, FOLDER, NO_ENTRY, Trees, type TreeChange } from '../git/trees.ts';
import { reason } from './reasons.ts';

const MAX_CHANGES = 25_000;
const MAX_NAMED = 100;

/** One changed file, link or submodule. */
export type ChangedEntry = Omit<TreeChange, 'storedMode'>;

/** One folder that changed and stays. */
interface ChangedTree {
  /** Path in the repository; `""` for the root. */
  readonly path: string;
  /** Tree id before; `undefined` for a new folder. */
  readonly oldOid: string | undefined;
  readonly oid: string;
}

interface Stray extends ChangedEntry {
  readonly owner: string;
}

/** What changes, also by its role in the registry. */
export interface Changes {
  readonly entries: readonly ChangedEntry[];
  readonly trees: readonly ChangedTree[];
  /** `<owner>/<name>`, as the folders are named, of each build folder with changes. */
  readonly ids: ReadonlySet<string>;
  readonly ownerFiles: ReadonlyMap<string, ChangedEntry>;
  /** Reports and flags. */
  readonly statements: readonly ChangedEntry[];
  readonly moderation: readonly ChangedEntry[];
  readonly advisories: readonly ChangedEntry[];
  /** Below `builds/` and in no build folder. */
  readonly strays: readonly Stray[];
  /** The registry's own files, and those outside its root. */
  readonly others: readonly ChangedEntry[];
}

/**
 * Compares two trees, of which the second is hostile.
 * @returns reasons to refuse it where it is too large or cannot be read
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function readChanges(
  reader: ObjectReader,
  before: string | undefined,
  after: string,
  layout: Layout,
): Promise<Changes | { readonly reasons: readonly Reason[] }> {
  const bounds = { entries: MAX_CHANGES };
  const compared = await compareTrees(new Trees(reader), before, after, bounds);
  if (compared.isCut) return { reasons: [reason('gate-size', '', { limit: MAX_CHANGES })] };
  if (compared.unreadable.length > 0) {
    const reasons = compared.unreadable
      .slice(0, MAX_NAMED)
      .map(({ path, problem }) => reason('gate-unreadable', path, { problem }));
    return { reasons };
  }
  const entries: ChangedEntry[] = [];
  const trees: ChangedTree[] = [{ path: '', oldOid: before, oid: after }];
  for (const change of compared.changes) {
    const { path, oldMode, oldOid, mode, oid } = change;
    if (oldMode !== FOLDER && mode !== FOLDER) entries.push(change);
    else if (mode === FOLDER) {
      trees.push({ path, oldOid: oldMode === FOLDER ? oldOid : undefined, oid });
    }
  }
  return { entries, trees, ...sorted(entries, layout) };
}

/** Whether something differs in the registry of the folder `root`, or cannot be read there. @throws {GeneratorError} `ERR_GIT` */
export async function touchesFolder(
  reader: ObjectReader,
  before: string | undefined,
  after: string | undefined,
  root: string,
): Promise<boolean> {
  const isAbove = (path: string): boolean => root.startsWith(`${path}/`) && root !== `${path}/`;
  const bounds = { entries: MAX_CHANGES, isEntered: isAbove };
  const compared = await compareTrees(new Trees(reader), before, after, bounds);
  if (compared.isCut || compared.unreadable.length > 0) return true;
  return compared.changes.some(({ path }) => path === CONFIG_FILE || `${path}/` === root);
}

/** Whether the change deletes the entry. */
export function isGone({ mode }: ChangedEntry): boolean {
  return mode === NO_ENTRY;
}

/** The owner folders below `builds/` in which something changes. */
export function touchedOwners({ ids, ownerFiles, strays }: Changes): string[] {
  const ofBuilds = [...ids].map((id) => id.split('/')[0] ?? '');
  const ofStrays = strays.map(({ owner }) => owner);
  return [...new Set([...ofBuilds, ...ownerFiles.keys(), ...ofStrays])].sort();
}

function sorted(
  entries: readonly ChangedEntry[],
  layout: Layout,
): Omit<Changes, 'entries' | 'trees'> {
  const ids = new Set<string>();
  const ownerFiles = new Map<string, ChangedEntry>();
  const statements: ChangedEntry[] = [];
  const moderation: ChangedEntry[] = [];
  const advisories: ChangedEntry[] = [];
  const others: ChangedEntry[] = [];
  const strays: Stray[] = [];
  for (const entry of entries) {
    const [room = '', ...below] = pathInRoot(entry.path, layout.root)?.split('/') ?? [];
    const place = placeAt(entry.path, layout);
    if (room === 'reports' || room === 'flags') statements.push(entry);
    else if (room === 'moderation') moderation.push(entry);
    else if (room === ADVISORIES_FOLDER) advisories.push(entry);
    else if (place.kind === 'outside' || (below.length === 1 && isPlain(entry))) others.push(entry);
    else if (place.kind === 'owner-file') ownerFiles.set(place.owner, entry);
    else if (place.kind === 'build' && (place.file !== '' || isFolderLike(entry, place.name))) {
      ids.add(`${place.owner}/${place.name}`);
    } else {
      const owner = 'owner' in place ? place.owner : '';
      strays.push({ ...entry, owner });
    }
  }
  return { ids, ownerFiles, statements, moderation, advisories, strays, others };
}

/** Beside the owner folders it belongs to no build, such as a README. */
function isPlain({ oldMode, mode }: ChangedEntry): boolean {
  return [oldMode, mode].every((one) => one === NO_ENTRY || one.startsWith('100'));
}

/** A link or submodule where a build folder should be; plain files there belong to no build. */
function isFolderLike(entry: ChangedEntry, name: string): boolean {
  const mode = isGone(entry) ? entry.oldMode : entry.mode;
  return (mode === '120000' || mode === '160000') && name !== MANIFEST_FILE;
}
