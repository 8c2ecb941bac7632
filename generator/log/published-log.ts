/**
 * Compares the log with the one that is published already. No entry that clients have seen is ever removed: a
 * history that does not continue it publishes nothing.
 */
import { forAll } from '../../format/audit/audit.ts';
import { StackyardError } from '../../format/errors.ts';
import { LOG_FOLDER } from '../../format/index/layout.ts';
import { parseUnverifiedNote } from '../../format/log/checkpoint.ts';
import type { Checkpoint } from '../../format/log/checkpoint.ts';
import { parseLogEntry } from '../../format/log/entry.ts';
import { parseBundle } from '../../format/log/entry-bundle.ts';
import { isSameHash } from '../../format/log/hash.ts';
import { TILE_WIDTH, bundlePath } from '../../format/log/tile.ts';
import { GeneratorError } from '../errors.ts';
import type { LogTable } from '../state/log-table.ts';
import type { ReadPublished } from './read-published.ts';
import { rootOf } from './write-log.ts';

/** The text of the published checkpoint with what follows it; `undefined` before the first one. */
export async function publishedCheckpoint(
  read: ReadPublished,
): Promise<{ checkpoint: Checkpoint; note: string } | undefined> {
  const bytes = await read(`${LOG_FOLDER}/checkpoint`);
  if (bytes === undefined) return undefined;
  const note = new TextDecoder().decode(bytes);
  try {
    return { checkpoint: parseUnverifiedNote(note), note };
  } catch (cause) {
    if (!(cause instanceof StackyardError)) throw cause;
    throw new GeneratorError(
      'ERR_LOG_PUBLISHED',
      `The published log is damaged: ${cause.message}`,
      {
        cause,
        hint: `restore "${LOG_FOLDER}/" from a mirror; without it an altered history cannot be noticed`,
      },
    );
  }
}

/**
 * Requires that `log` begins with what is published.
 * @param origin name of the log
 * @throws {GeneratorError} `ERR_LOG_FORK` with the first entry that differs
 */
export async function requireContinued(
  log: LogTable,
  origin: string,
  { origin: publishedOrigin, size, root }: Checkpoint,
  read: ReadPublished,
): Promise<void> {
  if (publishedOrigin !== origin) {
    throw forked(`its name is "${publishedOrigin}", and now "${origin}"`, {
      hint: 'set "origin" in registry.config.json to the name that the registry had: the name of a log never changes',
    });
  }
  if (size <= log.size() && isSameHash(rootOf(log, size), root)) return;
  const at = await firstDifference(log, size, read);
  const [published, own] = [at.published ?? 'unreadable', at.own ?? 'nothing'];
  throw forked(`entry ${at.index} of ${size} was ${published}, and is now ${own}`, {
    hint: 'restore the history that was published, such as from a clone; after a force push, push the old commits again',
  });
}

/**
 * The entries of maps in published logs, by their place. Only the published log has them: a map depends on the runs, and
 * history has no runs. They are what the host states until `requireContinued` compared the root.
 * @param from the first place to read
 */
export async function publishedMaps(
  logs: readonly ReadPublished[],
  from: number,
): Promise<Map<number, Uint8Array>> {
  const maps = new Map<number, Uint8Array>();
  for (const read of logs) {
    const found = await publishedCheckpoint(read);
    if (found === undefined || !isSigned(found.note)) continue;
    const { size } = found.checkpoint;
    const first = Math.floor(from / TILE_WIDTH);
    const bundles = Array.from({ length: Math.max(0, Math.ceil(size / TILE_WIDTH) - first) });
    await forAll([...bundles.keys()], async (at) => {
      const index = first + at;
      const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
      const bytes = await read(`${LOG_FOLDER}/${bundlePath({ index, width })}`);
      for (const [nth, entry] of (bytes === undefined ? [] : parseBundle(bytes, width)).entries()) {
        const place = index * TILE_WIDTH + nth;
        if (place >= from && isMap(entry)) maps.set(place, entry);
      }
    });
  }
  return maps;
}

/** Whether a checkpoint is signed: one that is not promises nothing. */
export function isSigned(note: string): boolean {
  return note.includes('\n\n— ');
}

/** Of a damaged entry `requireContinued` reports that it differs. */
function isMap(entry: Uint8Array): boolean {
  if (!Buffer.from(entry).includes('"type":"map"')) return false;
  try {
    return parseLogEntry(entry).type === 'map';
  } catch (error) {
    if (error instanceof StackyardError) return false;
    throw error;
  }
}

/** The first entry that is not what it was; its texts in one line each. */
async function firstDifference(
  log: LogTable,
  size: number,
  read: ReadPublished,
): Promise<{ index: number; published: string | undefined; own: string | undefined }> {
  for (let start = 0; start < size; start += TILE_WIDTH) {
    const width = Math.min(TILE_WIDTH, size - start);
    const bytes = await read(`${LOG_FOLDER}/${bundlePath({ index: start / TILE_WIDTH, width })}`);
    const own = log.entries(start, start + width);
    const published = bytes === undefined ? [] : parseBundle(bytes, width);
    for (let at = 0; at < width; at += 1) {
      const [one, other] = [published[at], own[at]];
      if (one !== undefined && other !== undefined && isSameHash(one, other)) continue;
      return { index: start + at, published: textOf(one), own: textOf(other) };
    }
  }
  return { index: size, published: undefined, own: undefined };
}

function textOf(entry: Uint8Array | undefined): string | undefined {
  return entry === undefined ? undefined : new TextDecoder().decode(entry).trim();
}

function forked(problem: string, details: { hint: string }): GeneratorError {
  const message = `Nothing was written: the history does not continue the published log: ${problem}`;
  return new GeneratorError('ERR_LOG_FORK', message, details);
}
