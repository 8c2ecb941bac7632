/**
 * A list of file writes, applied to a project all or nothing. New contents and copies of the originals
 * are staged beside the project's files, then the journal, then the changes; the commit file comes
 * last. `recover.ts` clears up after a run that was killed.
 */
import { randomUUID } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readFile, unlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { printable } from '../../format/file-path.ts';
import { integrityOf } from '../../format/integrity.ts';
import { WORK_FOLDER } from '../../format/protected-path.ts';
import { ClientError } from '../errors.ts';
import type { Journal, JournalWrite, Step } from './journal.ts';
import { dropJournal, readJournal, stagedName, stagingPath } from './journal.ts';
import { syncFolder, writeDurably, writeJournal } from './journal.ts';
import { integrityAt, placeNew, placeOver } from './placement.ts';
import { checkParents, checkTargets } from './safe-path.ts';
import { undo } from './undo.ts';
import { dropIgnoreFile, dropWorkFolder, ignoreWorkFolder, makeWorkFolder } from './work-folder.ts';
import { hasCode, writeError } from './write-error.ts';

export interface FileWrite {
  /** Relative to the project, `/`-separated. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
  /** Integrity of the bytes that are there now; `undefined`: nothing is there. */
  readonly expected: string | undefined;
}

export interface ApplyOptions {
  /** Rolls everything back when it aborts before the commit. */
  readonly signal?: AbortSignal;
  /** Called before every change of the file system with a label; may throw, or kill the process. */
  readonly step?: Step;
}

/**
 * Applies `writes`, then `commit`, whose rename is the commit point. Call it while holding the
 * project's lock and after `recover`. On an error everything is rolled back and the error rethrown.
 * @throws {ClientError} `ERR_INTERRUPTED` for an abort, `ERR_PROJECT_CHANGED` when a file is not as
 * expected, `ERR_PATH_POLICY`, `ERR_CONFLICT`, `ERR_WRITE` when the system refuses, `ERR_JOURNAL` when
 * an interrupted run was not recovered or a file changed again before the roll-back
 */
export async function applyWrites(
  project: string,
  writes: readonly FileWrite[],
  commit: FileWrite,
  options: ApplyOptions = {},
): Promise<void> {
  const all = [...writes, commit];
  const step = options.step ?? (() => {});
  const guardedStep: Step = (label) => {
    checkAbort(options.signal);
    step(label);
  };
  checkAbort(options.signal);
  await checkTargets(
    project,
    all.map((write) => write.path),
  );
  for (const write of all) await checkExpected(project, write);

  guardedStep('make work folder');
  await makeWorkFolder(project);
  if ((await readJournal(project)) !== undefined) {
    throw new ClientError('ERR_JOURNAL', 'Cannot write: an interrupted run is not cleared up', {
      hint: 'run the command again',
    });
  }
  const made: string[] = [];
  let journal: Journal | undefined;
  try {
    guardedStep('ignore work folder');
    await ignoreWorkFolder(project);
    const staged = await stage(project, all, guardedStep);
    journal = staged;
    await writeJournal(project, journal, guardedStep);
    for (const folder of journal.folders) await makeFolder(project, folder, made, guardedStep);
    for (const [index, write] of writes.entries()) {
      await place(project, staged, index, write, guardedStep);
      await dropStagedName(project, staged, index, guardedStep);
    }
    await syncParents(project, writes);
    await place(project, staged, writes.length, commit, guardedStep);
  } catch (error) {
    const known = writeError(WORK_FOLDER, error);
    await rollBack(project, journal, made, known, step);
    throw known;
  }
  await finish(project, step);
}

/** Stages new contents and copies of originals. @returns the journal, not yet written */
async function stage(project: string, all: readonly FileWrite[], step: Step): Promise<Journal> {
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
  return { journalVersion: 1, transaction, writes: entries, folders: [...folders] };
}

async function stageWrite(
  project: string,
  transaction: string,
  index: number,
  write: FileWrite,
  step: Step,
): Promise<JournalWrite> {
  const name = stagedName(index);
  const staged = join(project, stagingPath(transaction, 'new', name));
  const saved = join(project, stagingPath(transaction, 'old', name));
  const target = join(project, write.path);
  let mode = (write.executable ? 0o755 : 0o644) & ~process.umask();
  step(`stage ${write.path}`);
  if (write.expected === undefined) {
    await writeDurably(staged, write.bytes, mode);
  } else {
    const status = await lstat(target);
    const original = await readFile(target);
    if (integrityOf(original) !== write.expected) throw changed(write.path);
    const before = status.mode & 0o7777;
    // Who may read the file may then also run it.
    mode = write.executable ? before | ((before & 0o444) >> 2) : before;
    await writeDurably(staged, write.bytes, mode);
    await giveOwner(staged, status, mode);
    step(`save ${write.path}`);
    await writeDurably(saved, original, before);
    await giveOwner(saved, status, before);
    await utimes(saved, status.atime, status.mtime);
  }
  return {
    path: write.path,
    before: write.expected ?? null,
    after: integrityOf(write.bytes),
    mode,
  };
}

/** A file that root or a group member replaces keeps its owner, where the system allows it. */
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
    // Made by somebody else meanwhile: theirs to remove. A file or symlink is refused when placing.
    if (!hasCode(error, 'EEXIST')) throw writeError(folder, error);
  }
}

async function place(
  project: string,
  journal: Journal,
  index: number,
  write: FileWrite,
  step: Step,
): Promise<void> {
  const staged = join(project, stagingPath(journal.transaction, 'new', stagedName(index)));
  const target = join(project, write.path);
  step(`place ${write.path}`);
  try {
    await checkParents(project, write.path);
    await checkExpected(project, write);
    if (write.expected === undefined) await placeNew(staged, target);
    else await placeOver(staged, target);
  } catch (error) {
    throw hasCode(error, 'EEXIST') ? changed(write.path, error) : writeError(write.path, error);
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

/** What was placed is durable before the commit is: after a power cut the commit implies the rest. */
async function syncParents(project: string, writes: readonly FileWrite[]): Promise<void> {
  for (const folder of new Set(writes.map((write) => dirname(write.path)))) {
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
    // The journal stays: the next run takes it from here.
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

/** The transaction is in effect: what fails from here on is only tidying, which `recover` does too. */
async function finish(project: string, step: Step): Promise<void> {
  try {
    await syncFolder(project);
    await dropJournal(project, step);
    await dropIgnoreFile(project);
    await dropWorkFolder(project);
  } catch {
    // Not an error of the run: the files are as asked.
  }
}

async function checkExpected(project: string, write: FileWrite): Promise<void> {
  const now = await integrityAt(join(project, write.path));
  if (now !== write.expected) throw changed(write.path);
}

function checkAbort(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new ClientError('ERR_INTERRUPTED', 'Interrupted: nothing was changed', {
    cause: signal.reason,
  });
}

function changed(path: string, cause?: unknown): ClientError {
  return new ClientError(
    'ERR_PROJECT_CHANGED',
    `Cannot write "${printable(path)}": the file changed while the command ran`,
    { hint: 'run the command again', cause },
  );
}
