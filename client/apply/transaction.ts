/**
 * Applies a list of file changes to a project completely or not at all. New contents and copies of the
 * originals are staged first, then the journal is written, then the changes are made; the commit file is
 * the last. `undo.ts` recovers from a run that was killed.
 */
import { mkdir, unlink, chmod, chown, lstat, readFile, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { WORK_FOLDER } from '../../format/build/protected-path.ts';
import { ClientError } from '../errors.ts';
import { removeEmptiedFolders, undo } from './undo.ts';
import {
  dropJournal,
  readJournal,
  stagedName,
  stagingPath,
  syncFolder,
  writeJournal,
  writeDurably,
  type Journal,
  type Step,
  type JournalWrite,
} from './journal.ts';
import { deleteFile, integrityAt, placeNew, placeOver } from './placement.ts';
import {
  checkParents,
  checkTargets,
  hasCode,
  writeError,
  checkWritable,
} from '../project/safe-path.ts';
import { dropIgnoreFile, dropWorkFolder, ignoreWorkFolder, makeWorkFolder } from './work-folder.ts';
import type { FileChange } from '../plan/plan.ts';
import { printable } from '../../format/build/file-path.ts';
import { integrityOf } from '../../format/archive/integrity.ts';

interface ApplyOptions {
  /** Folders to remove after the commit if they are empty. */
  readonly emptied?: readonly string[];
  /** An abort before the commit rolls everything back. */
  readonly signal?: AbortSignal;
  /** Called with a label before every change of the file system; may throw, or kill the process. */
  readonly step?: Step;
}

/**
 * Applies `changes`, then `commit`, whose rename or deletion is the commit point. Call it while holding the
 * project's lock and after `recover`. On an error it rolls everything back and rethrows the error.
 * @throws {ClientError} `ERR_INTERRUPTED` for an abort, `ERR_PROJECT_CHANGED` when a file is not as
 * expected, `ERR_PATH_POLICY`, `ERR_CONFLICT`, `ERR_WRITE` when the system refuses, `ERR_JOURNAL` when
 * an interrupted run was not recovered or a file changed again before the roll-back
 */
export async function applyChanges(
  project: string,
  changes: readonly FileChange[],
  commit: FileChange,
  options: ApplyOptions = {},
): Promise<void> {
  const all = [...changes, commit];
  const step = options.step ?? (() => {});
  const guardedStep: Step = (label) => {
    checkAbort(options.signal);
    step(label);
  };
  checkAbort(options.signal);
  await checkTargets(
    project,
    all.map((change) => change.path),
  );
  for (const change of all) await checkExpected(project, change);

  guardedStep('make work folder');
  await makeWorkFolder(project);
  if ((await readJournal(project)) !== undefined) {
    throw new ClientError('ERR_JOURNAL', 'Cannot write: an interrupted run is not recovered', {
      hint: 'run the command again',
    });
  }
  const made: string[] = [];
  let journal: Journal | undefined;
  try {
    guardedStep('ignore work folder');
    await ignoreWorkFolder(project);
    const staged = await stage(project, all, options.emptied ?? [], guardedStep);
    journal = staged;
    await writeJournal(project, journal, guardedStep);
    for (const folder of journal.folders) await makeFolder(project, folder, made, guardedStep);
    for (const [index, change] of changes.entries()) {
      await carryOut(project, staged, index, change, guardedStep);
      await dropStagedName(project, staged, index, guardedStep);
    }
    await syncParents(project, changes);
    await carryOut(project, staged, changes.length, commit, guardedStep);
  } catch (error) {
    const known = writeError(WORK_FOLDER, error);
    await rollBack(project, journal, made, known, step);
    throw known;
  }
  await finish(project, journal, step);
}

async function makeFolder(
  project: string,
  folder: string,
  made: string[],
  step: Step,
): Promise<void> {
  try {
    await checkParents(project, folder);
    step(`make folder ${folder}`);
    await mkdir(join(project, folder));
    made.push(folder);
    await syncFolder(dirname(join(project, folder)));
  } catch (error) {
    // Created by another process meanwhile, so not ours to remove. Placing refuses a file or symlink here.
    if (!hasCode(error, 'EEXIST')) throw writeError(folder, error);
  }
}

async function carryOut(
  project: string,
  journal: Journal,
  index: number,
  change: FileChange,
  step: Step,
): Promise<void> {
  const staged = join(project, stagingPath(journal.transaction, 'new', stagedName(index)));
  const target = join(project, change.path);
  step(`${change.bytes === undefined ? 'delete' : 'place'} ${change.path}`);
  try {
    await checkParents(project, change.path);
    await checkExpected(project, change);
    if (change.bytes === undefined) await deleteFile(target);
    else if (change.expected === undefined) await placeNew(staged, target);
    else await placeOver(staged, target);
  } catch (error) {
    throw hasCode(error, 'EEXIST') ? changed(change.path, error) : writeError(change.path, error);
  }
}

async function dropStagedName(
  project: string,
  journal: Journal,
  index: number,
  step: Step,
): Promise<void> {
  // A replacement consumed its staged file.
  if (journal.writes[index]?.before !== null) return;
  step(`unlink staged ${stagedName(index)}`);
  try {
    await unlink(join(project, stagingPath(journal.transaction, 'new', stagedName(index))));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw writeError(WORK_FOLDER, error);
  }
}

/** Flushes the changes before the commit: after a power failure the commit implies all of them. */
async function syncParents(project: string, changes: readonly FileChange[]): Promise<void> {
  for (const folder of new Set(changes.map((change) => dirname(change.path)))) {
    await syncFolder(join(project, folder));
  }
}

async function rollBack(
  project: string,
  journal: Journal | undefined,
  made: readonly string[],
  cause: unknown,
  step: Step,
): Promise<void> {
  try {
    if (journal !== undefined) await undo(project, journal, made, step);
    await dropJournal(project, step);
    await dropIgnoreFile(project);
    await dropWorkFolder(project);
  } catch (error) {
    // The journal is kept: the next run continues from it.
    const known = error instanceof ClientError ? error : undefined;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ClientError(
      'ERR_JOURNAL',
      `${known?.message ?? 'Cannot undo the changes now'}; what failed first: ${reason}`,
      {
        hint: known?.hint ?? 'run the command again: it first undoes what is left',
        cause: new AggregateError([cause, error]),
      },
    );
  }
}

/** The transaction is committed: the rest is only cleanup, which `recover` does too. */
async function finish(project: string, journal: Journal, step: Step): Promise<void> {
  try {
    await syncFolder(project);
    await removeEmptiedFolders(project, journal, step);
    await dropJournal(project, step);
    await dropIgnoreFile(project);
    await dropWorkFolder(project);
  } catch {
    // Not an error of the run: the files are as requested.
  }
}

async function checkExpected(project: string, change: FileChange): Promise<void> {
  const now = await integrityAt(join(project, change.path));
  if (now !== change.expected) throw changed(change.path);
}

function checkAbort(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new ClientError('ERR_INTERRUPTED', 'Interrupted: nothing was changed', {
    cause: signal.reason,
  });
}

// Prepares a transaction: writes new contents and copies of the originals durably to a folder of its own.
// Changes no file of the project.

/** Stages new contents and copies of originals. @returns the journal, not yet written */
async function stage(
  project: string,
  all: readonly FileChange[],
  emptied: readonly string[],
  step: Step,
): Promise<Journal> {
  const transaction = randomUUID();
  step('make staging');
  for (const part of ['new', 'old']) {
    const folder = stagingPath(transaction, part);
    await checkParents(project, folder);
    await mkdir(join(project, folder), { recursive: true });
  }
  const folders = new Set<string>();
  const entries: JournalWrite[] = [];
  for (const [index, write] of all.entries()) {
    try {
      for (const folder of await checkParents(project, write.path)) folders.add(folder);
      entries.push(await stageWrite(project, transaction, index, write, step));
    } catch (error) {
      throw writeError(write.path, error);
    }
  }
  for (const part of ['new', 'old'])
    await syncFolder(join(project, stagingPath(transaction, part)));
  return {
    journalVersion: 1,
    transaction,
    writes: entries,
    folders: [...folders],
    emptied: [...emptied],
  };
}

async function stageWrite(
  project: string,
  transaction: string,
  index: number,
  write: FileChange,
  step: Step,
): Promise<JournalWrite> {
  const name = stagedName(index);
  const staged = join(project, stagingPath(transaction, 'new', name));
  const saved = join(project, stagingPath(transaction, 'old', name));
  const target = join(project, write.path);
  let mode = (write.executable ? 0o755 : 0o644) & ~process.umask();
  step(`stage ${write.path}`);
  if (write.expected === undefined) {
    await writeDurably(staged, write.bytes!, mode);
  } else {
    const status = await lstat(target);
    const original = await readFile(target);
    if (integrityOf(original) !== write.expected) throw changed(write.path);
    if (write.bytes !== undefined) checkWritable(write.path, status.mode);
    const before = status.mode & 0o7777;
    // Everyone who may read the file may then also run it.
    mode = write.executable ? before | ((before & 0o444) >> 2) : before;
    if (write.bytes !== undefined) {
      await writeDurably(staged, write.bytes, mode);
      await giveOwner(staged, status, mode);
    }
    step(`save ${write.path}`);
    await writeDurably(saved, original, before);
    await giveOwner(saved, status, before);
    await utimes(saved, status.atime, status.mtime);
  }
  return {
    path: write.path,
    before: write.expected ?? null,
    after: write.bytes === undefined ? null : integrityOf(write.bytes),
    mode,
  };
}

/** A replaced file keeps its owner, if the system permits it: root or a group member may run this. */
async function giveOwner(
  path: string,
  owner: { readonly uid: number; readonly gid: number },
  mode: number,
): Promise<void> {
  const own = await lstat(path);
  if (own.uid === owner.uid && own.gid === owner.gid) return;
  try {
    await chown(path, owner.uid, owner.gid);
    // chown clears the set-user and set-group bits.
    await chmod(path, mode);
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'EINVAL', 'ENOSYS')) throw error;
  }
}

/** The error for a file that differs from what the plan was made for. */
function changed(path: string, cause?: unknown): ClientError {
  return new ClientError(
    'ERR_PROJECT_CHANGED',
    `Cannot write "${printable(path)}": the file changed while the command ran`,
    { hint: 'run the command again', cause },
  );
}
