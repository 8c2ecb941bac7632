/**
 * The journal of a transaction, `.stackyard/journal.json`: the planned changes. It is on disk before the
 * first change and deleted after the last. It is renamed into place, so it is complete or missing. A
 * hostile checkout may contain one, so it is untrusted.
 */
import { lstat, open, readFile, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { INTEGRITY_PATTERN } from '../../format/archive/integrity.ts';
import { WORK_FOLDER } from '../../format/build/protected-path.ts';
import { ClientError } from '../errors.ts';
import { checkParents, checkPath, hasCode } from '../project/safe-path.ts';
import { dropIgnoreFile, dropWorkFolder } from './work-folder.ts';

const JOURNAL_FILE = 'journal.json';
const TMP_FOLDER = 'tmp';

const Integrity = z.string().regex(INTEGRITY_PATTERN);

const JournalWrite = z.object({
  path: z.string(),
  before: Integrity.nullable().describe('Digest of what is there; null: nothing is.'),
  after: Integrity.nullable().describe('Digest of what will be there; null: nothing will.'),
  mode: z.int().min(0).max(0o7777).describe('Mode bits that the file will have.'),
});

const Journal = z.object({
  journalVersion: z.literal(1),
  transaction: z.string().regex(/^[0-9a-f-]{36}$/),
  writes: z.array(JournalWrite).min(1).describe('In order; the last is the commit.'),
  folders: z.array(z.string()).describe('Folders that will be made, outermost first.'),
  emptied: z
    .array(z.string())
    .default([])
    .describe('Folders to remove after the commit if they are empty.'),
});

export type Journal = z.infer<typeof Journal>;
export type JournalWrite = z.infer<typeof JournalWrite>;

/** Called with a label before every change of the file system; may throw. */
export type Step = (label: string) => void;

/** `.stackyard/tmp/<transaction>/<part>`, relative to the project. */
export function stagingPath(transaction: string, ...part: readonly string[]): string {
  return [WORK_FOLDER, TMP_FOLDER, transaction, ...part].join('/');
}

/** The new content of the write with this index, or its original. */
export function stagedFile(
  project: string,
  transaction: string,
  part: 'new' | 'old',
  index: number,
): string {
  return join(project, stagingPath(transaction, part, stagedName(index)));
}

/** Name of the staged and of the saved file of the write with this index. */
export function stagedName(index: number): string {
  return String(index).padStart(4, '0');
}

/** The journal that an interrupted run left. @throws {ClientError} `ERR_JOURNAL`, `ERR_PATH_POLICY` */
export async function readJournal(project: string): Promise<Journal | undefined> {
  const path = join(project, WORK_FOLDER, JOURNAL_FILE);
  let text: string;
  try {
    if (!(await lstat(path)).isFile()) throw unreadable('it is not a file');
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw hasCode(error) ? unreadable(error.message, error) : error;
  }
  const journal = parseJournal(text);
  for (const { path: target } of journal.writes) checkPath(target);
  for (const folder of [...journal.folders, ...journal.emptied]) checkPath(folder);
  for (const part of ['new', 'old']) {
    await checkParents(project, stagingPath(journal.transaction, part, stagedName(0)));
  }
  return journal;
}

/** Writes `journal` completely and durably. */
export async function writeJournal(project: string, journal: Journal, step: Step): Promise<void> {
  const temporary = join(project, stagingPath(journal.transaction, JOURNAL_FILE));
  step('write journal');
  await writeDurably(temporary, Buffer.from(`${JSON.stringify(journal)}\n`), 0o600);
  step('publish journal');
  await rename(temporary, join(project, WORK_FOLDER, JOURNAL_FILE));
  await syncFolder(join(project, WORK_FOLDER));
}

/** Ends a transaction: deletes the journal first, so that the files that it refers to outlive it. */
export async function endTransaction(project: string, step: Step): Promise<void> {
  const journal = join(project, WORK_FOLDER, JOURNAL_FILE);
  try {
    step('delete journal');
    await unlink(journal);
    await syncFolder(join(project, WORK_FOLDER));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  step('delete staging');
  await rm(join(project, WORK_FOLDER, TMP_FOLDER), { recursive: true, force: true });
  await dropIgnoreFile(project);
  await dropWorkFolder(project);
}

/** Creates a file that must not exist; its bytes are on disk when this resolves. */
export async function writeDurably(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Flushes the entries of `folder` to disk, if the system can do that. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, and some network file systems cannot sync one.
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'EACCES', 'EISDIR', 'EINVAL', 'ENOTSUP', 'EBADF')) throw error;
  }
}

function parseJournal(text: string): Journal {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw unreadable('it is not JSON', error);
  }
  const result = Journal.safeParse(value);
  if (!result.success) throw unreadable('it does not have the form of a journal', result.error);
  return result.data;
}

function unreadable(reason: string, cause?: unknown): ClientError {
  return new ClientError(
    'ERR_JOURNAL',
    `Cannot read "${WORK_FOLDER}/${JOURNAL_FILE}" of an interrupted run: ${reason}`,
    {
      hint: `check the project's files with git status, then delete "${WORK_FOLDER}" and run again`,
      cause,
    },
  );
}
