/** Stages the map of a run, and appends its entry to a signed log. */
import { createHash } from 'node:crypto';
import { formatIntegrity } from '../../format/archive/integrity.ts';
import { documentPath, isMapped, mapFilePath, parseIndexPath } from '../../format/index/layout.ts';
import { formatLogEntry, parseLogEntry } from '../../format/log/entry.ts';
import { formatMapLeaf, formatMapRoot, mapBits } from '../../format/log/map.ts';
import type { AddFile } from '../pipeline/emit.ts';
import type { State } from '../state/state.ts';

/** The root of the newest map, lower-case hexadecimal. */
const MAP_ROOT = 'map-root';
/** Path of the file with the entry of the newest map; `""` in a log that nobody signs. */
export const MAP_ENTRY = 'map-entry';
/** Keys of documents have 32 bits. */
const KEYS = 2 ** 32;
/** The digest of a leaf without documents, which has no file. */
const NOTHING = sha256('');

/** Records the digest of a document that the map has, and stages its copy by digest; of others nothing. */
export function addToMap(
  state: State,
  path: string,
  content: Uint8Array | string,
  add: AddFile,
): void {
  const parsed = parseIndexPath(path);
  if (parsed === undefined || !isMapped(parsed)) return;
  const digest = sha256(content);
  state.map.set(path, digest);
  if (parsed.kind !== 'client') add(documentPath(digest), content);
}

/**
 * Stages the files of the map that changed.
 * @returns the integrity of its root, and paths of files that neither map nor heads name any more
 */
export function writeMap(state: State, add: AddFile): { integrity: string; outdated: string[] } {
  const { map } = state;
  const bits = mapBits(map.count());
  const before = map.leaves();
  const isResized = before.length !== 2 ** bits;
  const leaves = isResized ? Array.from({ length: 2 ** bits }, () => NOTHING) : [...before];
  const keys = KEYS / leaves.length;
  const changed = isResized
    ? leaves.keys()
    : new Set([...map.changed()].map((key) => Math.floor(key / keys)));
  for (const at of changed) {
    const leaf = formatMapLeaf(map.documents(at * keys, (at + 1) * keys));
    leaves[at] = sha256(leaf);
    if (leaf.length > 0) add(mapFilePath(leaves[at]), leaf);
  }
  map.setLeaves(leaves);
  const root = formatMapRoot(leaves.map((leaf) => Buffer.from(leaf, 'hex')));
  const rootDigest = sha256(root);
  add(mapFilePath(rootDigest), root);
  const outdated = new Set([...before, state.meta(MAP_ROOT) ?? NOTHING]);
  for (const current of [...leaves, rootDigest, NOTHING]) outdated.delete(current);
  state.setMeta(MAP_ROOT, rootDigest);
  return {
    integrity: formatIntegrity(Buffer.from(rootDigest, 'hex')),
    outdated: [...[...outdated].map(mapFilePath), ...map.dropped().map(documentPath)],
  };
}

/** Digests of the files of the newest map, lower-case hexadecimal. */
export function mapFiles(state: State): ReadonlySet<string> {
  const files = new Set([...state.map.leaves(), state.meta(MAP_ROOT) ?? NOTHING]);
  files.delete(NOTHING);
  return files;
}

/** How many files of the index are of the map, with its entry. */
export function countMapFiles(state: State): number {
  return mapFiles(state).size + (state.meta(MAP_ENTRY) ? 1 : 0);
}

/**
 * The entry of the map, appended unless the log ends with it.
 * @param integrity of its root
 * @param place the newest commit and its time, ISO 8601 in UTC
 */
export function appendMap(
  { log }: State,
  integrity: string,
  place: { readonly commit: string; readonly published_at: string },
): Uint8Array {
  const size = log.size();
  const [last] = log.entries(size - 1, size);
  const known = last === undefined ? undefined : parseLogEntry(last);
  if (last !== undefined && known?.type === 'map' && known.integrity === integrity) return last;
  const entry = formatLogEntry({ type: 'map', integrity, ...place });
  log.addMap(size, entry);
  return entry;
}

function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
