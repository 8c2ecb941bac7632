/** Reads the project that a command works in: its lock, and the files that a plan may change. */
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FormatError } from '../../format/errors.ts';
import { LOCK_FILE, isNeverWritten } from '../../format/build/protected-path.ts';
import { LOCK_VERSION, parseLock, type Lock } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import type { Snapshot } from '../plan/plan.ts';
import { checkParents, checkPath } from './safe-path.ts';
import { printable } from '../../format/build/file-path.ts';
import { wireTargetProblem } from '../../format/wiring/wire-info.ts';
import { chooseProject, type ProjectChoice } from './choose-project.ts';

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

/** @throws {ClientError} `ERR_LOCK` when `lock` names a path that is never written */
function checkLockPaths({ builds, made }: Lock): void {
  for (const [id, { files, pip, wiring = [] }] of Object.entries(builds)) {
    const edited = Object.values(pip).map(({ file }) => file);
    for (const path of [...Object.keys(files), ...edited]) check(path, `build "${id}"`);
    for (const { file, verb } of wiring) checkWired(file, verb, id);
  }
  for (const mark of made) {
    const folder = mark.endsWith('/') ? `${mark}x` : mark.replace(/#.*$/s, '');
    check(folder, `"made"`);
  }
}

function check(path: string, place: string): void {
  if (isNeverWritten(path)) throw refused(path, place);
}

/** No step of a guide could have been carried out there: taking it out would delete what the user wrote. */
function checkWired(path: string, verb: string, id: string): void {
  if (wireTargetProblem(path, verb) !== undefined) throw refused(path, `"wiring" of "${id}"`);
}

function refused(path: string, place: string): ClientError {
  return new ClientError(
    'ERR_LOCK',
    `Cannot use "${LOCK_FILE}": ${place} names "${printable(path)}", which no build may write`,
    { hint: `restore "${LOCK_FILE}" from version control, and look who changed it` },
  );
}

/** `undefined` where no project or no lock is found. @throws {ClientError} `ERR_LOCK` */
export function lockIfAny(choice: ProjectChoice): Lock | undefined {
  let project: string;
  try {
    project = chooseProject(choice);
  } catch (error) {
    // A folder that is named must be there.
    const codes = choice.isCwdGiven ? ['ERR_NO_PROJECT'] : ['ERR_NO_PROJECT', 'ERR_USAGE'];
    const isNone = error instanceof ClientError && codes.includes(error.code);
    if (isNone && choice.workspace === undefined) return undefined;
    throw error;
  }
  return readLock(project);
}
