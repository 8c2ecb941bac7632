/** Reads the project that a command works in: its lock, and the files that a plan may change. */
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FormatError } from '../../format/errors.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import type { Lock } from '../../format/lock/lock.ts';
import { LOCK_VERSION, parseLock } from '../../format/lock/lock.ts';
import { ClientError } from '../errors.ts';
import type { Snapshot } from '../plan/plan.ts';
import { checkLockPaths } from './lock-paths.ts';
import { checkParents, checkPath } from './safe-path.ts';

/**
 * The project's lock, or `undefined` when no build was installed yet.
 * @throws {ClientError} `ERR_LOCK`
 */
export function readLock(project: string): Lock | undefined {
  const file = join(project, LOCK_FILE);
  if (!existsSync(file)) return undefined;
  const bytes = readFileSync(file);
  if (/^(?:<{7}|={7}|>{7})/m.test(bytes.toString())) {
    throw new ClientError('ERR_LOCK', `Cannot read "${LOCK_FILE}": it contains merge markers`, {
      hint: 'keep both sides: each build is a separate block',
    });
  }
  try {
    const lock = parseLock(bytes, `"${LOCK_FILE}"`);
    checkLockPaths(lock);
    return lock;
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    throw new ClientError('ERR_LOCK', cause.message, {
      cause,
      hint: isNewer(bytes)
        ? 'use a newer stackyard'
        : `restore "${LOCK_FILE}" from version control`,
    });
  }
}

function isNewer(bytes: Buffer): boolean {
  try {
    const { lockVersion } = JSON.parse(bytes.toString()) as { readonly lockVersion?: unknown };
    return typeof lockVersion === 'number' && lockVersion > LOCK_VERSION;
  } catch {
    return false;
  }
}

/** The project's lock. @throws {ClientError} `ERR_LOCK` also when no build was installed yet */
export function requireLock(project: string): Lock {
  const lock = readLock(project);
  if (lock !== undefined) return lock;
  throw new ClientError('ERR_LOCK', `There is no "${LOCK_FILE}" in "${project}"`, {
    hint: 'no build is installed here yet: stackyard add <owner>/<name>',
  });
}

/**
 * Reads those of `paths` that are regular files; `checkTargets` reports links and folders at the others.
 * @throws {ClientError} `ERR_PATH_POLICY` when a symlink or a file is in the place of a parent folder
 */
export async function takeSnapshot(project: string, paths: Iterable<string>): Promise<Snapshot> {
  const files = new Map<string, Uint8Array>();
  const missingFolders = new Set<string>();
  const links = new Set<string>();
  for (const path of new Set(paths)) {
    checkPath(path);
    const missing = await checkParents(project, path);
    for (const folder of missing) missingFolders.add(folder);
    const file = join(project, path);
    const status = missing.length > 0 ? undefined : lstatSync(file, { throwIfNoEntry: false });
    if (status?.isSymbolicLink() === true) links.add(path);
    if (status?.isFile() !== true) continue;
    files.set(path, readFileSync(file));
  }
  return { project: files, missingFolders, links };
}
