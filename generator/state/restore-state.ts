/**
 * Takes the state of the generator from a store to a machine that has none, so that a run there reads only what is new. Of the
 * index it takes a list: files that the run does not change stay in the store. All of it follows from the inventory, by digests.
 */
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { forAll } from '../../format/audit/audit-map.ts';
import {
  CHECKPOINT_PATH,
  LOG_FOLDER,
  REGISTRY_PATH,
  parseIndexPath,
} from '../../format/index/layout.ts';
import type { NoteSigner } from '../../format/log/note-key.ts';
import type { ReadPublished } from '../log/published-log.ts';
import { FilesElsewhere } from './files-elsewhere.ts';
import { lockIndex } from './index-lock.ts';
import { adoptIndex, marksOfState } from './run-marks.ts';
import { Inventory } from '../deploy/inventory.ts';
import { besideIndex } from './local-files.ts';
import { STATE_FOLDER, type Store } from '../deploy/store.ts';

interface RestoreTarget {
  /** The folder of the index. */
  readonly out: string;
  /** The state file. */
  readonly file: string;
  /** Of the log of this registry. */
  readonly signers: readonly NoteSigner[];
}

/** The entries of the log: only its hashes are read. */
const ENTRIES = `${LOG_FOLDER}/tile/entries/`;

/** What is not usable at a store, and why. */
class Unusable extends Error {}

/**
 * @returns what was restored, or why nothing was: then the run reads everything
 * @throws {GeneratorError} `ERR_INDEX_BUSY` while a run writes the index
 */
export async function restoreState(store: Store, target: RestoreTarget): Promise<string> {
  const { out, file } = target;
  const unlock = lockIndex(out);
  try {
    if (existsSync(file) || existsSync(join(out, REGISTRY_PATH))) {
      return 'The state of this machine is used, not that of the store';
    }
    return `The state of commit ${await restore(store, target)} was restored from ${store.place}`;
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    rmSync(file, { force: true });
    return `No state was restored from ${store.place}, because ${error.message}: everything is read again`;
  } finally {
    unlock();
  }
}

/** @returns the first digits of the commit @throws {Unusable} */
async function restore(store: Store, { out, file, signers }: RestoreTarget): Promise<string> {
  const inventory = new Inventory(store, signers, besideIndex(out, 'inventory'));
  const { facts, marks, isKnown } = await inventory.read();
  if (!isKnown || signers.length === 0) throw new Unusable('it has no inventory by this key');
  const { checkpoint, state } = facts;
  if (checkpoint === undefined) throw new Unusable('the last deployment did not end');
  const files = new Map(
    [...marks].filter(([path, mark]) => mark.length === 64 && parseIndexPath(path)),
  );
  const registry = files.get(REGISTRY_PATH) ?? '';
  files.set(CHECKPOINT_PATH, checkpoint);
  const fetch = async (path: string, sha256 = ''): Promise<Uint8Array> => {
    const bytes = (await store.read(path))?.bytes;
    if (bytes !== undefined && hash('sha256', bytes) === sha256) return bytes;
    throw new Unusable(`"${path}" is missing there or altered`);
  };
  const keep = (path: string, bytes: Uint8Array): void => {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), bytes);
  };
  await fetch(CHECKPOINT_PATH, checkpoint);
  if (state === undefined) throw new Unusable('it has none');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, gunzipSync(await fetch(STATE_FOLDER + state.sha256, state.sha256)));
  renameSync(`${file}.part`, file);
  const found = marksOfState(file);
  if (found?.isNewer === true) throw new Unusable('a newer version of this software wrote it');
  if (found?.registry !== state.registry) throw new Unusable('it is damaged');
  await forAll(filesToRead(files), async ([path, sha256]) => keep(path, await fetch(path, sha256)));
  const bytes = await fetch(REGISTRY_PATH, registry);
  files.delete(REGISTRY_PATH);
  adoptIndex(file, registry);
  FilesElsewhere.write(out, files, state.registry !== registry);
  keep(REGISTRY_PATH, bytes);
  return state.head.slice(0, 12);
}

/** Reads what is published in a store. */
export function readFromStore(store: Store): ReadPublished {
  return async (path) => (await store.read(path))?.bytes;
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
