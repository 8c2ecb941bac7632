/**
 * Which files a log has in the index. Of a tile that is not full, these are the widths that checkpoints need, and when it is full,
 * it serves all of them: C2SP tlog-tiles, "Partial Tiles". They follow from the entries alone, so every run has the same ones.
 *
 * A signed run ends with the entry of a map, so its checkpoints have the sizes after such entries. Of a log that nobody signs, no
 * client reads a tile: only the newest size counts.
 *
 * And the checkpoint: name, size and root of the log, signed with the key of `STACKYARD_LOG_KEY`.
 */
import { LOG_FOLDER } from '../../format/index/layout.ts';
import { type Checkpoint, formatCheckpoint } from '../../format/log/checkpoint.ts';
import { type NoteSigner, parseNoteSigner } from '../../format/log/note-key.ts';
import {
  formatNote,
  formatSignature,
  type NoteSignature,
  parseNote,
  signNote,
} from '../../format/log/note.ts';
import {
  bundlePath,
  type LogPath,
  type Tile,
  TILE_WIDTH,
  tilePath,
} from '../../format/log/tile.ts';
import { RegistryConfig } from '../../format/registry/registry-config.ts';
import type { LogTable } from '../state/log-table.ts';

/**
 * The tiles of the first `size` entries that are not full, from the lowest level on, each level from narrow to wide. Per level, at
 * most 255 sizes are looked up.
 */
export function partialTiles(log: LogTable, size: number): Tile[] {
  const tiles: Tile[] = [];
  for (let level = 0, unit = 1; unit <= size; level += 1, unit *= TILE_WIDTH) {
    const hashes = Math.floor(size / unit);
    const index = Math.floor(hashes / TILE_WIDTH);
    for (let width = 1; width <= hashes % TILE_WIDTH; width += 1) {
      const from = (index * TILE_WIDTH + width) * unit;
      const to = Math.min(from + unit, size + 1);
      const isNeeded = (from <= size && size < to) || log.hasMap(from, to);
      if (isNeeded) tiles.push({ level, index, width });
    }
  }
  return tiles;
}

/** The files of a tile: at level 0 it has a bundle beside it. */
export function tileFiles(tile: Tile): string[] {
  const paths = [tilePath(tile), ...(tile.level === 0 ? [bundlePath(tile)] : [])];
  return paths.map((path) => `${LOG_FOLDER}/${path}`);
}

/** How many files a log has, with the checkpoint. */
export function countLogFiles(log: LogTable): number {
  const size = log.size();
  let count = 1 + partialTiles(log, size).flatMap(tileFiles).length;
  for (let level = 0, unit = TILE_WIDTH; unit <= size; level += 1, unit *= TILE_WIDTH) {
    count += Math.floor(size / unit) * (level === 0 ? 2 : 1);
  }
  return count;
}

/** Makes a test whether the log, as it is now, has a file. */
export function logFileTest(log: LogTable): (path: LogPath) => boolean {
  const size = log.size();
  const partial = new Set(partialTiles(log, size).map(tilePath));
  return (path) => {
    if (path.kind === 'checkpoint') return true;
    const tile = path.kind === 'tile' ? path.tile : { level: 0, ...path.bundle };
    if (tile.width < TILE_WIDTH) return partial.has(tilePath(tile));
    return (tile.index + 1) * TILE_WIDTH <= Math.floor(size / TILE_WIDTH ** tile.level);
  };
}

/**
 * The keys of the environment: the log's key, and while it is replaced also the previous one, each on a line.
 * @throws {FormatError} `ERR_LOG_KEY`; the message does not have the key
 */
export function signersFrom(environment: string | undefined): NoteSigner[] {
  const lines = (environment ?? '').split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) => line !== '').map(parseNoteSigner);
}

/**
 * The text of `log/checkpoint`. Signatures of others on the published checkpoint, such as those of witnesses, stay
 * while the log is the same.
 * @param published the whole notes that are published now
 */
export function signedCheckpoint(
  checkpoint: Checkpoint,
  signers: readonly NoteSigner[],
  published: readonly string[],
): string {
  const text = formatCheckpoint(checkpoint);
  const own = signers.map((signer) => signNote(text, signer));
  const others = published.flatMap((note) => signaturesOf(note, text));
  const lines = new Map(
    others
      .filter(({ name, id }) => !own.some((one) => one.name === name && one.id === id))
      .map((signature) => [formatSignature(signature), signature]),
  );
  return formatNote({ text, signatures: own.length === 0 ? [] : [...own, ...lines.values()] });
}

function signaturesOf(published: string, text: string): readonly NoteSignature[] {
  if (!published.startsWith(`${text}\n— `)) return [];
  const note = parseNote(new TextEncoder().encode(published));
  return note.text === text ? note.signatures : [];
}

/** `undefined` where the file names none or cannot be read: then nothing changes. */
export function keyInConfig(bytes: Uint8Array): string | undefined {
  try {
    const config = RegistryConfig.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return config.data?.log.key;
  } catch {
    return undefined;
  }
}
