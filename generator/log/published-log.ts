/**
 * Compares the log with the one that is published already. No entry that clients have seen is ever removed: a
 * history that does not continue it publishes nothing.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { forAll } from '../../format/audit/audit-map.ts';
import { FormatError, StackyardError } from '../../format/errors.ts';
import { LOG_FOLDER, urlPath } from '../../format/index/layout.ts';
import { parseUnverifiedNote, type Checkpoint } from '../../format/log/checkpoint.ts';
import {
  formatLogEntry,
  parseLogEntry,
  type LogEntry,
  type Tombstone,
} from '../../format/log/entry.ts';
import { parseBundle, formatBundle, MAX_ENTRY_BYTES } from '../../format/log/bundle.ts';
import { treeRoot } from '../../format/log/proof.ts';
import { isSameHash, leafHash } from '../../format/log/hash.ts';
import { TILE_WIDTH, bundlePath, tilePath, type Tile } from '../../format/log/tile.ts';
import { HEADERS_VARIABLE, RegistryHeaders } from '../../format/registry/registry-headers.ts';
import { GeneratorError } from '../errors.ts';
import type { DecisionTable } from '../state/decision-table.ts';
import type { LogTable } from '../state/log-table.ts';
import { foldHashes, hashesFromTiles } from '../../format/log/append.ts';
import { partialTiles, tileFiles } from './log-files.ts';
import { MAX_TARBALL_BYTES } from '../../format/build/build-files.ts';
import { isSigned, MAX_NOTE_BYTES } from '../../format/log/note.ts';

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
    hint:
      at.published === undefined
        ? 'this index has not all entries of its log: give the address at which it is published with --published'
        : 'restore the history that was published, such as from a clone; after a force push, push the old commits again',
  });
}

/** What earlier runs wrote into the published log. */
interface PublishedDecisions {
  /** Entries of maps by their place: a map depends on its run, so no history has it. */
  readonly maps: ReadonlyMap<number, Uint8Array>;
  /** The newest commit that these runs read; `undefined` before the first entry. */
  readonly commit: string | undefined;
}

/** The history that a run reads. */
interface History {
  /** Whether a commit is on the main line: a log without signature of another history decides nothing. */
  readonly isKnown: (commit: string) => Promise<boolean>;
  /** The newest commit of the main line whose time, ISO 8601 in UTC, `isTime` knows. */
  readonly newestAt: (isTime: (time: string) => boolean) => Promise<string | undefined>;
  /** The take-downs that the owner files of the newest commit state: they explain why a history was rewritten. */
  readonly stated: () => Promise<readonly Tombstone[]>;
}

/**
 * Reads the decisions of published logs into the state: which folders became versions, and which were refused. They are what
 * the host states until `requireContinued` compared the root of a signed log.
 * What was taken down comes from the log. Where something was, the history may have been rewritten without it, so that all later
 * commits have other ids: these are recognised by their times and by what they change.
 * @param from the first place to read
 * @throws {GeneratorError} `ERR_LOG_PUBLISHED` for a damaged log
 */
export async function readDecisions(
  logs: readonly ReadPublished[],
  decisions: DecisionTable,
  from: number,
  { isKnown, newestAt, stated }: History,
): Promise<PublishedDecisions> {
  const maps = new Map<number, Uint8Array>();
  let [commit, newest] = [undefined as string | undefined, -1];
  let foreign: LogEntry | undefined;
  for (const read of logs) {
    const found = await publishedCheckpoint(read);
    if (found === undefined || found.checkpoint.size <= from) continue;
    const { size } = found.checkpoint;
    const entriesAt = (index: number): Promise<readonly LogEntry[]> =>
      readBundle(read, index, size, isSigned(found.note));
    const last = (await entriesAt(Math.floor((size - 1) / TILE_WIDTH))).at(-1);
    const isOurs = last !== undefined && (await isKnown(last.commit));
    if (!isOurs && !isSigned(found.note)) continue;
    if (isOurs && size > newest) [commit, newest] = [last.commit, size];
    if (!isOurs && last !== undefined) foreign = last;
    const first = Math.floor(from / TILE_WIDTH);
    const indexes = Array.from({ length: Math.ceil(size / TILE_WIDTH) - first }, (_, at) => at);
    await forAll(indexes, async (at) => {
      const index = first + at;
      for (const [nth, entry] of (await entriesAt(index)).entries()) {
        const place = index * TILE_WIDTH + nth;
        if (place < from) continue;
        const bytes = formatLogEntry(entry);
        if (entry.type === 'map') maps.set(place, bytes);
        else decisions.add(entry, place, bytes);
      }
    });
  }
  const tombstones = decisions.tombstones();
  const isRewritten = commit === undefined && foreign !== undefined;
  const all = [...tombstones, ...(isRewritten ? await stated() : [])];
  decisions.mend(all);
  if (!isRewritten || all.length === 0) return { maps, commit };
  const newestTime = foreign?.published_at;
  return { maps, commit: await newestAt((time) => time === newestTime || decisions.hasTime(time)) };
}

/**
 * One bundle of a log. What is missing or damaged in a signed log, `requireContinued` reports with its place; a log without
 * a signature has nothing else that would notice it.
 * @throws {GeneratorError} `ERR_LOG_PUBLISHED`
 */
async function readBundle(
  read: ReadPublished,
  index: number,
  size: number,
  isSignedLog: boolean,
): Promise<readonly LogEntry[]> {
  const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
  const path = `${LOG_FOLDER}/${bundlePath({ index, width })}`;
  try {
    const bytes = await read(path);
    if (bytes === undefined) throw new FormatError('ERR_LOG_BUNDLE', 'it is missing');
    return parseBundle(bytes, width).map(parseLogEntry);
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    if (isSignedLog) return [];
    throw new GeneratorError('ERR_LOG_PUBLISHED', `Cannot read "${path}": ${cause.message}`, {
      cause,
      hint: `restore "${LOG_FOLDER}/" from a copy; if there is none, delete the folder and run with --full: then the rules of today decide about every version again`,
    });
  }
}

/**
 * Requires that the run found all that the published log publishes and takes down.
 * @param gone every version that is gone, as `<id>@<version>`
 * @throws {GeneratorError} `ERR_LOG_FORK`
 */
export function requireAllPublished(decisions: DecisionTable, gone: ReadonlySet<string>): void {
  for (const { id, version } of decisions.tombstones()) {
    if (
      version === undefined
        ? [...gone].some((one) => one.startsWith(`${id}@`))
        : gone.has(`${id}@${version}`)
    )
      continue;
    throw forked(
      `it takes down ${id}${version === undefined ? '' : `@${version}`}, and this history does not`,
      {
        hint: 'restore the entry under "taken_down" in the owner file, at the commit that had it: a rewritten history keeps it',
      },
    );
  }
  const lost = decisions.missing();
  if (lost === undefined) return;
  const { id, version, commit, tree } = lost;
  throw forked(
    `it has ${id}@${version} of commit ${commit} with the tree ${tree}, and this history has not`,
    { hint: 'restore the history that was published, such as from a clone' },
  );
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

/** Gives a file to the stage. */
type AddFile = (path: string, content: Uint8Array) => void;

/**
 * Stages the tiles and bundles that the log has beyond its first `oldSize` entries.
 * @returns paths of those that it has no more: their tile is full, or no checkpoint needs their width
 */
export function writeTiles(log: LogTable, oldSize: number, add: AddFile): string[] {
  const size = log.size();
  const addTile = (tile: Tile): void => {
    const bytes = tileBytes(log, tile);
    const [path, bundle] = tileFiles(tile);
    add(path!, bytes);
    const from = tile.index * TILE_WIDTH;
    if (bundle !== undefined) add(bundle, formatBundle(log.entries(from, from + tile.width)));
    if (tile.width === TILE_WIDTH) log.addHash(tile.level + 1, tile.index, foldHashes(bytes));
  };
  for (let level = 0, unit = TILE_WIDTH; unit <= size; level += 1, unit *= TILE_WIDTH) {
    for (let index = Math.floor(oldSize / unit); index < Math.floor(size / unit); index += 1) {
      addTile({ level, index, width: TILE_WIDTH });
    }
  }
  const [before, after] = [oldSize, size].map((one) => {
    return new Map(partialTiles(log, one).map((tile) => [tilePath(tile), tile]));
  });
  for (const [path, tile] of after!) if (!before!.has(path)) addTile(tile);
  return [...before!].flatMap(([path, tile]) => (after!.has(path) ? [] : tileFiles(tile)));
}

/** The root over the first `size` entries, whose tiles were written. */
export function rootOf(log: LogTable, size: number): Uint8Array {
  return treeRoot(
    size,
    hashesFromTiles(size, (tile) => tileBytes(log, tile)),
  );
}

function tileBytes(log: LogTable, { level, index, width }: Tile): Uint8Array {
  const from = index * TILE_WIDTH;
  const hashes =
    level === 0
      ? log.entries(from, from + width).map(leafHash)
      : log.hashes(level, from, from + width);
  return Buffer.concat(hashes);
}

/** Reads a file of a published index; `undefined` where there is none. */
export type ReadPublished = (path: string) => Promise<Uint8Array | undefined>;

const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 5;
/** No file that is read is larger. */
const MAX_BYTES = Math.max(MAX_NOTE_BYTES, MAX_TARBALL_BYTES, TILE_WIDTH * (MAX_ENTRY_BYTES + 2));

/** @param place an address with `http:` or `https:`, or a folder */
export function readPublished(place: string): ReadPublished {
  return /^https?:\/\//.test(place) ? readFromAddress(place) : readFromFolder(place);
}

/** Reads from the folder of an index. */
export function readFromFolder(folder: string): ReadPublished {
  return (path) => {
    const file = join(folder, path);
    return Promise.resolve(existsSync(file) ? readFileSync(file) : undefined);
  };
}

/** With the headers of STACKYARD_HEADERS, which go to the origin of the address alone. */
function readFromAddress(address: string): ReadPublished {
  const { origin } = new URL(address);
  const secret = new RegistryHeaders(process.env[HEADERS_VARIABLE] ?? '').of(origin);
  const isPrivate = Object.keys(secret).length > 0;
  const read = async (url: string, redirects = 0): Promise<Response> => {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { 'cache-control': 'no-cache', ...secret },
      redirect: isPrivate ? 'manual' : 'follow',
    });
    const location = response.headers.get('location');
    if (!isPrivate || location === null || response.status < 300 || response.status >= 400) {
      return response;
    }
    const target = URL.canParse(location, url) ? new URL(location, url) : undefined;
    if (target?.origin === origin && redirects < MAX_REDIRECTS) {
      return read(target.href, redirects + 1);
    }
    throw new Error(`it redirects to ${target?.origin ?? 'nowhere'}, which may not get the header`);
  };
  return async (path) => {
    const url = `${address.replace(/\/+$/, '')}/${urlPath(path)}`;
    let hint = 'nothing was written; run again when the address can be reached';
    try {
      const response = await read(url);
      if (response.status === 404 || response.status === 410) return undefined;
      if (response.status === 401 || response.status === 403) {
        hint = isPrivate
          ? `the header in ${HEADERS_VARIABLE} for ${origin} is not accepted: renew it`
          : `set ${HEADERS_VARIABLE} to "${origin} Authorization: Bearer ..." with a token that may read it`;
      }
      if (!response.ok) throw new Error(`the server answers ${response.status}`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (bytes.length > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`);
      return bytes;
    } catch (cause) {
      const problem = cause instanceof Error ? cause.message : String(cause);
      throw new GeneratorError('ERR_LOG_PUBLISHED', `Cannot read ${url}: ${problem}`, {
        cause,
        hint,
      });
    }
  };
}
