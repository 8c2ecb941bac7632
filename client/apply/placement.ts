/**
 * Puts one staged file at its place in the project without overwriting a file that was created since, and
 * can determine afterwards, also in another process, whether that was done.
 */
import { link, lstat, open, readFile, rename, unlink } from 'node:fs/promises';
import { integrityOf } from '../../format/archive/integrity.ts';
import { hasCode } from '../project/safe-path.ts';

/** Digest of the file at `path`; `undefined` when nothing is there, `'other'` for anything but a file. */
export async function integrityAt(path: string): Promise<string | undefined> {
  try {
    if (!(await lstat(path)).isFile()) return 'other';
    return integrityOf(await readFile(path));
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/**
 * Puts `staged` at `target`, where nothing may exist: rejects with `EEXIST` otherwise. The staged file may
 * stay as a second name of the same file.
 * @param linkFile replaced in tests that simulate a file system without hard links
 */
export async function placeNew(
  staged: string,
  target: string,
  linkFile: typeof link = link,
): Promise<void> {
  try {
    await linkFile(staged, target);
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'))
      throw error;
    await placeOverClaim(staged, target);
  }
}

/** Puts `staged` at `target` and replaces the file there. */
export async function placeOver(staged: string, target: string): Promise<void> {
  await withPatience(() => rename(staged, target));
}

/** Deletes the file at `target`. */
export async function deleteFile(target: string): Promise<void> {
  await withPatience(() => unlink(target));
}

async function withPatience(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      // Windows refuses while a scanner or an editor has the file open, mostly for milliseconds.
      const passing = process.platform === 'win32' && hasCode(error, 'EPERM', 'EBUSY', 'EACCES');
      if (!passing || attempt === 8) throw error;
      await new Promise((resume) => setTimeout(resume, 2 ** attempt * 5));
    }
  }
}

/** Whether `staged` was put at `target`: it is missing, or both names are the same file. */
export async function isPlaced(staged: string, target: string): Promise<boolean> {
  const source = await identityOf(staged);
  return source === undefined || source === (await identityOf(target));
}

/** Whether the empty file at `target` was created by `placeNew` to reserve the name. */
export async function isClaimed(staged: string, target: string): Promise<boolean> {
  return (
    (await identityOf(claimOf(staged))) !== undefined &&
    (await integrityAt(target)) === integrityOf(new Uint8Array())
  );
}

/** Without hard links: creates an empty file if nothing is there, and replaces it by the staged one. */
async function placeOverClaim(staged: string, target: string): Promise<void> {
  await (await open(claimOf(staged), 'wx')).close();
  try {
    await (await open(target, 'wx')).close();
  } catch (error) {
    await unlink(claimOf(staged));
    throw error;
  }
  await placeOver(staged, target);
}

function claimOf(staged: string): string {
  return `${staged}.claim`;
}

async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await lstat(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
