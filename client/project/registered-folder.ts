/** Owner and name of a build by the place of its folder. */
import { basename, dirname } from 'node:path';
import { BUILDS_FOLDER } from '../../format/registry/repository-layout.ts';

/**
 * Owner and name by a path such as `builds/<owner>/<name>`; `undefined` for a folder elsewhere.
 * @param folder absolute
 */
export function registeredFolder(folder: string): { owner: string; name: string } | undefined {
  const owner = dirname(folder);
  if (basename(dirname(owner)) !== BUILDS_FOLDER) return undefined;
  return { owner: basename(owner), name: basename(folder) };
}
