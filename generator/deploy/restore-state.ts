/**
 * Takes the state of the generator from a store to a machine that has none, so that a run there reads only what is new. Of the
 * index it takes a list: files that the run does not change stay in the store. Everything is authentic or is not used: the
 * state and the list by the key of the log, objects by the digests in the list.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { LOG_FOLDER, REGISTRY_PATH, parseIndexPath } from '../../format/index/layout.ts';
import type { NoteSigner } from '../../format/log/note-key.ts';
import type { ReadPublished } from '../log/published-log.ts';
import { lockIndex } from '../state/index-lock.ts';
import { adoptIndex, marksOfState } from '../state/run-marks.ts';
import { FilesElsewhere } from '../state/files-elsewhere.ts';
import { atOnce, filesOf } from './difference.ts';
import { isSettled, readDeployed } from './deployed.ts';
import { openPart, readKept, PART_BYTES, partPath } from './keep-state.ts';
import { sha256Of } from './local-files.ts';
import { digestOfMark, isAuthentic } from './manifest.ts';
import type { Store } from './store.ts';

interface RestoreTarget {
  /** The folder of the index. */
  readonly out: string;
  /** The state file. */
  readonly file: string;
  /** Of the log of this registry. */
  readonly signers: readonly NoteSigner[];
}

const PARTS_AT_ONCE = 8;
const FILES_AT_ONCE = 32;
/** The entries of the log: only its hashes are read. */
const ENTRIES = `${LOG_FOLDER}/tile/entries/`;

/**
 * @returns what was restored, or why nothing was: then the run reads everything
 * @throws {GeneratorError} `ERR_INDEX_BUSY` while a run writes the index
 */
export async function restoreState(store: Store, target: RestoreTarget): Promise<string> {
  const unlock = lockIndex(target.out);
  try {
    return await restoreLocked(store, target);
  } finally {
    unlock();
  }
}

async function restoreLocked(store: Store, target: RestoreTarget): Promise<string> {
  const { out, file, signers } = target;
  if (existsSync(file) || existsSync(join(out, REGISTRY_PATH))) {
    return 'The state of this machine is used, not that of the store';
  }
  const seen = await readDeployed(store);
  const { registry, manifest } = seen;
  if (!isSettled(seen) || registry === undefined || manifest === undefined) {
    return none(store, 'no deployment has ended there, or the last one did not');
  }
  if (!isAuthentic(manifest, signers)) return none(store, 'its list of files is not authentic');
  const kept = await readKept(store, signers);
  if (kept === undefined) return none(store, 'it has no authentic state');
  const files = await filesOf(store, manifest);
  const isSafe = [...(files?.keys() ?? [])].every((path) => parseIndexPath(path) !== undefined);
  if (files === undefined || !isSafe) return none(store, 'its list of files is damaged');
  const problem = await fetchState(store, kept, file);
  if (problem !== undefined) return none(store, problem);
  const digests = new Map([...files].map(([path, mark]) => [path, digestOfMark(mark)]));
  if (!(await fetchFiles(store, out, filesToRead(digests)))) {
    rmSync(file);
    return none(store, 'a file that the run reads is missing or altered');
  }
  digests.delete(REGISTRY_PATH);
  adoptIndex(file, manifest.registry);
  FilesElsewhere.write(out, digests, kept.registry !== manifest.registry);
  writeFileSync(join(out, REGISTRY_PATH), registry.bytes);
  const megabytes = (kept.size / 1e6).toFixed(1);
  return `The state of commit ${kept.head.slice(0, 12)} was restored from ${store.place}: ${megabytes} MB`;
}

/** Reads what is published in a store. */
export function readFromStore(store: Store): ReadPublished {
  return async (path) => (await store.read(path))?.bytes;
}

function none({ place }: Store, why: string): string {
  return `No state was restored from ${place}, because ${why}: everything is read again`;
}

/** Writes the state file; leaves nothing when it cannot be used, and answers why. */
async function fetchState(
  store: Store,
  kept: NonNullable<Awaited<ReturnType<typeof readKept>>>,
  file: string,
): Promise<string | undefined> {
  const part = `${file}.part`;
  mkdirSync(dirname(file), { recursive: true });
  const descriptor = openSync(part, 'w');
  let size = 0;
  let isWhole = true;
  try {
    await atOnce(kept.parts.entries(), PARTS_AT_ONCE, async ([at, sha256]) => {
      const bytes = (await store.read(partPath(sha256)))?.bytes;
      if (bytes === undefined || sha256Of(bytes) !== sha256) {
        isWhole = false;
        return;
      }
      const piece = openPart(bytes);
      size += writeSync(descriptor, piece, 0, piece.length, at * PART_BYTES);
    });
  } finally {
    closeSync(descriptor);
  }
  isWhole &&= size === kept.size;
  if (isWhole) {
    renameSync(part, file);
    const marks = marksOfState(file);
    isWhole = marks?.registry === kept.registry;
    if (isWhole && marks?.isNewer === false) return undefined;
  }
  rmSync(part, { force: true });
  rmSync(file, { force: true });
  return isWhole ? 'a newer version of this software wrote its state' : 'its state is damaged';
}

/** What a run reads of the index: items for shadcn are made from tarballs, and witnesses are shown hashes of the log. */
function filesToRead(files: ReadonlyMap<string, string>): [string, string][] {
  const kindOf = (path: string): string | undefined => parseIndexPath(path)?.kind;
  const hasItems = [...files.keys()].some((path) => kindOf(path) === 'shadcn-version');
  return [...files].filter(([path]) => {
    const isHashTile = kindOf(path) === 'log' && !path.startsWith(ENTRIES);
    return isHashTile || (hasItems && kindOf(path) === 'tarball');
  });
}

async function fetchFiles(
  store: Store,
  out: string,
  files: readonly [string, string][],
): Promise<boolean> {
  let isWhole = true;
  await atOnce(files, FILES_AT_ONCE, async ([path, sha256]) => {
    const bytes = (await store.read(path))?.bytes;
    if (bytes === undefined || sha256Of(bytes) !== sha256) {
      isWhole = false;
      return;
    }
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), bytes);
  });
  return isWhole;
}
