/** Audits a log: the signature, the root over all its entries, and every tile. */
import { REGISTRY_PATH, CHECKPOINT_PATH, LOG_FOLDER } from '../index/layout.ts';
import { RegistryInfo } from '../index/registry-info.ts';
import { parseDocument } from '../document/document.ts';
import { FormatError } from '../errors.ts';
import { appendLeaves } from '../log/append.ts';
import { parseCheckpoint } from '../log/checkpoint.ts';
import { parseLogEntry } from '../log/entry.ts';
import type { LogEntry } from '../log/entry.ts';
import { parseBundle } from '../log/entry-bundle.ts';
import { isSameHash, leafHash } from '../log/hash.ts';
import { parseNote, signersOf } from '../log/note.ts';
import { parseNoteKey } from '../log/note-key.ts';
import { TILE_WIDTH, bundlePath, tilePath } from '../log/tile.ts';
import { forAll } from './audit.ts';
import type { AuditProblem, ReadIndexFile } from './audit.ts';

export interface AuditedLog {
  readonly problems: readonly AuditProblem[];
  /** Those that hash to the root of the checkpoint; none where the log cannot be trusted. */
  readonly entries: readonly LogEntry[];
  /** The public key that signed. */
  readonly key: string | undefined;
  readonly commit: string | undefined;
}

/** @param known the key that must have signed; by default the one that the registry states */
export async function auditLog(read: ReadIndexFile, known?: string): Promise<AuditedLog> {
  const problems: AuditProblem[] = [];
  let [key, commit] = [known, undefined as string | undefined];
  const failed = (where: string, problem: string): AuditedLog => {
    return { problems: [...problems, { where, problem }], entries: [], key, commit };
  };
  let at = REGISTRY_PATH;
  try {
    const bytes = await read(at);
    if (bytes === undefined) return failed(at, 'is missing');
    const info = parseDocument(RegistryInfo, bytes, at);
    commit = info.source_commit;
    key ??= info.log?.key;
    if (key === undefined) return failed(at, 'states no key: the log is not signed');
    if (info.log?.key !== key) {
      problems.push({
        where: at,
        problem: `states the key ${info.log?.key ?? 'none'}, not ${key}`,
      });
    }
    at = CHECKPOINT_PATH;
    const checkpointBytes = await read(at);
    if (checkpointBytes === undefined) return failed(at, 'is missing');
    const note = parseNote(checkpointBytes);
    if (signersOf(note, [parseNoteKey(key)]).length === 0)
      return failed(at, `is not signed by ${key}`);
    const { origin, size, root } = parseCheckpoint(note.text);
    if (origin !== parseNoteKey(key).name) return failed(at, `is of "${origin}"`);
    const indexes = Array.from({ length: Math.ceil(size / TILE_WIDTH) }, (_, index) => index);
    const bundles = await forAll(indexes, async (index) => {
      const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
      const where = `${LOG_FOLDER}/${bundlePath({ index, width })}`;
      const bundle = await read(where);
      at = where;
      if (bundle === undefined) throw new MissingFile();
      return parseBundle(bundle, width);
    });
    const entries = bundles.flat();
    const made = appendLeaves(0, neverRead, entries.map(leafHash));
    at = CHECKPOINT_PATH;
    if (!isSameHash(made.root, root)) return failed(at, 'its root is not that of the entries');
    await forAll(made.tiles, async ({ tile, bytes: own }) => {
      const where = `${LOG_FOLDER}/${tilePath(tile)}`;
      const served = await read(where);
      if (served !== undefined && isSameHash(served, own)) return;
      problems.push({ where, problem: served === undefined ? 'is missing' : 'has other hashes' });
    });
    const parsed = entries.map((entry, index) => {
      at = `${LOG_FOLDER}, entry ${index}`;
      return parseLogEntry(entry);
    });
    return { problems, entries: parsed, key, commit };
  } catch (error) {
    if (error instanceof MissingFile) return failed(at, 'is missing');
    if (error instanceof FormatError) return failed(at, error.message);
    throw error;
  }
}

class MissingFile extends Error {}

function neverRead(): never {
  throw new RangeError('A log without entries has no tiles');
}
