/** The versions that a pull request publishes, for judging the requirements of builds that land together. */
import { buildFolder } from '../../format/registry/repository-layout.ts';
import type { Layout } from '../../format/registry/repository-layout.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { readDeclaredVersion } from '../git/publication.ts';
import { entryAt } from './entry-at.ts';

/** The base branch after merging. */
export interface Proposal {
  /** Tree id. */
  readonly tree: string;
  /** Build id to declared version, of every build folder that changes and stays. */
  readonly versions: () => Promise<ReadonlyMap<string, string>>;
}

/**
 * Reads the versions once, when they are first needed. Whether the builds are valid is judged elsewhere: the
 * pull request lands as a whole or not at all.
 * @param ids the builds that change, `<owner>/<name>`
 */
export function proposalOf(
  folder: string,
  reader: ObjectReader,
  tree: string,
  ids: Iterable<string>,
  layout: Layout,
): Proposal {
  let versions: Promise<ReadonlyMap<string, string>> | undefined;
  return { tree, versions: () => (versions ??= readVersions(folder, reader, tree, ids, layout)) };
}

async function readVersions(
  folder: string,
  reader: ObjectReader,
  tree: string,
  ids: Iterable<string>,
  layout: Layout,
): Promise<ReadonlyMap<string, string>> {
  const versions = new Map<string, string>();
  for (const id of ids) {
    const entry = await entryAt(folder, tree, buildFolder(id, layout));
    if (entry?.mode !== '040000') continue;
    const version = await readDeclaredVersion(reader, entry.oid);
    if (version !== undefined) versions.set(id, version);
  }
  return versions;
}
