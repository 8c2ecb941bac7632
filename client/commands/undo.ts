/** `undo` undoes the last change of a project. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { define, dryRun, type RunContext } from './options.ts';
import { Integrity } from '../../format/index/record.ts';
import { integrityOf } from '../../format/archive/integrity.ts';
import { ClientError } from '../errors.ts';
import { integrityAt } from '../apply/placement.ts';
import { applyChanges } from '../apply/transaction.ts';
import { fileLines, type FileLine, type StyledText } from '../terminal/styled-text.ts';
import { nextLine, type GlobalOptions, type Outcome } from '../terminal/command.ts';
import { formatCommand, nodeCommand } from '../apply/packages.ts';
import { PACKAGE_JSON } from '../edit/project-file.ts';
import { forgetUndoable, lastUndoable } from '../apply/undo-record.ts';
import { projectFiles } from './follow-moved-files.ts';
import { openProject } from '../apply/apply-plan.ts';
import type { NextStep } from '../terminal/envelope.ts';
import type { FileChange } from '../plan/plan.ts';

const Input = z.object({
  dryRun,
});

type UndoOptions = GlobalOptions & z.infer<typeof Input>;

/** @throws {ClientError} `ERR_PROJECT_CHANGED` when a file was changed since, with nothing written */
async function undo(options: UndoOptions, context: RunContext): Promise<Outcome> {
  const { project, close } = await openProject(options, context);
  try {
    return await undoLast(project, options, context);
  } finally {
    await close();
  }
}

/**
 * Undoes the last change of a project whose lock the caller holds.
 * @throws {ClientError} `ERR_PROJECT_CHANGED`
 */
export async function undoLast(
  project: string,
  options: Pick<UndoOptions, 'dryRun' | 'verbose'>,
  context: Pick<RunContext, 'approveData' | 'signal'>,
): Promise<Outcome> {
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
  context.approveData?.(data);
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
async function checkUnchanged(
  project: string,
  last: Parameters<typeof forgetUndoable>[0],
): Promise<void> {
  const changed: { readonly path: string; readonly expected: string | undefined }[] = [];
  for (const { path, expected } of [...last.changes, last.commit]) {
    if ((await integrityAt(join(project, path))) !== expected) changed.push({ path, expected });
  }
  if (changed.length === 0) return;
  // Its imports are those of the place where it is now: it has to go back first.
  const places = new Map(
    [...projectFiles(project)].map(([path, bytes]) => [integrityOf(bytes), path]),
  );
  const listed = changed.map(({ path, expected = '' }) => {
    const now = existsSync(join(project, path)) ? undefined : places.get(expected);
    return now === undefined ? path : `${path} (moved to ${now})`;
  });
  throw new ClientError(
    'ERR_PROJECT_CHANGED',
    `Cannot undo "${last.what}": changed since: ${listed.join(', ')}`,
    { hint: 'nothing was written; "stackyard update" and "stackyard remove" keep your edits' },
  );
}

export const command = define({
  description: 'Undoes the last add, update or remove, if no file was changed since',
  input: Input,
  output: z.looseObject({
    undone: z.string().optional().describe('Absent when there was nothing to undo.'),
    files: z.array(z.string()).optional(),
    changes: z
      .array(
        z.looseObject({
          path: z.string(),
          before: Integrity.optional().describe('Absent where there is no file.'),
          after: Integrity.optional().describe('Absent where the file goes.'),
        }),
      )
      .optional(),
  }),
  examples: ['undo -C my-app'],
  run: (input, shared, context) => undo({ ...shared, ...input }, context),
});
