/**
 * Records what the last changes of a project replaced, for `undo`. The records are in the user's state
 * folder, so that the project contains nothing but what it needs.
 *
 *     <state>/undo/<key of the project>/0007/record.json, 0000, 0001, ...
 *
 * A record is written as `pending` before the change and gets its number afterwards. If a run was killed
 * in between, the project's files show whether the change was made.
 */
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { DAY_MS } from '../../format/duration.ts';
import { parseDocument } from '../../format/document/document.ts';
import { FormatError } from '../../format/errors.ts';
import { isFilePath } from '../../format/build/file-path.ts';
import { integrityOf, INTEGRITY_PATTERN } from '../../format/archive/integrity.ts';
import { integrityAt } from './placement.ts';
import { applyChanges } from './transaction.ts';
import { hasCode } from '../project/safe-path.ts';
import { projectKey, stateFolder } from '../project/state-folder.ts';
import type { FileChange, MadePlan } from '../plan/plan.ts';

const RECORD_FILE = 'record.json';
const PENDING = 'pending';
/** Changes of a project that can be undone. */
const MAX_RECORDS = 20;
/** Records of projects without a change for this long are deleted. */
const MAX_AGE_MS = 90 * DAY_MS;

const Digest = z.string().regex(INTEGRITY_PATTERN).nullable();
const ProjectPath = z.string().refine(isFilePath);

const Record = z.object({
  recordVersion: z.literal(1),
  /** The change, such as `add a/x`. */
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

/** A change that can be undone. */
interface Undoable {
  readonly what: string;
  readonly changes: readonly FileChange[];
  readonly commit: FileChange;
  readonly emptied: readonly string[];
  /** The folder of the record. */
  readonly place: string;
}

/** Records what `kept` is about to change. @throws errors of the file system */
export async function keepForUndo(
  project: string,
  what: string,
  { changes, commit, folders }: Pick<MadePlan, 'changes' | 'commit' | 'folders'>,
): Promise<void> {
  await settlePending(project);
  const pending = join(await recordFolder(project), PENDING);
  await mkdir(pending, { recursive: true, mode: 0o700 });
  const entries: Record['changes'] = [];
  for (const { path, bytes, expected } of [...changes, commit]) {
    const after = bytes === undefined ? null : integrityOf(bytes);
    const entry = { path, before: expected ?? null, after };
    if (expected === undefined) {
      entries.push({ ...entry, executable: false, copy: null });
      continue;
    }
    const copy = String(entries.length).padStart(4, '0');
    const file = join(project, path);
    await writeFile(join(pending, copy), await readFile(file), { mode: 0o600 });
    entries.push({ ...entry, executable: ((await stat(file)).mode & 0o100) !== 0, copy });
  }
  const record: Record = { recordVersion: 1, what, changes: entries, folders: [...folders] };
  await writeFile(join(pending, RECORD_FILE), `${JSON.stringify(record)}\n`, { mode: 0o600 });
}

/** Completes the record after the change: it is now the first to undo. */
export async function confirmForUndo(project: string): Promise<void> {
  const folder = await recordFolder(project);
  const numbers = await recordNumbers(folder);
  const next = String(Number(numbers.at(-1) ?? '0') + 1).padStart(4, '0');
  await rename(join(folder, PENDING), join(folder, next));
  for (const old of numbers.slice(0, Math.max(0, numbers.length + 1 - MAX_RECORDS))) {
    await rm(join(folder, old), { recursive: true, force: true });
  }
  await dropOldRecords(join(folder, '..'));
}

/** Changes one file as a transaction that `undo` can undo. @throws {ClientError} as `applyChanges` */
export async function applyForUndo(
  project: string,
  what: string,
  commit: FileChange,
  signal: AbortSignal,
): Promise<void> {
  await keepForUndo(project, what, { changes: [], commit, folders: [] });
  await applyChanges(project, [], commit, { signal });
  await confirmForUndo(project);
}

/** The last recorded change of the project. */
export async function lastUndoable(project: string): Promise<Undoable | undefined> {
  await settlePending(project);
  const folder = await recordFolder(project);
  const number = (await recordNumbers(folder)).at(-1);
  if (number === undefined) return undefined;
  const place = join(folder, number);
  const record = await readRecord(place);
  if (record === undefined) return undefined;
  const inverse: FileChange[] = [];
  for (const change of record.changes) inverse.push(await invert(place, change));
  const changes = inverse.slice(0, -1);
  const rank = ({ bytes }: FileChange): number => (bytes === undefined ? 0 : 1);
  changes.sort((a, b) => rank(a) - rank(b));
  return { what: record.what, changes, commit: inverse.at(-1)!, emptied: record.folders, place };
}

/** Makes what was written to one file since part of the last change, so that `undo` undoes both. */
export async function amendUndoable(project: string, path: string): Promise<void> {
  const folder = await recordFolder(project);
  const place = join(folder, (await recordNumbers(folder)).at(-1) ?? PENDING);
  const record = await readRecord(place);
  if (record === undefined) return;
  const after = (await integrityAt(join(project, path))) ?? null;
  const changes = record.changes.map((one) => (one.path === path ? { ...one, after } : one));
  await writeFile(join(place, RECORD_FILE), `${JSON.stringify({ ...record, changes })}\n`, {
    mode: 0o600,
  });
}

/** Deletes the record of a change that was undone. */
export async function forgetUndoable({ place }: Undoable): Promise<void> {
  await rm(place, { recursive: true, force: true });
}

/** After a run that was killed before it completed its record: keeps the record if the change was made. */
async function settlePending(project: string): Promise<void> {
  const pending = join(await recordFolder(project), PENDING);
  const record = await readRecord(pending);
  if (record !== undefined && (await isMade(project, record))) await confirmForUndo(project);
  else await rm(pending, { recursive: true, force: true });
}

async function isMade(project: string, { changes }: Record): Promise<boolean> {
  for (const { path, after } of changes) {
    if (((await integrityAt(join(project, path))) ?? null) !== after) return false;
  }
  return true;
}

async function recordNumbers(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => /^\d{4,}$/.test(name)).sort();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
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
  return join(stateFolder(), 'undo', await projectKey(project));
}

async function dropOldRecords(folder: string): Promise<void> {
  const limit = Date.now() - MAX_AGE_MS;
  for (const name of await readdir(folder)) {
    const record = join(folder, name);
    if ((await stat(record)).mtimeMs < limit) await rm(record, { recursive: true, force: true });
  }
}
