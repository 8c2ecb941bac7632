/**
 * `.stackyard/`, the client's working folder in a project: created for a run, ignored by Git, and removed
 * when it is empty. A hostile checkout may contain one: it must be a real folder.
 */
import { lstat, mkdir, open, readdir, readFile, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { WORK_FOLDER } from '../../format/build/protected-path.ts';
import { ClientError } from '../errors.ts';
import { hasCode, writeError } from '../project/safe-path.ts';

const IGNORE_FILE = '.gitignore';
const IGNORE_ALL = '*\n';

/** Creates `.stackyard/` if it is missing. @throws {ClientError} `ERR_PATH_POLICY`, `ERR_WRITE` */
export async function makeWorkFolder(project: string): Promise<string> {
  const folder = join(project, WORK_FOLDER);
  try {
    await mkdir(folder);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw writeError(folder, error);
  }
  await hasWorkFolder(project);
  return folder;
}

/** Whether `.stackyard/` exists. @throws {ClientError} `ERR_PATH_POLICY` when it is not a folder */
export async function hasWorkFolder(project: string): Promise<boolean> {
  try {
    const status = await lstat(join(project, WORK_FOLDER));
    if (status.isDirectory()) return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw writeError(WORK_FOLDER, error);
  }
  throw new ClientError('ERR_PATH_POLICY', `Cannot use "${WORK_FOLDER}": it is not a folder`, {
    hint: `delete "${WORK_FOLDER}" and run again`,
  });
}

/** Makes Git ignore `.stackyard/`; for the holder of the project's lock. */
export async function ignoreWorkFolder(project: string): Promise<void> {
  const path = join(project, WORK_FOLDER, IGNORE_FILE);
  try {
    // A crash may have left the file empty.
    if (await isOurIgnoreFile(path)) await unlink(path);
    const file = await open(path, 'wx');
    try {
      await file.writeFile(IGNORE_ALL);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw writeError(`${WORK_FOLDER}/${IGNORE_FILE}`, error);
  }
}

/**
 * Removes the ignore file when the folder contains nothing else, except names that `isIgnored` accepts. Called before
 * the lock is released: later, the next holder may already rely on it.
 */
export async function dropIgnoreFile(
  project: string,
  isIgnored: (name: string) => boolean = () => false,
): Promise<void> {
  try {
    const names = await readdir(join(project, WORK_FOLDER));
    if (!names.every((name) => name === IGNORE_FILE || isIgnored(name))) return;
    const path = join(project, WORK_FOLDER, IGNORE_FILE);
    if (await isOurIgnoreFile(path)) await unlink(path);
  } catch {
    // A failed cleanup must not fail a run: the next one tries again.
  }
}

/** Removes `.stackyard/` when it is empty. */
export async function dropWorkFolder(project: string): Promise<void> {
  try {
    await rmdir(join(project, WORK_FOLDER));
  } catch {
    // Not empty: it contains a lock, a journal, or files of others.
  }
}

async function isOurIgnoreFile(path: string): Promise<boolean> {
  try {
    if (!(await lstat(path)).isFile()) return false;
    return IGNORE_ALL.startsWith(await readFile(path, 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
