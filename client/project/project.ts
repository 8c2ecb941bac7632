/** Reads the project that a command works in: its lock, and the files that a plan may change. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { FormatError } from '../../format/errors.ts';
import { LOCK_FILE, isNeverWritten } from '../../format/build/protected-path.ts';
import { LOCK_VERSION, parseLock, type Lock } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import type { Snapshot } from '../plan/plan.ts';
import { sidesOf, uniteLocks } from '../plan/unite-locks.ts';
import { readGitBlob } from './folder-git.ts';
import { statusAt } from './read-file.ts';
import { checkParents, checkPath, isSpelled } from './safe-path.ts';
import { collisionKey, printable } from '../../format/build/file-path.ts';
import { wireTargetProblem } from '../../format/wiring/wire-info.ts';
import { chooseProject, type ProjectChoice } from './choose-project.ts';

/** The path of a file from the root of a project; it leads out of it where it begins with `../`. @param text from the root, or absolute */
export function insidePath(project: string, text: string): string {
  return relative(project, resolve(project, text)).split(sep).join('/');
}

/**
 * The project's lock, or `undefined` when no build was installed yet.
 * @throws {ClientError} `ERR_LOCK`
 */
export function readLock(project: string): Lock | undefined {
  const file = join(project, LOCK_FILE);
  if (!existsSync(file)) return undefined;
  const bytes = readFileSync(file);
  try {
    const lock = isJson(bytes) ? parse(bytes) : unitedLock(project, bytes);
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

function parse(bytes: Uint8Array): Lock {
  return parseLock(bytes, `"${LOCK_FILE}"`);
}

/** The union of the sides of a merge: those that git has, also where the markers alone were taken out, or those between markers. */
function unitedLock(project: string, bytes: Buffer): Lock {
  const [staged, ours, theirs] = [1, 2, 3].map((stage) =>
    readGitBlob(project, `:${stage}:./${LOCK_FILE}`),
  );
  if (ours !== undefined && theirs !== undefined) {
    return uniteLocks(parse(ours), parse(theirs), staged && tryParse(staged));
  }
  const sides = sidesOf(bytes.toString());
  if (sides === undefined) return parse(bytes);
  const [own, other, base] = (['ours', 'theirs', 'base'] as const).map((side) =>
    tryParse(Buffer.from(sides.get(side) ?? '')),
  );
  if (own !== undefined && other !== undefined) return uniteLocks(own, other, base);
  throw new FormatError(
    'ERR_DOCUMENT',
    `"${LOCK_FILE}" has merge markers, and no lock on both sides of them`,
  );
}

function tryParse(bytes: Buffer): Lock | undefined {
  try {
    return parse(bytes);
  } catch {
    return undefined;
  }
}

/** Whether a lock is no text that git or a user has left of a merge. */
export function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(bytes).toString());
    return true;
  } catch {
    return false;
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
  const wanted = new Set(paths);
  const spellings = Map.groupBy(wanted, collisionKey);
  // A file of an old version may be where the new one has a folder.
  for (const path of wanted) checkPath(path);
  const isThere = (path: string): boolean => statusAt(join(project, path))?.isFile() === true;
  const going = new Set([...wanted].filter(isThere).map(collisionKey));
  for (const path of wanted) {
    const missing = await checkParents(project, path, going);
    for (const folder of missing) missingFolders.add(folder);
    const isOther = spellings.get(collisionKey(path))!.length > 1;
    if (isOther && !(await isSpelled(project, path))) continue;
    const status = missing.length > 0 ? undefined : statusAt(join(project, path));
    if (status?.isSymbolicLink() === true) links.add(path);
    if (status?.isFile() !== true) continue;
    files.set(path, readFileSync(join(project, path)));
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
