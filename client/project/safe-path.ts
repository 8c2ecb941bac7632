/**
 * Where the client may write in a project: not through a symlink, not over a folder or special file, not
 * at a second spelling of an existing name. Paths come from builds and lock files: hostile.
 */
import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  checkFilePaths,
  collisionKey,
  isFilePath,
  printable,
} from '../../format/build/file-path.ts';
import { WORK_FOLDER } from '../../format/build/protected-path.ts';
import { StackyardError } from '../../format/errors.ts';
import { ClientError } from '../errors.ts';

/**
 * Checks that files can be written at `paths`, without writing.
 * @throws {ClientError} `ERR_PATH_POLICY`, `ERR_CONFLICT`
 */
export async function checkTargets(project: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) checkPath(path);
  checkAmong(paths);
  const listings = new Map<string, readonly string[]>();
  for (const path of paths) {
    const segments = path.split('/');
    for (const [depth, name] of segments.entries()) {
      const folder = segments.slice(0, depth).join('/');
      const status = await statusOf(join(project, folder, name), path);
      const listing = listings.get(folder) ?? (await namesIn(join(project, folder), path));
      listings.set(folder, listing);
      checkSpelling(path, folder, name, listing, status !== undefined);
      if (status === undefined) break;
      checkKind(path, segments.slice(0, depth + 1), depth < segments.length - 1, status);
    }
  }
}

/**
 * Checks the parent folders of `path` as they are now; called again right before each change.
 * @returns the missing folders, outermost first
 * @throws {ClientError} `ERR_PATH_POLICY`
 */
export async function checkParents(project: string, path: string): Promise<string[]> {
  const segments = path.split('/');
  for (let depth = 1; depth < segments.length; depth++) {
    const folder = segments.slice(0, depth);
    const status = await statusOf(join(project, ...folder), path);
    if (status === undefined) {
      return segments
        .slice(depth, -1)
        .reduce((missing, name) => [...missing, `${missing.at(-1)}/${name}`], [folder.join('/')]);
    }
    checkKind(path, folder, true, status);
  }
  return [];
}

/** Checks the form of `path`: safe, and outside the client's own folder. @throws {ClientError} `ERR_PATH_POLICY` */
export function checkPath(path: string): void {
  if (!isFilePath(path)) throw policy(path, 'it is not a safe relative path');
  if (collisionKey(path.split('/')[0] ?? '') === WORK_FOLDER) {
    throw policy(path, `"${WORK_FOLDER}" is the client's own folder`);
  }
}

function checkAmong(paths: readonly string[]): void {
  const [first] = checkFilePaths(paths);
  if (first !== undefined) {
    const twin = printable(String(first.args['twin'] ?? ''));
    throw new ClientError(
      'ERR_CONFLICT',
      `Cannot write both "${printable(first.file)}" and "${twin}": some systems treat them as one path`,
    );
  }
}

function checkSpelling(
  path: string,
  folder: string,
  name: string,
  listing: readonly string[],
  exists: boolean,
): void {
  if (listing.includes(name)) return;
  const key = collisionKey(name);
  // A file system that stores another normal form lists the same entry in that form.
  const twin = listing.find(
    (entry) => collisionKey(entry) === key && !(exists && entry.normalize('NFC') === name),
  );
  if (twin === undefined) return;
  const there = printable(folder === '' ? twin : `${folder}/${twin}`);
  throw new ClientError(
    'ERR_CONFLICT',
    `Cannot write "${printable(path)}": the project has "${there}", which some systems treat as the same name`,
    { hint: `rename or remove "${there}", then run again` },
  );
}

function checkKind(
  path: string,
  segments: readonly string[],
  parent: boolean,
  status: Stats,
): void {
  if (parent ? status.isDirectory() : status.isFile()) return;
  const place = segments.join('/');
  const kind = status.isSymbolicLink()
    ? 'a symlink'
    : status.isDirectory()
      ? 'a folder'
      : status.isFile()
        ? 'a file'
        : 'a special file';
  throw policy(path, `"${printable(place)}" is ${kind}`);
}

async function statusOf(place: string, path: string): Promise<Stats | undefined> {
  try {
    return await lstat(place);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw writeError(path, error);
  }
}

async function namesIn(folder: string, path: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    throw writeError(path, error);
  }
}

function policy(path: string, reason: string): ClientError {
  return new ClientError('ERR_PATH_POLICY', `Cannot write "${printable(path)}": ${reason}`, {
    hint: 'the client writes regular files in real folders of the project only',
  });
}

/** Whether `error` is a system error with one of `codes`, or with any code. */
export function hasCode(error: unknown, ...codes: readonly string[]): error is Error {
  if (!(error instanceof Error) || error instanceof StackyardError) return false;
  if (!('code' in error) || typeof error.code !== 'string' || !('syscall' in error)) return false;
  return codes.length === 0 || codes.includes(error.code);
}

/** `ERR_WRITE` about `path` for a system error; every other error unchanged. */
export function writeError(path: string, error: unknown): unknown {
  if (!hasCode(error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  const known = REASONS[code];
  const reason = known === undefined ? error.message : `${known.reason} (${code})`;
  return new ClientError('ERR_WRITE', `Cannot write "${printable(path)}": ${reason}`, {
    hint: known?.hint,
    cause: error,
  });
}

/**
 * Refuses to replace a file that nobody may write: renaming a new file over it would ignore its mode.
 * @throws {ClientError} `ERR_WRITE`
 */
export function checkWritable(path: string, mode: number): void {
  if ((mode & 0o222) !== 0) return;
  const octal = (mode & 0o777).toString(8).padStart(4, '0');
  throw new ClientError(
    'ERR_WRITE',
    `Cannot write "${printable(path)}": it is read-only (mode ${octal})`,
    { hint: `allow writing it (chmod u+w "${printable(path)}"), then run again` },
  );
}

const PERMISSION = 'check the permissions of the file and of its folder, then run again';
const SPACE = 'make room on the disk, then run again';

const REASONS: Readonly<Record<string, { readonly reason: string; readonly hint: string }>> = {
  EACCES: { reason: 'permission denied', hint: PERMISSION },
  EPERM: { reason: 'the system does not permit it', hint: PERMISSION },
  EROFS: { reason: 'the file system is read-only', hint: 'work in a copy that can be written' },
  ENOSPC: { reason: 'no space is left on the disk', hint: SPACE },
  EDQUOT: { reason: 'the disk quota is used up', hint: SPACE },
  EBUSY: { reason: 'the file is in use', hint: 'close the programs that use it, then run again' },
  EMFILE: { reason: 'too many files are open', hint: 'close other programs, then run again' },
};
