/** What the folders of builds and signals hold down to the folders of owners, in one tree. */
import {
  BUILDS_FOLDER,
  OWNERS_FOLDERS,
  SIGNALS_FOLDER,
  ownerFolder,
  placeAt,
  CONFIG_FILE,
  FLAT,
  layoutIn,
  type Layout,
} from '../../format/registry/repository-layout.ts';
import type { ObjectReader } from './object-reader.ts';
import { entryTypeOf, treeEntries } from './source.ts';
import { readMainLine, type MainLineCommit } from './history.ts';
import type { Repository } from './repository.ts';

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
 * The folders of owners, and what stands beside them or in the wrong place; the folders of shards are not listed.
 * @param tree id of a tree or commit
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function buildsEntries(
  reader: ObjectReader,
  tree: string,
  layout: Layout,
  room: (typeof OWNERS_FOLDERS)[number] = BUILDS_FOLDER,
): Promise<PlacedEntry[]> {
  const path = `${layout.root}${room}`;
  const builds = await reader.read(`${tree}:${path}`);
  if (builds?.type !== 'tree') return [];
  const found: PlacedEntry[] = [];
  let above: BuildsEntry[] = [{ path, mode: '40000', oid: builds.oid }];
  while (above.length > 0) {
    const next: BuildsEntry[] = [];
    for await (const entry of entriesBelow(reader, above)) {
      const place = placeAt(entry.path, layout, room);
      if (place.kind === 'above' && entryTypeOf(entry.mode) === 'folder') next.push(entry);
      else found.push({ ...entry, place });
    }
    above = next;
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

/** What a tree has beside the configuration and the folders that have one for each owner, at every level down to the root. */
export async function besideEntries(
  reader: ObjectReader,
  tree: string,
  root: string,
): Promise<BuildsEntry[]> {
  const own = new Set([CONFIG_FILE, ...OWNERS_FOLDERS.map((room) => `${root}${room}`)]);
  const found: BuildsEntry[] = [];
  let above = '';
  for (const segment of root.split('/')) {
    const folder = await reader.read(`${tree}:${above}`);
    const bytes = folder?.type === 'tree' ? folder.bytes : undefined;
    for (const { mode, name, oid } of treeEntries(bytes ?? Buffer.alloc(0), tree.length / 2)) {
      const path = `${above}${name.toString('utf8')}`;
      if (!own.has(path) && path !== `${above}${segment}`) found.push({ path, mode, oid });
    }
    above += `${segment}/`;
  }
  return found;
}

/** The entries of all folders that have a folder for each owner. @throws {GeneratorError} `ERR_GIT` */
export async function laidOutEntries(
  reader: ObjectReader,
  tree: string,
  layout: Layout,
): Promise<PlacedEntry[]> {
  const rooms = OWNERS_FOLDERS.map((room) => buildsEntries(reader, tree, layout, room));
  return (await Promise.all(rooms)).flat();
}

/** Where the layout `to` has an entry; files beside the folders stay. */
export function movedPath({ path, mode, place }: PlacedEntry, to: Layout): string {
  const isOwner = place.kind === 'owner' && entryTypeOf(mode) === 'folder';
  const isSignals = path.startsWith(`${to.root}${SIGNALS_FOLDER}/`);
  const room = isSignals ? SIGNALS_FOLDER : BUILDS_FOLDER;
  return isOwner ? ownerFolder(place.owner, to, room) : path;
}

/** The main line with the layout of each commit, which the configuration names at that commit: a path means an id only with it. */
export interface LaidOutCommit extends MainLineCommit {
  /** The layout of the commit's own tree. */
  readonly layout: Layout;
}

/**
 * Reads the main line from old to new: the commits that touched one of `paths`, or the configuration. The root is that of today for
 * all of them.
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
  const { root = '' } = repository;
  let layout = start === undefined ? FLAT : await layoutAt(reader, start);
  for await (const commit of readMainLine(repository, [...paths, CONFIG_FILE], since)) {
    const config = commit.changes.find(({ path }) => path.equals(CONFIG_PATH));
    if (config !== undefined) layout = await layoutAt(reader, commit.oid);
    yield { ...commit, layout: { ...layout, root } };
  }
}

/** The layout of a commit or tree. */
export async function layoutAt(reader: ObjectReader, tree: string): Promise<Layout> {
  const object = await reader.read(`${tree}:${CONFIG_FILE}`);
  return layoutIn(object?.bytes ?? '');
}

const CONFIG_PATH = Buffer.from(CONFIG_FILE);
