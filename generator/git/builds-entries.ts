/** What the folders of builds and signals hold down to the folders of owners, in one tree. */
import {
  BUILDS_FOLDER,
  placeAt,
  CONFIG_FILE,
  layoutIn,
  type Layout,
} from '../../format/registry/repository-layout.ts';
import type { ObjectReader } from './object-reader.ts';
import { treeEntries } from './trees.ts';

export interface BuildsEntry {
  /** Path in the repository. */
  readonly path: string;
  /** Octal, as stored. */
  readonly mode: string;
  readonly oid: string;
}

interface PlacedEntry extends BuildsEntry {
  /** What its path means in the layout. */
  readonly place: ReturnType<typeof placeAt>;
}

/** How many folders are read at once: memory stays small in a registry of any size. */
const PART = 1_000;

/**
 * The folders of owners, and what stands beside them in the folder of builds.
 * @param tree id of a tree or commit
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function buildsEntries(
  reader: ObjectReader,
  tree: string,
  layout: Layout,
): Promise<PlacedEntry[]> {
  const path = `${layout.root}${BUILDS_FOLDER}`;
  const builds = await reader.read(`${tree}:${path}`);
  if (builds?.type !== 'tree') return [];
  const found: PlacedEntry[] = [];
  for await (const entry of entriesBelow(reader, [{ path, mode: '40000', oid: builds.oid }])) {
    found.push({ ...entry, place: placeAt(entry.path, layout) });
  }
  return found;
}

/** The entries of all `folders`, one after the other. */
export async function* entriesBelow(
  reader: ObjectReader,
  folders: readonly BuildsEntry[],
): AsyncGenerator<BuildsEntry> {
  for (let at = 0; at < folders.length; at += PART) {
    const part = folders.slice(at, at + PART);
    const trees = await reader.readAll(part.map(({ oid }) => oid));
    for (const [nth, { path, oid: folder }] of part.entries()) {
      const bytes = trees[nth]?.bytes ?? Buffer.alloc(0);
      for (const { mode, name, oid } of treeEntries(bytes, folder.length / 2)) {
        yield { path: `${path}/${name.toString('utf8')}`, mode, oid };
      }
    }
  }
}

/** The root that a commit or tree names. */
export async function layoutAt(reader: ObjectReader, tree: string): Promise<Layout> {
  const object = await reader.read(`${tree}:${CONFIG_FILE}`);
  return layoutIn(object?.bytes ?? '');
}
