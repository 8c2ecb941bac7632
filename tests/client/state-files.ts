/** The states of registries that tests make up or alter, as the generator writes those of a log that nobody signs. */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { integrityOf, sha256Hex } from '../../format/archive/integrity.ts';
import {
  CHECKPOINT_PATH,
  REGISTRY_PATH,
  documentPath,
  isMapped,
  mapFilePath,
  parseIndexPath,
} from '../../format/index/layout.ts';
import { INTERFACE_VERSION } from '../../format/index/registry-info.ts';
import {
  type Checkpoint,
  formatCheckpoint,
  parseUnverifiedNote,
} from '../../format/log/checkpoint.ts';
import { EMPTY_ROOT } from '../../format/log/hash.ts';
import { formatMapLeaf, formatMapRoot, mapBits, mapLeafAt, mapLine } from '../../format/log/map.ts';

/** The least that `registry.json` states. */
export const INFO = {
  name: 'r',
  interface: INTERFACE_VERSION,
  base_url: '',
  source_commit: '',
  builds: 0,
  versions: 0,
};

/**
 * What a host serves of a registry with these documents: each also under its digest, the map and the checkpoint.
 * @param documents bytes or text by path
 */
export function stateFiles(
  documents: Readonly<Record<string, string | Uint8Array>>,
  log: Checkpoint = { origin: 'localhost/log', size: 0, root: EMPTY_ROOT },
): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const mapped = new Map<string, string>();
  const all = { [REGISTRY_PATH]: JSON.stringify(INFO), ...documents };
  for (const [path, content] of Object.entries(all)) {
    const bytes = Buffer.from(content);
    files.set(path, bytes);
    const parsed = parseIndexPath(path);
    if (!path.endsWith('.json')) continue;
    files.set(documentPath(sha256Hex(bytes)), bytes);
    if (parsed !== undefined && isMapped(parsed)) mapped.set(path, sha256Hex(bytes));
  }
  const bits = mapBits(mapped.size);
  const leaves = Array.from({ length: 2 ** bits }, (_, at) => {
    const own = [...mapped].filter(([path]) => mapLeafAt(path, bits) === at);
    const leaf = Buffer.from(formatMapLeaf(new Map(own)));
    if (leaf.length > 0) files.set(mapFilePath(sha256Hex(leaf)), leaf);
    return Buffer.from(sha256Hex(leaf), 'hex');
  });
  const root = Buffer.from(formatMapRoot(leaves));
  files.set(mapFilePath(sha256Hex(root)), root);
  const checkpoint = { ...log, extensions: [mapLine(integrityOf(root))] };
  files.set(CHECKPOINT_PATH, Buffer.from(`${formatCheckpoint(checkpoint)}\n`));
  return files;
}

/** Makes an index whose documents a test altered one state again. */
export function restate(index: string): void {
  const documents: Record<string, Buffer> = {};
  for (const entry of readdirSync(index, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(index.length + 1);
    const kind = parseIndexPath(path)?.kind;
    if (entry.isFile() && path.endsWith('.json') && kind !== undefined && kind !== 'document') {
      documents[path] = readFileSync(file);
    }
  }
  const note = readFileSync(join(index, CHECKPOINT_PATH), 'utf8');
  for (const folder of ['documents', 'log/map']) rmSync(join(index, folder), { recursive: true });
  writeFiles(index, stateFiles(documents, parseUnverifiedNote(note)));
}

/** Writes files into a folder. */
export function writeFiles(folder: string, files: ReadonlyMap<string, Uint8Array>): void {
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}
