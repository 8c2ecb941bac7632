/** A folder, such as that of a web server. A file is written beside the others, then renamed: readers see the old or the new one. */
import { spawnSync } from 'node:child_process';
import { hash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CHECKPOINT_PATH } from '../../format/index/layout.ts';
import { filesBelow } from '../state/local-files.ts';
import { storeError } from './store-error.ts';
import { DEPLOY_FOLDER, type Store } from './store.ts';

const STAGE = `${DEPLOY_FOLDER}stage/`;

/** @param place for messages */
export function openFolderStore(folder: string, place: string): Store {
  const attempt = async <Result>(action: string, act: () => Result): Promise<Result> => {
    try {
      return act();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      throw storeError(error, place, action);
    }
  };

  function put(path: string, bytes: Uint8Array, over?: string): string | undefined {
    const [target, staged] = [join(folder, path), join(folder, STAGE, randomUUID())];
    for (const file of [target, staged]) mkdirSync(dirname(file), { recursive: true });
    // Who finds the checkpoint after a power failure also finds what it names.
    if (path === CHECKPOINT_PATH) spawnSync('sync', ['-f', folder], { stdio: 'ignore' });
    try {
      writeFileSync(staged, bytes);
      // Another process can come between these two lines: then the next look at the inventory notices it.
      if (over !== undefined && over !== tagOf(tryRead(target))) return undefined;
      renameSync(staged, target);
      return tagOf(bytes);
    } finally {
      rmSync(staged, { force: true });
    }
  }

  return {
    place,
    now: () => Date.now(),
    read: (path) =>
      attempt(`read "${path}"`, () => {
        const bytes = tryRead(join(folder, path));
        return bytes && { bytes, tag: tagOf(bytes) };
      }),
    write: (path, bytes, over) => attempt(`write "${path}"`, () => put(path, bytes, over)),
    remove: (path) =>
      attempt(`remove "${path}"`, () => rmSync(join(folder, path), { force: true })),
    async *list() {
      for (const path of await attempt('list the files', () => filesBelow(folder))) {
        const bytes = tryRead(join(folder, path)) ?? Buffer.alloc(0);
        yield { path, size: bytes.length, md5: hash('md5', bytes) };
      }
    },
  };
}

/** Other processes may change the folder; what is no file has no bytes. */
function tryRead(file: string): Buffer | undefined {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  return isFile ? readFileSync(file) : undefined;
}

function tagOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : hash('sha256', bytes);
}
