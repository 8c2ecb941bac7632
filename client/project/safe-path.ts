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
import { ClientError } from '../errors.ts';
import { hasCode, writeError } from './write-error.ts';
import { normalize } from '../../format/unicode.ts';

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
    (entry) => collisionKey(entry) === key && !(exists && normalize(entry, 'NFC') === name),
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
