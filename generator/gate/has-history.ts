/** Whether an owner ever had something on the base branch: a deleted owner folder is not free for others. */
import { isOwner } from '../../format/build/build-id.ts';
import { ownerFilePath, ownerFolder } from '../../format/registry/repository-layout.ts';
import type { Layout } from '../../format/registry/repository-layout.ts';
import type { Repository } from '../git/repository.ts';
import { gateGitText } from './gate-git.ts';

/** @throws {GeneratorError} `ERR_GIT` */
export async function hasHistory(
  { folder, head }: Repository,
  owner: string,
  layout: Layout,
): Promise<boolean> {
  const paths = [`:(literal)${ownerFolder(owner, layout)}`];
  if (layout !== 'flat' && isOwner(owner)) {
    // From before a move. A shard has the name of an owner of two letters, so only the owner's own files count.
    paths.push(
      ownerFilePath(owner, 'flat'),
      `:(glob)${ownerFolder(owner, 'flat')}/*/stackyard.json`,
    );
  }
  const args = ['rev-list', '--first-parent', '-1', head, '--', ...paths];
  return (await gateGitText(folder, args)) !== '';
}
