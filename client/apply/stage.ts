/**
 * Prepares a transaction: writes new contents and copies of the originals durably to a folder of its own.
 * Changes no file of the project.
 */
import { randomUUID } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { integrityOf } from '../../format/archive/integrity.ts';
import { printable } from '../../format/build/file-path.ts';
import { ClientError } from '../errors.ts';
import type { FileChange } from '../plan/plan.ts';
import { checkParents, checkWritable, hasCode, writeError } from '../project/safe-path.ts';
import {
  type Journal,
  type JournalWrite,
  stagedFile,
  stagingPath,
  type Step,
  syncFolder,
  writeDurably,
} from './journal.ts';

/**
 * Stages new contents and copies of originals. @returns the journal, not yet written
 * @param going collision keys of the files and folders that make room for others
 */
export async function stage(
  project: string,
  all: readonly FileChange[],
  emptied: readonly string[],
  going: ReadonlySet<string>,
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
    const room = write.expected === undefined ? going : undefined;
    try {
      for (const folder of await checkParents(project, write.path, room)) folders.add(folder);
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
  const staged = stagedFile(project, transaction, 'new', index);
  const saved = stagedFile(project, transaction, 'old', index);
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
    // Everyone who may read an executable file may also run it.
    const runnable = before | ((before & 0o444) >> 2);
    mode = write.executable === undefined ? before : write.executable ? runnable : before & ~0o111;
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
export function changed(path: string, cause?: unknown): ClientError {
  return new ClientError(
    'ERR_PROJECT_CHANGED',
    `Cannot write "${printable(path)}": the file changed while the command ran`,
    { hint: 'run the command again', cause },
  );
}
