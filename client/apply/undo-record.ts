/**
 * Records what the last changes of a project replaced, for `undo`. The records are in the user's state
 * folder, so that the project contains nothing but what it needs.
 *
 *     <state>/undo/<key of the project>/0007/record.json, 0000, 0001, ...
 *
 * A record is written as `pending` before the change and gets its number afterwards. If a run was killed
 * in between, the project's files show whether the change was made.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import { INTEGRITY_PATTERN, integrityOf } from '../../format/archive/integrity.ts';
import { isFilePath } from '../../format/build/file-path.ts';
import { parseDocument } from '../../format/document/document.ts';
import { DAY_MS } from '../../format/duration.ts';
import { FormatError } from '../../format/errors.ts';
import { PACKAGE_JSON, PYPROJECT } from '../edit/edited-files.ts';
import type { FileChange, MadePlan } from '../plan/plan.ts';
import { pythonRoot } from '../project/package-managers.ts';
import { hasCode } from '../project/safe-path.ts';
import { projectKey, stateFolder } from '../project/state-folder.ts';
import { findWorkspaceRoot } from '../project/workspace.ts';
import { integrityAt } from './placement.ts';
import { applyChanges } from './transaction.ts';

const LOCK_NAMES = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
  'uv.lock',
  'poetry.lock',
  'pdm.lock',
];
const LOCK_PATH =
  /^(?:\.\.\/)*[a-z-]+(?:\.lock|-lock\.json|-lock\.yaml|-shrinkwrap\.json|\.lockb)$/;
const MANIFESTS: readonly string[] = [PACKAGE_JSON, PYPROJECT];
const RECORD_FILE = 'record.json';
const PENDING = 'pending';
/** Changes of a project that can be undone. */
const MAX_RECORDS = 20;
/** Records of projects without a change for this long are deleted. */
const MAX_AGE_MS = 90 * DAY_MS;

const Digest = z.string().regex(INTEGRITY_PATTERN).nullable();
const Copy = z.string().regex(/^\d+$/).nullable().describe('Name of the copy of what was there.');
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
        copy: Copy,
      }),
    )
    .min(1)
    .describe('In order; the last is the lock.'),
  folders: z.array(ProjectPath).describe('Folders that were made.'),
  locks: z
    .array(
      z.object({
        path: z
          .string()
          .regex(LOCK_PATH)
          .describe('From the project, which a workspace is around.'),
        before: Digest,
        after: Digest.exactOptional().describe('Absent until a package manager has ended.'),
        copy: Copy,
        wanted: Digest.exactOptional().describe('What a package manager is to leave there.'),
      }),
    )
    .exactOptional()
    .describe('Locks of package managers, which these change after the change.'),
});
type Record = z.infer<typeof Record>;
type KeptLock = NonNullable<Record['locks']>[number];

/** The lock of a package manager, as it was before a change. */
export interface LockBefore {
  readonly path: string;
  readonly bytes: Uint8Array | undefined;
  /** What the package manager left; what was before where none has run. */
  readonly expected: string | undefined;
}

/** A change that can be undone. */
export interface Undoable {
  readonly what: string;
  readonly changes: readonly FileChange[];
  readonly commit: FileChange;
  readonly emptied: readonly string[];
  readonly locks: readonly LockBefore[];
  /** The folder of the record. */
  readonly place: string;
}

/**
 * Records what `kept` is about to change.
 * @param wanted locks as package managers are to leave them
 * @throws errors of the file system
 */
export async function keepForUndo(
  project: string,
  what: string,
  { changes, commit, folders }: Pick<MadePlan, 'changes' | 'commit' | 'folders'>,
  wanted: readonly LockBefore[] = [],
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
  const locks: KeptLock[] = [];
  const isOfPackages = changes.some(({ path }) => MANIFESTS.includes(path));
  for (const path of isOfPackages ? packageLocks(project) : []) {
    const bytes = await readFile(join(project, path)).catch(() => undefined);
    const copy = bytes === undefined ? null : `9${String(locks.length).padStart(3, '0')}`;
    if (copy !== null) await writeFile(join(pending, copy), bytes!, { mode: 0o600 });
    const again = wanted.find((one) => one.path === path);
    locks.push({
      path,
      before: bytes === undefined ? null : integrityOf(bytes),
      copy,
      ...(again && { wanted: again.bytes === undefined ? null : integrityOf(again.bytes) }),
    });
    if (again?.bytes !== undefined) {
      await writeFile(join(pending, wantedName(path)), again.bytes, { mode: 0o600 });
    }
  }
  const record: Record = { recordVersion: 1, what, changes: entries, folders: [...folders], locks };
  await writeRecord(pending, record);
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

/** Changes files, at least one, as a transaction that `undo` can undo. @param folders those that it makes @throws {ClientError} as `applyChanges` */
export async function applyForUndo(
  project: string,
  what: string,
  files: readonly FileChange[],
  signal: AbortSignal,
  folders: readonly string[] = [],
): Promise<void> {
  const changes = files.slice(0, -1);
  const commit = files.at(-1)!;
  await keepForUndo(project, what, { changes, commit, folders });
  await applyChanges(project, changes, commit, { signal });
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
  const locks: LockBefore[] = [];
  for (const lock of record.locks ?? []) locks.push(await lockBefore(place, lock));
  const [what, commit, emptied] = [record.what, inverse.at(-1)!, record.folders];
  return { what, changes, commit, emptied, locks, place };
}

/** Records what a package manager has made of its lock; where that is not what was wanted, writes this again. */
export async function settleLocks(project: string): Promise<void> {
  const folder = await recordFolder(project);
  const place = join(folder, (await recordNumbers(folder)).at(-1) ?? PENDING);
  const record = await readRecord(place);
  const open = record?.locks?.filter(({ after }) => after === undefined) ?? [];
  if (record === undefined || open.length === 0) return;
  const locks: KeptLock[] = [];
  for (const lock of record.locks ?? []) {
    const { path, wanted } = lock;
    if (wanted !== undefined && ((await integrityAt(join(project, path))) ?? null) !== wanted) {
      const bytes = wanted === null ? undefined : await readFile(join(place, wantedName(path)));
      await writeLock(project, path, bytes);
    }
    const after = lock.after ?? (await integrityAt(join(project, path))) ?? null;
    if (after !== null || lock.before !== null) locks.push({ ...lock, after });
  }
  await writeRecord(place, { ...record, locks });
}

/**
 * The locks of package managers from before the changes that `changes` revert; of each only where every change of it since is one of
 * ours, and the manifest becomes what it was.
 * @returns also the paths of those that are not known
 */
export async function knownLocks(
  project: string,
  changes: readonly FileChange[],
): Promise<{ readonly known: LockBefore[]; readonly unknown: string[] }> {
  const folder = await recordFolder(project);
  const numbers = (await recordNumbers(folder)).toReversed();
  const known: LockBefore[] = [];
  const unknown: string[] = [];
  for (const path of packageLocks(project)) {
    const manifest = changes.find((one) => one.path === manifestOf(path));
    const present = await integrityAt(join(project, path));
    if (manifest === undefined || present === undefined) continue;
    const target = manifest.bytes === undefined ? null : integrityOf(manifest.bytes);
    let current: string | null = present;
    let found: LockBefore | undefined;
    for (const number of numbers) {
      const record = await readRecord(join(folder, number));
      const lock = record?.locks?.find((one) => one.path === path);
      if (lock === undefined || leftBy(lock) !== current) break;
      current = lock.before;
      const edit = record!.changes.find((one) => one.path === manifest.path);
      if (edit?.before !== target) continue;
      const { bytes } = await lockBefore(join(folder, number), lock);
      found = { path, bytes, expected: present };
      break;
    }
    if (found === undefined) unknown.push(path);
    else known.push(found);
  }
  return { known, unknown };
}

/** Applies changes as one transaction, with the locks of package managers; those of a workspace around the project follow it. */
export async function applyWithLocks(
  project: string,
  { changes, commit, emptied }: Pick<MadePlan, 'changes' | 'commit' | 'emptied'>,
  locks: readonly LockBefore[],
  signal: AbortSignal,
): Promise<void> {
  const isAround = ({ path }: LockBefore): boolean => path.startsWith('../');
  const own = locks.filter((lock) => !isAround(lock));
  await applyChanges(project, [...changes, ...own], commit, { signal, emptied });
  for (const lock of locks.filter(isAround)) await writeLock(project, lock.path, lock.bytes);
}

async function writeLock(
  project: string,
  path: string,
  bytes: Uint8Array | undefined,
): Promise<void> {
  const file = join(project, path);
  if (bytes === undefined) return rm(file, { force: true });
  await writeFile(`${file}.stackyard`, bytes);
  await rename(`${file}.stackyard`, file);
}

/** What is at the place of a lock, as far as it is known. */
function leftBy({ before, after, wanted }: KeptLock): string | null {
  const made = after === undefined ? wanted : after;
  return made === undefined ? before : made;
}

async function lockBefore(place: string, lock: KeptLock): Promise<LockBefore> {
  const { path, before, copy } = lock;
  const { bytes } = await invert(place, { path, before, after: null, copy, executable: false });
  return { path, bytes, expected: leftBy(lock) ?? undefined };
}

/** Where locks of package managers may be: in the project, and in the workspace around it. */
function packageLocks(project: string): string[] {
  const folders = new Set([project, findWorkspaceRoot(project), pythonRoot(project)]);
  return [...folders].flatMap((folder) => {
    const way = relative(project, folder).split(sep).join('/');
    return LOCK_NAMES.map((name) => (way === '' ? name : `${way}/${name}`));
  });
}

function manifestOf(lock: string): string {
  return /(?:uv|poetry|pdm)\.lock$/.test(lock) ? PYPROJECT : PACKAGE_JSON;
}

function wantedName(path: string): string {
  return `wanted-${path.replaceAll('/', '-')}`;
}

/** Makes what was written to one file since part of the last change, so that `undo` undoes both. */
export async function amendUndoable(project: string, path: string): Promise<void> {
  const folder = await recordFolder(project);
  const place = join(folder, (await recordNumbers(folder)).at(-1) ?? PENDING);
  const record = await readRecord(place);
  if (record === undefined) return;
  const after = (await integrityAt(join(project, path))) ?? null;
  const changes = record.changes.map((one) => (one.path === path ? { ...one, after } : one));
  await writeRecord(place, { ...record, changes });
}

async function writeRecord(place: string, record: Record): Promise<void> {
  await writeFile(join(place, RECORD_FILE), `${JSON.stringify(record)}\n`, { mode: 0o600 });
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
