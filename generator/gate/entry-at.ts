/** One entry of a tree, by its path. */
import { GeneratorError } from '../errors.ts';
import { gateGit } from './gate-git.ts';

export interface TreeEntry {
  readonly mode: string;
  readonly oid: string;
}

/**
 * @param tree id of a tree or commit
 * @param path hostile: taken literally
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function entryAt(
  folder: string,
  tree: string,
  path: string,
): Promise<TreeEntry | undefined> {
  const args = ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', tree, '--', path];
  const { status, stdout, stderr } = await gateGit(folder, args);
  if (status !== 0)
    throw new GeneratorError('ERR_GIT', `Cannot read a tree: git reports: ${stderr}`);
  const [mode, , oid] = stdout.toString('utf8').split(/[ \t]/, 3);
  return mode === undefined || oid === undefined ? undefined : { mode, oid };
}
