/** The owners and builds that the base branch has, from its folders. */
import { isBuildId } from '../../format/build/build-id.ts';
import type { Layout } from '../../format/registry/repository-layout.ts';
import { buildsEntries, entriesBelow } from '../git/builds-entries.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { entryTypeOf } from '../git/tree-entries.ts';

export interface RegistryNames {
  /** Every `<owner>/<name>`. */
  readonly ids: ReadonlySet<string>;
  readonly owners: ReadonlySet<string>;
}

/**
 * @param tree tree id of the base branch
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function registryNames(
  reader: ObjectReader,
  tree: string,
  layout: Layout,
): Promise<RegistryNames> {
  const [ids, owners] = [new Set<string>(), new Set<string>()];
  const folders = (await buildsEntries(reader, tree, layout)).filter(({ place, mode }) => {
    if (place.kind !== 'owner' || entryTypeOf(mode) !== 'folder') return false;
    owners.add(place.owner);
    return true;
  });
  for await (const { path, mode } of entriesBelow(reader, folders)) {
    if (entryTypeOf(mode) !== 'folder') continue;
    // What is in the folder of an owner needs no look at its place.
    const id = path.slice(path.lastIndexOf('/', path.lastIndexOf('/') - 1) + 1);
    if (isBuildId(id)) ids.add(id);
  }
  return { ids, owners };
}
