/** What merging a pull request changes on the base branch: entries and folders, bounded, sorted by their role in the registry. */
import { ADVISORIES_FOLDER } from '../../format/advisory/advisory.ts';
import { MANIFEST_FILE } from '../../format/build/build-files.ts';
import { pathInRoot, placeAt, type Layout } from '../../format/registry/repository-layout.ts';
import { GeneratorError } from '../errors.ts';
import { gateGit } from './git.ts';

export const MAX_CHANGES = 25_000;
/** The mode that git reports for a folder. */
const TREE = '040000';

/** One changed file, link or submodule. */
export interface ChangedEntry {
  /** Path in the repository, with U+FFFD where it is not UTF-8. */
  readonly path: string;
  readonly isUtf8: boolean;
  /** Octal mode before and after; `000000` where there is no entry. */
  readonly oldMode: string;
  readonly mode: string;
  /** Object ids before and after. */
  readonly oldOid: string;
  readonly oid: string;
}

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
 * Compares two trees; `undefined` when more than `MAX_CHANGES` entries or folders differ.
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function readChanges(
  folder: string,
  before: string,
  after: string,
  layout: Layout,
): Promise<Changes | undefined> {
  const options = ['-r', '-t', '-z', '--raw', '--no-renames', '--no-abbrev', '--no-ext-diff'];
  const args = ['diff-tree', ...options, '--no-textconv', '--ignore-submodules=none'];
  const { status, stdout, isCut, stderr } = await gateGit(folder, [...args, before, after]);
  if (isCut) return undefined;
  if (status !== 0) throw new GeneratorError('ERR_GIT', `Cannot compare: git reports: ${stderr}`);
  const entries: ChangedEntry[] = [];
  const trees: ChangedTree[] = [{ path: '', oldOid: before, oid: after }];
  let at = 0;
  const next = (): Buffer => {
    const end = stdout.indexOf(0, at);
    const token = stdout.subarray(at, end);
    at = end + 1;
    return token;
  };
  while (at < stdout.length) {
    if (entries.length === MAX_CHANGES || trees.length === MAX_CHANGES) return undefined;
    const [oldMode = '', mode = '', oldOid = '', oid = ''] = next().toString('latin1').split(' ');
    const bytes = next();
    const path = bytes.toString('utf8');
    const isUtf8 = Buffer.from(path).equals(bytes);
    const entry = { path, isUtf8, oldMode: oldMode.slice(1), mode, oldOid, oid };
    if (entry.oldMode !== TREE && mode !== TREE) entries.push(entry);
    else if (mode === TREE) {
      trees.push({ path, oldOid: entry.oldMode === TREE ? oldOid : undefined, oid });
    }
  }
  return { entries, trees, ...sorted(entries, layout) };
}

/** Whether the change deletes the entry. */
export function isGone({ mode }: ChangedEntry): boolean {
  return mode === '000000';
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
  return [oldMode, mode].every((one) => one === '000000' || one.startsWith('100'));
}

/** A link or submodule where a build folder should be; plain files there belong to no build. */
function isFolderLike(entry: ChangedEntry, name: string): boolean {
  const mode = isGone(entry) ? entry.oldMode : entry.mode;
  return (mode === '120000' || mode === '160000') && name !== MANIFEST_FILE;
}
