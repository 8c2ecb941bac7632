/**
 * What the last change of a project replaced, for `undo`: kept in the user's state folder, for a project
 * shall have nothing but what it needs.
 *
 *     <state>/undo/<key of the project>/next/record.json, 0000, 0001, ...
 *
 * It is written before the change as `next` and becomes `last` after it. A run killed in between leaves
 * both; what the lock is tells which one counts.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parseDocument } from '../format/document.ts';
import { FormatError } from '../format/errors.ts';
import { isFilePath } from '../format/file-path.ts';
import { integrityOf, INTEGRITY_PATTERN } from '../format/integrity.ts';
import { integrityAt } from './install/placement.ts';
import type { FileChange } from './install/stage.ts';
import { hasCode } from './install/write-error.ts';
import type { MadePlan } from './plan.ts';
import { stateFolder } from './user-folder.ts';

const RECORD_FILE = 'record.json';
/** Records of projects that nobody touched for so long go. */
const MAX_AGE_MS = 90 * 24 * 3600 * 1000;

const Digest = z.string().regex(INTEGRITY_PATTERN).nullable();
const ProjectPath = z.string().refine(isFilePath);

const Record = z.object({
  recordVersion: z.literal(1),
  /** What was done, such as `add a/x`. */
  what: z.string(),
  changes: z
    .array(
      z.object({
        path: ProjectPath,
        before: Digest.describe('Digest of what was there; null: nothing was.'),
        after: Digest,
        executable: z.boolean(),
        copy: z.string().regex(/^\d+$/).nullable().describe('Name of the copy of what was there.'),
      }),
    )
    .min(1)
    .describe('In order; the last is the lock.'),
  folders: z.array(ProjectPath).describe('Folders that were made.'),
});
type Record = z.infer<typeof Record>;

/** A change that can be taken back. */
export interface Undoable {
  readonly what: string;
  readonly changes: readonly FileChange[];
  readonly commit: FileChange;
  readonly emptied: readonly string[];
}

/** Writes down what `made` is about to change. @throws errors of the file system */
export async function keepForUndo(
  project: string,
  what: string,
  { changes, commit }: MadePlan,
  folders: readonly string[],
): Promise<void> {
  const next = join(await recordFolder(project), 'next');
  await rm(next, { recursive: true, force: true });
  await mkdir(next, { recursive: true, mode: 0o700 });
  const entries: Record['changes'] = [];
  for (const { path, bytes, expected } of [...changes, commit]) {
    const entry = {
      path,
      before: expected ?? null,
      after: bytes === undefined ? null : integrityOf(bytes),
    };
    if (expected === undefined) {
      entries.push({ ...entry, executable: false, copy: null });
      continue;
    }
    const copy = String(entries.length).padStart(4, '0');
    const file = join(project, path);
    await writeFile(join(next, copy), await readFile(file), { mode: 0o600 });
    entries.push({ ...entry, executable: ((await stat(file)).mode & 0o100) !== 0, copy });
  }
  const record: Record = { recordVersion: 1, what, changes: entries, folders: [...folders] };
  await writeFile(join(next, RECORD_FILE), `${JSON.stringify(record)}\n`, { mode: 0o600 });
}

/** The change was made: what was written down is now the one to undo. */
export async function confirmForUndo(project: string): Promise<void> {
  const folder = await recordFolder(project);
  await rm(join(folder, 'last'), { recursive: true, force: true });
  await rename(join(folder, 'next'), join(folder, 'last'));
  await dropOldRecords(join(folder, '..'));
}

/** The last change of the project; `undefined` when none is known or the lock has changed since. */
export async function lastUndoable(project: string): Promise<Undoable | undefined> {
  const folder = await recordFolder(project);
  for (const name of ['next', 'last']) {
    const record = await readRecord(join(folder, name));
    const commit = record?.changes.at(-1);
    if (record === undefined || commit === undefined) continue;
    const now = await integrityAt(join(project, commit.path));
    if ((now ?? null) !== commit.after) continue;
    const inverse: FileChange[] = [];
    for (const change of record.changes) inverse.push(await invert(join(folder, name), change));
    const changes = inverse
      .slice(0, -1)
      .filter(({ bytes, expected }) => bytes !== undefined || expected !== undefined);
    const rank = ({ bytes }: FileChange): number => (bytes === undefined ? 0 : 1);
    changes.sort((a, b) => rank(a) - rank(b));
    return { what: record.what, changes, commit: inverse.at(-1)!, emptied: record.folders };
  }
  return undefined;
}

async function invert(folder: string, change: Record['changes'][number]): Promise<FileChange> {
  const { path, after, copy, executable } = change;
  const bytes = copy === null ? undefined : await readFile(join(folder, copy));
  if (bytes !== undefined && integrityOf(bytes) !== change.before) {
    throw new Error(`the copy of "${path}" is damaged`);
  }
  return { path, bytes, executable, expected: after ?? undefined };
}

async function readRecord(folder: string): Promise<Record | undefined> {
  try {
    return parseDocument(Record, await readFile(join(folder, RECORD_FILE)), RECORD_FILE);
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof FormatError) return undefined;
    throw error;
  }
}

async function recordFolder(project: string): Promise<string> {
  const key = createHash('sha256')
    .update(await realpath(project))
    .digest('hex');
  return join(stateFolder(), 'undo', key.slice(0, 32));
}

async function dropOldRecords(folder: string): Promise<void> {
  const limit = Date.now() - MAX_AGE_MS;
  for (const name of await readdir(folder)) {
    const record = join(folder, name);
    if ((await stat(record)).mtimeMs < limit) await rm(record, { recursive: true, force: true });
  }
}
