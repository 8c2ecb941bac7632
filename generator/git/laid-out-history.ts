/** The main line with the layout of each commit, which the configuration names at that commit: a path means an id only with it. */
import { CONFIG_FILE, layoutIn } from '../../format/registry/repository-layout.ts';
import type { Layout } from '../../format/registry/repository-layout.ts';
import { readMainLine } from './history.ts';
import type { MainLineCommit } from './history.ts';
import type { ObjectReader } from './object-reader.ts';
import type { Repository } from './repository.ts';

export interface LaidOutCommit extends MainLineCommit {
  /** The layout of the commit's own tree. */
  readonly layout: Layout;
}

/**
 * Reads the main line from old to new: the commits that touched one of `paths`, or the configuration.
 * @param since an indexed commit: only what came after it is read; by default `from` of the repository
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function* readLaidOut(
  repository: Repository,
  reader: ObjectReader,
  paths: readonly string[],
  since?: string,
): AsyncGenerator<LaidOutCommit> {
  const start = since ?? repository.from;
  let layout = start === undefined ? 'flat' : await layoutAt(reader, start);
  for await (const commit of readMainLine(repository, [...paths, CONFIG_FILE], since)) {
    const config = commit.changes.find(({ path }) => path.equals(CONFIG_PATH));
    if (config !== undefined) layout = await layoutAt(reader, commit.oid);
    yield { ...commit, layout };
  }
}

/** The layout of a commit or tree. */
export async function layoutAt(reader: ObjectReader, tree: string): Promise<Layout> {
  const object = await reader.read(`${tree}:${CONFIG_FILE}`);
  return layoutIn(object?.bytes ?? '');
}

const CONFIG_PATH = Buffer.from(CONFIG_FILE);
