/** The owners and builds that the base branch has, from one listing of its folders. */
import { isBuildId } from '../../format/build/build-id.ts';
import { GeneratorError } from '../errors.ts';
import { gateGit } from './gate-git.ts';

/** Bytes of a listing of about a million builds. */
const MAX_LISTING_BYTES = 128_000_000;

export interface RegistryNames {
  /** Every `<owner>/<name>`. */
  readonly ids: ReadonlySet<string>;
  readonly owners: ReadonlySet<string>;
}

/**
 * @param tree tree id of the base branch
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function registryNames(folder: string, tree: string): Promise<RegistryNames> {
  const args = ['ls-tree', '-d', '-r', '-z', '--name-only', '--full-tree', tree, '--', 'builds/'];
  const { status, stdout, isCut, stderr } = await gateGit(folder, args, MAX_LISTING_BYTES);
  if (status !== 0 || isCut) {
    throw new GeneratorError('ERR_GIT', `Cannot list the builds: git reports: ${stderr}`);
  }
  const [ids, owners] = [new Set<string>(), new Set<string>()];
  for (const path of stdout.toString('utf8').split('\0')) {
    const [, owner, name, ...rest] = path.split('/');
    if (owner !== undefined) owners.add(owner);
    const id = `${owner}/${name}`;
    if (name !== undefined && rest.length === 0 && isBuildId(id)) ids.add(id);
  }
  return { ids, owners };
}
