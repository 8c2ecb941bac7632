/** Which files of a build change, and by how many lines. */
import { printable } from '../../format/build/file-path.ts';
import type { FileChange } from '../../format/registry/gate-verdict.ts';
import { GeneratorError } from '../errors.ts';
import { gateGit } from './gate-git.ts';

const MAX_LISTED = 200;
/** Git's name for a tree without entries, by the length of its object ids. */
const EMPTY_TREE: Readonly<Record<number, string>> = {
  40: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  64: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

export interface FileStatistic {
  readonly files: FileChange[];
  /** Changed files that are not listed. */
  readonly more: number;
}

/**
 * @param before tree id of the previous version; `undefined` for a first version
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function fileStatistic(
  folder: string,
  before: string | undefined,
  after: string,
): Promise<FileStatistic> {
  const options = ['-r', '-z', '--raw', '--numstat', '--no-renames', '--no-ext-diff'];
  const sides = [before ?? EMPTY_TREE[after.length] ?? '', after];
  const args = ['diff-tree', ...options, '--no-textconv', '--no-abbrev', ...sides];
  const { status, stdout, isCut, stderr } = await gateGit(folder, args);
  if (status !== 0 && !isCut) {
    throw new GeneratorError('ERR_GIT', `Cannot compare versions: git reports: ${stderr}`);
  }
  const changes = new Map<string, FileChange['change']>();
  const files: FileChange[] = [];
  const tokens = stdout.toString('utf8').split('\0');
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    if (token.startsWith(':')) {
      const [oldMode, mode] = token.slice(1).split(' ');
      changes.set(tokens[(at += 1)] ?? '', changeOf(oldMode, mode));
      continue;
    }
    const [, added, removed, path = ''] = /^(\d+|-)\t(\d+|-)\t([^]*)$/.exec(token) ?? [];
    if (path === '') continue;
    const lines = { added: Number(added) || 0, removed: Number(removed) || 0 };
    files.push({ path: printable(path), change: changes.get(path) ?? 'changed', ...lines });
  }
  return { files: files.slice(0, MAX_LISTED), more: Math.max(0, files.length - MAX_LISTED) };
}

function changeOf(oldMode: string | undefined, mode: string | undefined): FileChange['change'] {
  if (oldMode === '000000') return 'added';
  return mode === '000000' ? 'removed' : 'changed';
}
