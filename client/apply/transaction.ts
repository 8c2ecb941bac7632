/**
 * Applies a list of file changes to a project completely or not at all. New contents and copies of the
 * originals are staged first, then the journal is written, then the changes are made; the commit file is
 * the last. `undo.ts` recovers from a run that was killed.
 */
import { mkdir, readdir, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { collisionKey } from '../../format/build/file-path.ts';
import { WORK_FOLDER } from '../../format/build/protected-path.ts';
import { ClientError } from '../errors.ts';
import type { FileChange } from '../plan/plan.ts';
import { checkParents, checkTargets, hasCode, writeError } from '../project/safe-path.ts';
import {
  endTransaction,
  type Journal,
  readJournal,
  stagedFile,
  stagedName,
  type Step,
  syncFolder,
  writeJournal,
} from './journal.ts';
import { deleteFile, integrityAt, placeNew, placeOver } from './placement.ts';
import { changed, stage } from './stage.ts';
import { removeEmptiedFolders, undo } from './undo.ts';
import { ignoreWorkFolder, makeWorkFolder } from './work-folder.ts';

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
  const rank = ({ bytes }: FileChange): number => (bytes === undefined ? 0 : 1);
  const sorted = changes.toSorted((a, b) => rank(a) - rank(b));
  const all = [...sorted, commit];
  const step = options.step ?? (() => {});
  const guardedStep: Step = (label) => {
    checkAbort(options.signal);
    step(label);
  };
  checkAbort(options.signal);
  const inTheWay = await checkTargets(project, all);
  const deleted = all.filter((change) => rank(change) === 0).map(({ path }) => path);
  const going = new Set([...deleted, ...inTheWay].map(collisionKey));
  for (const change of all) {
    const isFreed = change.expected === undefined && going.has(collisionKey(change.path));
    if (!isFreed) await checkExpected(project, change);
  }

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
    const staged = await stage(project, all, options.emptied ?? [], going, guardedStep);
    journal = staged;
    await writeJournal(project, journal, guardedStep);
    const first = sorted.findIndex((change) => rank(change) > 0);
    for (const [index, change] of sorted.entries()) {
      if (index === first) {
        for (const folder of inTheWay) await clearFolder(project, folder, guardedStep);
        for (const folder of journal.folders) await makeFolder(project, folder, made, guardedStep);
      }
      await carryOut(project, staged, index, change, guardedStep);
      await dropStagedName(project, staged, index, guardedStep);
    }
    await syncParents(project, sorted);
    await carryOut(project, staged, sorted.length, commit, guardedStep);
  } catch (error) {
    const known = writeError(WORK_FOLDER, error);
    await rollBack(project, journal, made, known, step);
    throw known;
  }
  await finish(project, journal, step);
}

/** Removes a folder in which only folders are left. */
async function clearFolder(project: string, folder: string, step: Step): Promise<void> {
  await checkParents(project, folder);
  const place = join(project, folder);
  for (const entry of await readdir(place, { withFileTypes: true })) {
    if (entry.isDirectory()) await clearFolder(project, `${folder}/${entry.name}`, step);
  }
  step(`remove folder ${folder}`);
  try {
    await rmdir(place);
  } catch (error) {
    throw hasCode(error, 'ENOTEMPTY', 'EEXIST')
      ? changed(folder, error)
      : writeError(folder, error);
  }
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
  const staged = stagedFile(project, journal.transaction, 'new', index);
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
    await unlink(stagedFile(project, journal.transaction, 'new', index));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw writeError(WORK_FOLDER, error);
  }
}

/** Flushes the changes before the commit: after a power failure the commit implies all of them. */
async function syncParents(project: string, changes: readonly FileChange[]): Promise<void> {
  for (const folder of new Set(changes.map((change) => dirname(change.path)))) {
    // It went with its files where another one took its place.
    await syncFolder(join(project, folder)).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error;
    });
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
    await endTransaction(project, step);
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
    await endTransaction(project, step);
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
