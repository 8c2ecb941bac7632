/** `resolve`: resolves the conflicts that `update --conflict markers` wrote into files of builds. */
import { readFileSync } from 'node:fs';
import { join, relative, resolve as resolvePath, sep } from 'node:path';
import { z } from 'zod';
import { integrityOf } from '../../format/archive/integrity.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { Integrity } from '../../format/index/record.ts';
import type { Lock } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import type { FileChange } from '../plan/plan.ts';
import { takeSide } from '../edit/merge/conflict-markers.ts';
import { lockChange } from '../plan/lock.ts';
import { linesOf, openConflicts } from '../project/open-conflicts.ts';
import { requireLock, takeSnapshot } from '../project/project.ts';
import { applyForUndo } from '../apply/undo-record.ts';
import { openProject } from '../apply/open-project.ts';
import type { GlobalOptions, Outcome } from '../terminal/command.ts';
import { define, dryRun, type RunContext } from '../terminal/options.ts';

const Input = z.object({
  files: z.array(z.string().max(400)).max(1_000).default([]).meta({
    description: 'of installed builds; none means all that have conflicts',
    isArgument: true,
  }),
  take: z.enum(['ours', 'base', 'theirs']).optional().meta({
    description: 'take this side of each conflict; without it, no conflict may be left',
    placeholder: 'side',
  }),
  dryRun,
});

type ResolveOptions = GlobalOptions & Omit<z.infer<typeof Input>, 'files'>;

/**
 * @param paths relative to the project's folder, or absolute
 * @throws {ClientError} `ERR_CONFLICT` while a file has conflicts, `ERR_NOT_INSTALLED` for a file of no build
 */
async function resolveConflicts(
  paths: readonly string[],
  options: ResolveOptions,
  context: RunContext,
): Promise<Outcome> {
  const { project, close } = await openProject(options, context.terminal.warn);
  try {
    const lock = requireLock(project);
    const owned = new Map(Object.values(lock.builds).flatMap(({ files }) => Object.entries(files)));
    const named = paths.map((path) =>
      relative(project, resolvePath(project, path)).split(sep).join('/'),
    );
    const other = named.find((path) => !owned.has(path));
    if (other !== undefined) {
      throw new ClientError('ERR_NOT_INSTALLED', `"${other}" is not a file of an installed build`, {
        hint: '"stackyard verify" lists the files that have conflicts',
      });
    }
    const marked = [...owned].flatMap(([path, { conflict }]) =>
      conflict === undefined || (paths.length > 0 && !named.includes(path)) ? [] : [path],
    );
    const open = openConflicts(project, lock).filter(({ path }) => marked.includes(path));
    const { take } = options;
    const taken = open.map(({ path, lines }) => {
      const text = readFileSync(join(project, path), 'latin1');
      const merged = take && takeSide(text, take, owned.get(path)!.conflict!);
      return { path, lines, before: Buffer.from(text, 'latin1'), merged };
    });
    const left = taken.filter(({ merged }) => merged === undefined);
    if (left.length > 0) {
      const listed = left.map(({ path, lines }) => `"${path}" still has ${linesOf(lines)}`);
      throw new ClientError('ERR_CONFLICT', listed.join('; '), {
        hint:
          take === undefined
            ? 'merge both sides by hand, or take one with --take ours or --take theirs'
            : 'some markers of a conflict are missing, so its sides are not known: finish it by hand',
      });
    }
    const changes = taken.map(({ path, before, merged }): FileChange & { bytes: Buffer } => {
      return { path, bytes: Buffer.from(merged!, 'latin1'), expected: integrityOf(before) };
    });
    const files = changes.map(({ path, bytes, expected }, at) => {
      const conflicts = open[at]!.lines.length / 4;
      return { path, conflicts, before: expected, after: integrityOf(bytes) };
    });
    const quiet = named.filter((path) => !open.some((one) => one.path === path));
    const done = quiet.map((path) => ({ path, conflicts: 0 }));
    const none = quiet.map((path) => `${path} has no conflict`);
    const nothing = 'No file of an installed build has a conflict';
    const text = (verb: string): string[] => [
      ...changes.map(({ path }) => `${path}: ${verb} ${take}`),
      ...(changes.length + none.length === 0 ? [nothing] : none),
    ];
    const data = { files: [...files, ...done] };
    if (marked.length === 0) return { status: 'noop', data, text: text('') };
    if (options.dryRun) return { status: 'planned', data, text: text('would take') };
    context.approve?.(data);
    const { project: present } = await takeSnapshot(project, [LOCK_FILE]);
    const commit = lockChange(present.get(LOCK_FILE), withoutMarks(lock, new Set(marked)));
    await applyForUndo(
      project,
      `resolve ${marked.join(' ')}`,
      [...changes, commit],
      context.signal,
    );
    return { status: changes.length === 0 ? 'noop' : 'done', data, text: text('took') };
  } finally {
    await close();
  }
}

/** `lock` in which the conflicts of the files at `paths` are no more. */
function withoutMarks(lock: Lock, paths: ReadonlySet<string>): Lock {
  const builds = Object.entries(lock.builds).map(([id, build]) => {
    const files = Object.entries(build.files).map(([path, { conflict, ...file }]) => {
      return [path, conflict === undefined || paths.has(path) ? file : { ...file, conflict }];
    });
    return [id, { ...build, files: Object.fromEntries(files) }];
  });
  return { ...lock, builds: Object.fromEntries(builds) };
}

export const command = define({
  description:
    'Checks that no conflict of an update is left in files of builds, or takes one side of each',
  input: Input,
  output: z.looseObject({
    files: z.array(
      z.looseObject({
        path: z.string(),
        conflicts: z.int(),
        before: Integrity.optional().describe('Present with --take.'),
        after: Integrity.optional(),
      }),
    ),
  }),
  examples: ['resolve', 'resolve src/account/router.ts --take theirs'],
  run: ({ files, ...input }, shared, context) =>
    resolveConflicts(files, { ...shared, ...input }, context),
});
