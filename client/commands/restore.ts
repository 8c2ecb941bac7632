/** `restore`: brings files of builds back as they were placed here. Naming a file is the consent to write it, so it asks nothing. */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { integrityOf } from '../../format/archive/integrity.ts';
import { Integrity } from '../../format/index/record.ts';
import type { Lock } from '../../format/project/lock.ts';
import { openProject } from '../apply/open-project.ts';
import { applyForUndo } from '../apply/undo-record.ts';
import { type ChangedFile, compareInstalled, restoringChanges } from '../change/installed-files.ts';
import { ClientError } from '../errors.ts';
import { createdFolders } from '../plan/make-plan.ts';
import type { FileChange } from '../plan/plan.ts';
import { insidePath, requireLock, takeSnapshot } from '../project/project.ts';
import { wiredDifferences } from '../project/wired-files.ts';
import { fetchShipped } from '../change/fetch-builds.ts';
import { withRegistry } from '../registry/open-registry.ts';
import { type GlobalOptions, nextLine, type Outcome } from '../terminal/command.ts';
import { fileLines } from '../terminal/file-lines.ts';
import { define, type RunContext } from '../terminal/options.ts';

/** What of the user the file of the build takes the place of. */
const INSTEAD_OF: Readonly<Record<ChangedFile['state'], string>> = {
  modified: 'in place of your edits',
  reformatted: 'in place of your formatting',
  conflict: 'in place of both sides of the conflict',
  missing: '',
  'not-a-file': '',
};

/**
 * @param texts paths from the project's root, or absolute
 * @throws {ClientError} `ERR_NOT_INSTALLED` for a file of no build, and those of the registry, with nothing written
 */
async function restore(
  texts: readonly string[],
  options: GlobalOptions,
  context: RunContext,
): Promise<Outcome> {
  const { project, close } = await openProject(options, context.terminal.warn);
  try {
    const recorded = requireLock(project);
    const paths = new Set(texts.map((text) => insidePath(project, text)));
    const compare = await withRegistry(
      options,
      recorded,
      context,
      (registry) =>
        compareInstalled(project, recorded, {
          read: (builds) => fetchShipped(registry, builds),
          choose: (lock) => choose(paths, lock),
          needsText: () => true,
          withProjects: true,
          signal: context.signal,
        }),
      'pinned',
    );
    const { lock, changed } = compare;
    // Two builds may place the same file.
    const files = [...new Map(changed.map((file) => [file.path, file])).values()];
    const { changes } = restoringChanges(files, compare);
    const others = [...paths].filter((path) => !files.some((file) => file.path === path));
    const modes = others.flatMap((path) => modeChange(project, path, lock));
    const all = [...changes, ...modes];
    const text = [
      ...fileLines(files.map(lineOf), options.verbose),
      ...modes.map(({ path, executable }) => {
        return `  ~ ${path}  ${executable ? 'executable' : 'not executable'} again`;
      }),
      ...others
        .filter((path) => !modes.some((change) => change.path === path))
        .map((path) => `  = ${path}  is as it was placed`),
    ];
    const data = { files: all.map(digests) };
    if (all.length === 0) return { status: 'noop', data, text };
    const { missingFolders } = await takeSnapshot(project, paths);
    const folders = createdFolders(all, missingFolders).map((mark) => mark.slice(0, -1));
    const what = `restore ${all.map(({ path }) => path).join(' ')}`;
    await applyForUndo(project, what, all, context.signal, folders);
    const unwired = (await wiredDifferences(project, lock)).filter(({ path }) => paths.has(path));
    const next = [
      ...[...new Set(unwired.map(({ build }) => build))].map((id) => {
        return { command: `stackyard add ${id} --wire`, why: 'puts its steps in again' };
      }),
      { command: 'stackyard undo', why: 'brings back what was replaced' },
    ];
    return { status: 'done', data, next, text: [...text, ...next.map(nextLine)] };
  } finally {
    await close();
  }
}

/** @throws {ClientError} `ERR_NOT_INSTALLED` */
function choose(
  paths: ReadonlySet<string>,
  { builds }: Lock,
): (_: string, path: string) => boolean {
  const placed = new Set(Object.values(builds).flatMap(({ files }) => Object.keys(files)));
  const unknown = [...paths].find((path) => !placed.has(path));
  if (unknown === undefined) return (_, path) => paths.has(path);
  throw new ClientError('ERR_NOT_INSTALLED', `No build placed "${unknown}"`, {
    hint: 'give files of installed builds, from the root of the project; "stackyard diff" shows those that you edited',
  });
}

function lineOf({ path, state, build }: ChangedFile): Parameters<typeof fileLines>[0][number] {
  const note = [INSTEAD_OF[state], `(${build})`].filter((part) => part !== '').join('  ');
  return { mark: state === 'missing' ? '+' : '~', path, note };
}

/** Where the content is as it was placed. Windows has no such modes. */
function modeChange(project: string, path: string, { builds }: Lock): FileChange[] {
  const file = join(project, path);
  const entry = Object.values(builds).find(({ files }) => Object.hasOwn(files, path))!.files[path]!;
  const executable = entry.mode === '755';
  const isExecutable = (lstatSync(file).mode & 0o100) !== 0;
  if (process.platform === 'win32' || executable === isExecutable) return [];
  const bytes = readFileSync(file);
  return [{ path, bytes, executable, expected: integrityOf(bytes) }];
}

function digests({ path, bytes = new Uint8Array(), expected }: FileChange) {
  return {
    path,
    ...(expected === undefined ? {} : { before: expected }),
    after: integrityOf(bytes),
  };
}

export const command = define({
  description:
    'Brings files of installed builds back as they were placed here, in place of your edits; asks nothing, and "undo" brings yours back',
  input: z.object({
    files: z
      .array(z.string().max(400))
      .min(1)
      .max(1_000)
      .meta({
        description: 'paths from the root of the project',
        isArgument: true,
        suggests: ['@placed'],
      }),
  }),
  output: z.looseObject({
    files: z.array(
      z.looseObject({
        path: z.string(),
        before: Integrity.optional().describe('Absent where there was no file.'),
        after: Integrity,
      }),
    ),
  }),
  examples: ['restore src/account/routes.ts'],
  run: ({ files }, shared, context) => restore(files, shared, context),
});
