/** Undoes the last change of a project, if nothing of it was changed since. */
import { projectFiles } from './follow-moved-files.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { integrityOf } from '../../format/archive/integrity.ts';
import { collisionKey } from '../../format/build/file-path.ts';
import { ClientError } from '../errors.ts';
import { integrityAt } from '../apply/placement.ts';
import { type StyledText } from '../terminal/styled-text.ts';
import { fileLines, type FileLine } from '../terminal/file-lines.ts';
import { nextLine, type Outcome } from '../terminal/command.ts';
import { exactCommand, nodeCommand } from '../apply/packages.ts';
import { formatCommand } from '../apply/package-command.ts';
import { PACKAGE_JSON } from '../edit/edited-files.ts';
import {
  applyWithLocks,
  forgetUndoable,
  lastUndoable,
  type LockBefore,
  type Undoable,
} from '../apply/undo-record.ts';
import type { NextStep } from '../terminal/envelope.ts';
import { foldersOf } from '../plan/file-update.ts';
import type { FileChange } from '../plan/plan.ts';

/**
 * Undoes the last change of a project whose lock the caller holds.
 * @throws {ClientError} `ERR_PROJECT_CHANGED`
 */
export async function undoLast(
  project: string,
  options: { readonly dryRun: boolean; readonly verbose: boolean },
  context: {
    readonly signal: AbortSignal;
    /** Called with what will change; throws where it is not what was shown. */
    readonly approve?: (data: { readonly files: readonly string[] }) => void;
  },
): Promise<Outcome> {
  const last = await lastUndoable(project);
  if (last === undefined) {
    return { status: 'noop', data: {}, text: ['There is no change of this project to undo'] };
  }
  const { what, changes, commit } = last;
  const { locks, left } = await changedLocks(project, last);
  const all = [...changes, ...locks, commit].sort((a, b) => (a.path < b.path ? -1 : 1));
  const paths = all.map(({ path }) => path);
  const data = { undone: what, files: paths, changes: all.map(digests) };
  await checkUnchanged(project, last);
  const lines = fileLines(all.map(describeChange), options.verbose);
  if (options.dryRun) {
    const text: StyledText[] = [`"${what}" would be undone`, ...lines];
    return {
      status: 'planned',
      data,
      text: [...text, 'Nothing was written: this was a dry run'],
    };
  }
  context.approve?.(data);
  await applyWithLocks(project, last, locks, context.signal);
  await forgetUndoable(last);
  const next: NextStep[] = [];
  for (const { path, bytes } of locks) {
    if (bytes === undefined) continue;
    const command = await exactCommand(project, path);
    next.push({ command: formatCommand(command), why: command.why! });
  }
  if (next.length === 0 && paths.includes(PACKAGE_JSON)) {
    const command = formatCommand(await nodeCommand(project));
    next.push({ command, why: 'updates the installed packages' });
  }
  const text: StyledText[] = [`"${what}" was undone`, ...lines];
  for (const path of left) {
    text.push(`${path} was changed by something else since, and stays as it is`);
  }
  text.push(...next.map(nextLine));
  const closing = `Undid "${what}"`;
  return { status: 'done', data, next, closing, text };
}

/** The digests of a file before and after; a missing one stands for no file. */
function digests({ path, bytes, expected }: FileChange): object {
  const before = expected === undefined ? {} : { before: expected };
  return { path, ...before, ...(bytes === undefined ? {} : { after: integrityOf(bytes) }) };
}

/** With the marks of a plan: what `undo` does, not what was done. */
function describeChange({ path, bytes, expected }: FileChange): FileLine {
  if (bytes === undefined) return { mark: 'x', path, note: 'removed' };
  return { mark: expected === undefined ? '+' : '~', path };
}

/** The locks of package managers that are as our run left them, and the paths of those that changed since. */
async function changedLocks(
  project: string,
  last: Undoable,
): Promise<{ locks: LockBefore[]; left: string[] }> {
  const locks: LockBefore[] = [];
  const left: string[] = [];
  for (const lock of last.locks) {
    const { path, bytes, expected } = lock;
    const present = await integrityAt(join(project, path));
    if (present === (bytes && integrityOf(bytes))) continue;
    if (present === expected) locks.push(lock);
    else left.push(path);
  }
  return { locks, left };
}

/** Refuses when a file was changed since: those changes would be lost. */
async function checkUnchanged(project: string, last: Undoable): Promise<void> {
  const changed: { readonly path: string; readonly expected: string | undefined }[] = [];
  const leaving = last.changes.filter(({ bytes }) => bytes === undefined);
  const places = leaving.flatMap(({ path }) => [path, ...foldersOf(path)]);
  const freed = new Set(places.map(collisionKey));
  for (const { path, expected } of [...last.changes, last.commit]) {
    // What the change put there instead leaves first.
    if (expected === undefined && freed.has(collisionKey(path))) continue;
    if ((await integrityAt(join(project, path))) !== expected) changed.push({ path, expected });
  }
  if (changed.length === 0) return;
  // Its imports are those of the place where it is now: it has to go back first.
  const present = new Map(
    [...projectFiles(project)].map(([path, bytes]) => [integrityOf(bytes), path]),
  );
  const listed = changed.map(({ path, expected = '' }) => {
    const now = existsSync(join(project, path)) ? undefined : present.get(expected);
    return now === undefined ? path : `${path} (moved to ${now})`;
  });
  throw new ClientError(
    'ERR_PROJECT_CHANGED',
    `Cannot undo "${last.what}": changed since: ${listed.join(', ')}`,
    { hint: 'nothing was written; "stackyard update" and "stackyard remove" keep your edits' },
  );
}
