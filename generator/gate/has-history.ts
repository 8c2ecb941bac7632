/** Whether a path was ever on the base branch: a deleted owner folder is not free for others. */
import type { Repository } from '../git/repository.ts';
import { gateGitText } from './gate-git.ts';

/** @throws {GeneratorError} `ERR_GIT` */
export async function hasHistory({ folder, head }: Repository, path: string): Promise<boolean> {
  const args = ['--literal-pathspecs', 'rev-list', '--first-parent', '-1', head, '--', path];
  return (await gateGitText(folder, args)) !== '';
}
