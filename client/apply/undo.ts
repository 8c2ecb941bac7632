/**
 * Undoes a transaction from its journal, in the run that failed or in a later one. It can be interrupted
 * and repeated: each step leaves a state from which it can continue.
 */
import { rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { printable } from '../../format/build/file-path.ts';
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
  for (const [index, write] of [...journal.writes.entries()].reverse()) {
    const undone = await undoWrite(project, journal.transaction, index, write, step);
    if (!undone) left.push(keptNote(journal.transaction, index, write));
  }
  for (const folder of made.toReversed()) {
    if ((await checkParents(project, `${folder}/x`)).length > 0) continue;
    step(`remove folder ${folder}`);
    try {
      await rmdir(join(project, folder));
    } catch (error) {
      // The folder contains another file now, so it is kept.
      if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error;
    }
  }
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
  step: Step,
): Promise<boolean> {
  const staged = stagedFile(project, transaction, 'new', index);
  const saved = stagedFile(project, transaction, 'old', index);
  const target = join(project, write.path);
  if ((await checkParents(project, write.path)).length > 0) return write.before === null;

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
  for (const folder of folders) {
    if ((await checkParents(project, `${folder}/x`)).length > 0) continue;
    step(`remove folder ${folder}`);
    try {
      await rmdir(join(project, folder));
    } catch (error) {
      if (!hasCode(error)) throw error;
    }
  }
}
