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
import type { FileChange } from '../plan/plan.ts';

/**
 * Checks that files can be written and deleted, without writing. A folder, or a name in other letters, may take the place of files
 * that are deleted.
 * @returns the folders in the way, in which no file is left then
 * @throws {ClientError} `ERR_PATH_POLICY`, `ERR_CONFLICT`
 */
export async function checkTargets(
  project: string,
  changes: readonly Pick<FileChange, 'path' | 'bytes'>[],
): Promise<Set<string>> {
  for (const { path } of changes) checkPath(path);
  const going = new Set(changes.flatMap((one) => (one.bytes === undefined ? one.path : [])));
  checkAmong(changes.flatMap(({ path }) => (going.has(path) ? [] : path)));
  const emptied = new Set<string>();
  const isLeaving = async (place: string): Promise<boolean> => {
    if (going.has(place) || emptied.has(place)) return true;
    const files = await filesIn(project, place);
    if (files === undefined || !files.every((file) => going.has(file))) return false;
    emptied.add(place);
    return true;
  };
  const listings = new Map<string, readonly string[]>();
  for (const { path } of changes) {
    const segments = path.split('/');
    for (const [depth, name] of segments.entries()) {
      const folder = segments.slice(0, depth).join('/');
      const place = segments.slice(0, depth + 1).join('/');
      const status = await statusOf(join(project, place), path);
      const listing = listings.get(folder) ?? (await namesIn(join(project, folder), path));
      listings.set(folder, listing);
      const twin = twinOf(name, listing, status !== undefined);
      const there = folder === '' || twin === undefined ? twin : `${folder}/${twin}`;
      if (there !== undefined && !(await isLeaving(there))) throw sameName(path, there);
      if (status === undefined || there !== undefined) break;
      const isParent = depth < segments.length - 1;
      if (isParent ? status.isDirectory() : status.isFile()) continue;
      if (going.has(path) || !(await isLeaving(place))) throw otherKind(path, place, status);
      break;
    }
  }
  return emptied;
}

/** The files in a folder and below it; `undefined` for anything but a folder. */
async function filesIn(project: string, folder: string): Promise<string[] | undefined> {
  if ((await statusOf(join(project, folder), folder))?.isDirectory() !== true) return undefined;
  const entries = await readdir(join(project, folder), { withFileTypes: true });
  const files = entries.map(async (entry): Promise<string[]> => {
    const path = `${folder}/${entry.name}`;
    return (await filesIn(project, path)) ?? [path];
  });
  return (await Promise.all(files)).flat();
}

/** Whether `path` is there in these letters: some disks open a file by other ones. */
export async function isSpelled(project: string, path: string): Promise<boolean> {
  const at = path.lastIndexOf('/');
  const folder = path.slice(0, Math.max(0, at));
  if (folder !== '' && !(await isSpelled(project, folder))) return false;
  const names = await readdir(join(project, folder)).catch((): string[] => []);
  return names.some((name) => name.normalize('NFC') === path.slice(at + 1));
}

/**
 * Checks the parent folders of `path` as they are now; called again right before each change.
 * @param going collision keys of what makes room for folders
 * @returns the missing folders, outermost first
 * @throws {ClientError} `ERR_PATH_POLICY`
 */
export async function checkParents(
  project: string,
  path: string,
  going?: ReadonlySet<string>,
): Promise<string[]> {
  const segments = path.split('/');
  for (let depth = 1; depth < segments.length; depth++) {
    const folder = segments.slice(0, depth);
    const status = await statusOf(join(project, ...folder), path);
    if (status === undefined || going?.has(collisionKey(folder.join('/'))) === true) {
      return segments
        .slice(depth, -1)
        .reduce((missing, name) => [...missing, `${missing.at(-1)}/${name}`], [folder.join('/')]);
    }
    if (!status.isDirectory()) throw otherKind(path, folder.join('/'), status);
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

/** The entry that some systems take for `name`. */
function twinOf(name: string, listing: readonly string[], exists: boolean): string | undefined {
  if (listing.includes(name)) return undefined;
  const key = collisionKey(name);
  // A file system that stores another normal form lists the same entry in that form.
  return listing.find(
    (entry) => collisionKey(entry) === key && !(exists && entry.normalize('NFC') === name),
  );
}

function sameName(path: string, twin: string): ClientError {
  const there = printable(twin);
  return new ClientError(
    'ERR_CONFLICT',
    `Cannot write "${printable(path)}": the project has "${there}", which some systems treat as the same name`,
    { hint: `rename or remove "${there}", then run again` },
  );
}

function otherKind(path: string, place: string, status: Stats): ClientError {
  const kind = status.isSymbolicLink()
    ? 'a symlink'
    : status.isDirectory()
      ? 'a folder'
      : status.isFile()
        ? 'a file'
        : 'a special file';
  return policy(path, `"${printable(place)}" is ${kind}`);
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
