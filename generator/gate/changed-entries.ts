/** The entries and folders that merging a pull request changes on the base branch, bounded. */
import { GeneratorError } from '../errors.ts';
import { gateGit } from './gate-git.ts';

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
export interface ChangedTree {
  /** Path in the repository; `""` for the root. */
  readonly path: string;
  /** Tree id before; `undefined` for a new folder. */
  readonly oldOid: string | undefined;
  readonly oid: string;
}

export interface Changes {
  readonly entries: readonly ChangedEntry[];
  readonly trees: readonly ChangedTree[];
}

/**
 * Compares two trees; `undefined` when more than `MAX_CHANGES` entries or folders differ.
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function changedEntries(
  folder: string,
  before: string,
  after: string,
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
  return { entries, trees };
}

/** Whether the change deletes the entry. */
export function isGone({ mode }: ChangedEntry): boolean {
  return mode === '000000';
}
