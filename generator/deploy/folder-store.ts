/** A folder, such as the one that a web server serves. Each file is written beside its place and renamed into it. */
import { createHash, randomUUID } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { GeneratorError } from '../errors.ts';
import { DEPLOY_FOLDER } from './manifest.ts';
import type { Condition, ListedObject, Store, WriteResult } from './store.ts';

/** Below `.deploy/`, which no web server should serve. */
const STAGE = `${DEPLOY_FOLDER}/stage`;
const LOCK = `${DEPLOY_FOLDER}/lock`;
/** A lock is held for the time of a few calls: an older one is that of a process that was killed. */
const LOCK_MS = 10_000;
const LOCK_PAUSE_MS = 20;

interface Folder {
  readonly folder: string;
  /** For messages. */
  readonly place: string;
}

/** @param check runs before every write and removal */
export function openFolderStore(
  { folder, place }: Folder,
  check: () => Promise<void> = () => Promise.resolve(),
): Store {
  const fileOf = (path: string): string => join(folder, path);

  async function guarded<Result>(
    action: string,
    act: () => Result | Promise<Result>,
  ): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      const isDenied = code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
      throw new GeneratorError(
        isDenied ? 'ERR_STORE_ACCESS' : 'ERR_STORE',
        `Cannot ${action} at ${place}: ${code}`,
        { cause: error, hint: 'make a folder that this account may write to, and run again' },
      );
    }
  }

  function put(path: string, bytes: Uint8Array, condition: Condition | undefined): WriteResult {
    const [target, staged] = [fileOf(path), join(folder, STAGE, randomUUID())];
    for (const file of [target, staged]) mkdirSync(dirname(file), { recursive: true });
    if (typeof condition === 'object' && tagOf(readOrNothing(target)) !== condition.tag) {
      return { kind: 'refused' };
    }
    writeFileSync(staged, bytes);
    if (condition !== 'absent') renameSync(staged, target);
    else if (!linkIfAbsent(staged, target)) return { kind: 'refused' };
    return { kind: 'written', tag: tagOf(bytes) };
  }

  /** A file with a tag is compared and replaced while no other process does the same. */
  async function locked(act: () => WriteResult): Promise<WriteResult> {
    const lock = fileOf(LOCK);
    while (!tryMakeFolder(lock)) {
      const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (Date.now() - made > LOCK_MS) rmSync(lock, { recursive: true, force: true });
      else await wait(LOCK_PAUSE_MS);
    }
    try {
      return act();
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }

  return {
    place,
    now: () => Date.now(),
    clockAheadMs: () => 0,
    read: (path) =>
      guarded(`read "${path}"`, () => {
        const bytes = readOrNothing(fileOf(path));
        return bytes === undefined ? undefined : { bytes, tag: tagOf(bytes) };
      }),
    inspect: (path) =>
      guarded(`inspect "${path}"`, () => {
        const bytes = readOrNothing(fileOf(path));
        if (bytes === undefined) return undefined;
        return { size: bytes.length, tag: tagOf(bytes), sha256: digestOf('sha256', bytes) };
      }),
    write: (path, bytes, _headers, condition) =>
      guarded(`write "${path}"`, async () => {
        await check();
        const write = (): WriteResult => put(path, bytes, condition);
        return typeof condition === 'object' ? locked(write) : write();
      }),
    remove: (path) =>
      guarded(`remove "${path}"`, async () => {
        await check();
        rmSync(fileOf(path), { force: true });
        for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
          if (!tryRemoveFolder(fileOf(parent))) break;
        }
      }),
    list: () => listFiles(folder, ''),
    guardedBy: (guard) => openFolderStore({ folder, place }, guard),
    settle: () =>
      guarded('write the files', () => {
        rmSync(fileOf(STAGE), { recursive: true, force: true });
        // Without such a command the system writes them soon.
        spawnSync('sync', ['-f', folder], { stdio: 'ignore' });
      }),
  };
}

async function* listFiles(folder: string, parent: string): AsyncIterable<ListedObject> {
  for (const entry of entriesOf(join(folder, parent))) {
    const path = parent === '' ? entry.name : `${parent}/${entry.name}`;
    if (path === STAGE || path === LOCK) continue;
    if (entry.isDirectory()) yield* listFiles(folder, path);
    else {
      const bytes = readOrNothing(join(folder, path));
      if (bytes !== undefined) yield { path, size: bytes.length, md5: digestOf('md5', bytes) };
    }
  }
}

function entriesOf(folder: string): { name: string; isDirectory(): boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function readOrNothing(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined;
    throw error;
  }
}

/** False where a file has the name. */
function linkIfAbsent(staged: string, target: string): boolean {
  try {
    linkSync(staged, target);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(staged);
  }
}

function tryMakeFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** False for a folder with files. */
function tryRemoveFolder(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function tagOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : digestOf('sha256', bytes);
}

function digestOf(algorithm: 'md5' | 'sha256', bytes: Uint8Array): string {
  return createHash(algorithm).update(bytes).digest('hex');
}
