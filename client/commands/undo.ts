/** `undo` undoes the last change of a project; `recover` recovers an interrupted run. */
import { join } from 'node:path';
import { integrityOf } from '../../format/archive/integrity.ts';
import { ClientError } from '../errors.ts';
import { integrityAt } from '../apply/placement.ts';
import { withProjectLock } from '../apply/project-lock.ts';
import { recover } from '../apply/recover.ts';
import { applyChanges } from '../apply/transaction.ts';
import type { FileLine } from '../terminal/file-lines.ts';
import { fileLines } from '../terminal/file-lines.ts';
import type { StyledText } from '../terminal/styled-text.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { nextLine } from '../terminal/command.ts';
import { formatCommand, nodeCommand } from '../apply/packages.ts';
import { PACKAGE_JSON } from '../edit/edited-files.ts';
import { chooseProject } from '../project/choose-project.ts';
import type { Undoable } from '../apply/undo-record.ts';
import { forgetUndoable, lastUndoable } from '../apply/undo-record.ts';
import { openProject } from '../apply/apply-plan.ts';
import type { NextStep } from '../output-schema/envelope.ts';
import type { FileChange } from '../plan/plan.ts';

export interface UndoOptions extends GlobalOptions {
  readonly dryRun: boolean;
  /** Called with the data before anything is undone; throws without consent. */
  readonly approveData?: (data: object) => void;
}

/** @throws {ClientError} `ERR_PROJECT_CHANGED` when a file was changed since, with nothing written */
export async function undo(options: UndoOptions, context: CommandContext): Promise<Outcome> {
  const { project, close } = await openProject(options, context);
  try {
    const last = await lastUndoable(project);
    if (last === undefined) {
      return { status: 'noop', data: {}, text: ['There is no change of this project to undo'] };
    }
    const { what, changes, commit, emptied } = last;
    const all = [...changes, commit].sort((a, b) => (a.path < b.path ? -1 : 1));
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
    options.approveData?.(data);
    await applyChanges(project, changes, commit, { signal: context.signal, emptied });
    await forgetUndoable(last);
    const next: NextStep[] = [];
    if (paths.includes(PACKAGE_JSON)) {
      const command = formatCommand(await nodeCommand(project));
      next.push({ command, why: 'updates the installed packages' });
    }
    const text: StyledText[] = [`"${what}" was undone`, ...lines];
    text.push(...next.map(nextLine));
    const closing = `Undid "${what}"`;
    return { status: 'done', data, next, closing, text };
  } finally {
    await close();
  }
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

/** Refuses when a file was changed since: those changes would be lost. */
async function checkUnchanged(project: string, last: Undoable): Promise<void> {
  const changed: string[] = [];
  for (const { path, expected } of [...last.changes, last.commit]) {
    if ((await integrityAt(join(project, path))) !== expected) changed.push(path);
  }
  if (changed.length === 0) return;
  throw new ClientError(
    'ERR_PROJECT_CHANGED',
    `Cannot undo "${last.what}": changed since: ${changed.join(', ')}`,
    { hint: 'nothing was written; "stackyard update" and "stackyard remove" keep your edits' },
  );
}

/** @throws {ClientError} `ERR_JOURNAL` when it cannot, with the next step as hint */
export async function recoverProject(options: GlobalOptions): Promise<Outcome> {
  const project = chooseProject(options);
  const recovered = await withProjectLock(project, () => recover(project));
  const text = {
    nothing: 'There is no interrupted run',
    undone: 'An interrupted run was undone: the project is unchanged',
    finished: 'An interrupted run was finished: its changes are in place',
  }[recovered];
  return {
    status: recovered === 'nothing' ? 'noop' : 'done',
    data: { recovered },
    text: [text],
  };
}
