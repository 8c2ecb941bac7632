/**
 * Undoes a transaction from its journal, in the run that failed or in a later one. It can be interrupted
 * and repeated: each step leaves a state from which it can continue.
 */
import { mkdir, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { collisionKey, printable } from '../../format/build/file-path.ts';
import { ClientError } from '../errors.ts';
import { checkParents, hasCode } from '../project/safe-path.ts';
import {
  type Journal,
  type JournalWrite,
  stagedFile,
  stagedName,
  stagingPath,
  type Step,
  syncFolder,
} from './journal.ts';
import { integrityAt, isClaimed, isPlaced, placeOver } from './placement.ts';

/**
 * Restores what the transaction changed, last change first. A file that was changed since is kept; all
 * others are restored.
 * @param made the folders to remove if they are empty, outermost first
 * @throws {ClientError} `ERR_JOURNAL` when a file was changed since; the journal must then be kept
 */
export async function undo(
  project: string,
  journal: Journal,
  made: readonly string[],
  step: Step,
): Promise<void> {
  const left: string[] = [];
  const { writes, transaction } = journal;
  const deleted = writes.slice(0, -1).filter(({ after }) => after === null);
  const going = new Set(deleted.map(({ path }) => collisionKey(path)));
  const undoAll = async (isDeletion: boolean): Promise<void> => {
    for (const [index, write] of [...writes.entries()].reverse()) {
      if (deleted.includes(write) !== isDeletion) continue;
      const undone = await undoWrite(project, transaction, index, write, going, step);
      if (!undone) left.push(keptNote(transaction, index, write));
    }
  };
  await undoAll(false);
  for (const folder of made.toReversed()) {
    if ((await checkParents(project, folder, going)).length > 0) continue;
    step(`remove folder ${folder}`);
    try {
      await rmdir(join(project, folder));
    } catch (error) {
      // The folder contains another file now, so it is kept; or a file is still there.
      if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR')) throw error;
    }
  }
  await undoAll(true);
  if (left.length === 0) return;
  throw new ClientError(
    'ERR_JOURNAL',
    `Cannot completely undo an interrupted run, because files were changed since: ${left.join(', ')}`,
    { hint: 'all other files are as before; correct these, delete ".stackyard" and run again' },
  );
}

/** @returns false when the file has neither the new bytes nor the original ones */
async function undoWrite(
  project: string,
  transaction: string,
  index: number,
  write: JournalWrite,
  going: ReadonlySet<string>,
  step: Step,
): Promise<boolean> {
  const staged = stagedFile(project, transaction, 'new', index);
  const saved = stagedFile(project, transaction, 'old', index);
  const target = join(project, write.path);
  const room = write.before === null ? going : undefined;
  const missing = await checkParents(project, write.path, room);
  if (missing.length > 0 && write.after !== null) return write.before === null;

  // A deletion has no staged file: below, its saved copy shows whether it is still to be restored.
  if (!(await isPlaced(staged, target))) {
    // Never put in place: the present file is the original, or was created by another process.
    if (write.before === null && (await isClaimed(staged, target))) {
      step(`remove ${write.path}`);
      await unlink(target);
    }
    return true;
  }
  const now = await integrityAt(target);
  if (write.before === null) {
    if (now === undefined) return true;
    if (now !== write.after) return false;
    step(`remove ${write.path}`);
    await unlink(target);
  } else {
    const original = await integrityAt(saved);
    // The copy is missing once it was restored.
    if (original === undefined) return now === write.before;
    if (now !== (write.after ?? undefined) || original !== write.before)
      return now === write.before;
    step(`restore ${write.path}`);
    for (const folder of missing) await mkdir(join(project, folder));
    await placeOver(saved, target);
  }
  await syncFolder(dirname(target));
  return true;
}

function keptNote(transaction: string, index: number, write: JournalWrite): string {
  const path = `"${printable(write.path)}"`;
  if (write.before === null) return `${path} (was not there)`;
  return `${path} (original: "${stagingPath(transaction, 'old', stagedName(index))}")`;
}

/**
 * Removes those of the journal's `emptied` folders that are empty, innermost first. May be repeated. A
 * folder that the system refuses to remove is kept: the files are as requested.
 */
export async function removeEmptiedFolders(
  project: string,
  journal: Journal,
  step: Step,
): Promise<void> {
  const folders = [...journal.emptied].sort((a, b) => b.length - a.length);
  const files = new Set(journal.writes.map(({ path }) => collisionKey(path)));
  for (const folder of folders) {
    // Where a new file is, the folder has gone.
    if ((await checkParents(project, folder, files)).length > 0) continue;
    step(`remove folder ${folder}`);
    try {
      await rmdir(join(project, folder));
    } catch (error) {
      if (!hasCode(error)) throw error;
    }
  }
}
