/** Whether an owner ever had something on the base branch: a deleted owner folder is not free for others. */
import { isOwner } from '../../format/build/build-id.ts';
import { ownerFilePath, ownerFolder } from '../../format/registry/repository-layout.ts';
import type { Layout } from '../../format/registry/repository-layout.ts';
import type { Repository } from '../git/repository.ts';
import { gateGitText } from './gate-git.ts';

/** @throws {GeneratorError} `ERR_GIT` */
export async function hasHistory(
  repository: Repository,
  owner: string,
  layout: Layout,
): Promise<boolean> {
  if (await isChangedEver(repository, [literal(ownerFolder(owner, layout))])) return true;
  if (layout === 'flat' || !isOwner(owner)) return false;
  // From before a move. A shard has the name of an owner of two letters, so only the owner's own files count.
  const folder = ownerFolder(owner, 'flat');
  if (!(await isChangedEver(repository, [literal(folder)]))) return false;
  return isChangedEver(repository, [
    literal(ownerFilePath(owner, 'flat')),
    `:(glob)${folder}/*/stackyard.json`,
  ]);
}

/** Of a single literal path git may know this without reading trees. */
async function isChangedEver(
  { folder, head }: Repository,
  paths: readonly string[],
): Promise<boolean> {
  const args = ['rev-list', '--first-parent', '-1', head, '--', ...paths];
  return (await gateGitText(folder, args)) !== '';
}

function literal(path: string): string {
  return `:(literal)${path}`;
}
