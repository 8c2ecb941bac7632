/** `resolve`: resolves the conflicts that `update --conflict markers` wrote into files of builds. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { integrityOf } from '../../format/archive/integrity.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { Integrity } from '../../format/index/record.ts';
import { ClientError } from '../errors.ts';
import { takeSide } from '../edit/merge/conflict-markers.ts';
import { lockChange } from '../plan/lock.ts';
import { linesOf, openConflicts } from '../project/open-conflicts.ts';
import { insidePath, requireLock, takeSnapshot } from '../project/project.ts';
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
    const owned = new Set(Object.values(lock.builds).flatMap(({ files }) => Object.keys(files)));
    const named = paths.map((path) => insidePath(project, path));
    const other = named.find((path) => !owned.has(path));
    if (other !== undefined) {
      throw new ClientError('ERR_NOT_INSTALLED', `"${other}" is not a file of an installed build`, {
        hint: '"stackyard verify" lists the files that have conflicts',
      });
    }
    const isMeant = (path: string): boolean => named.length === 0 || named.includes(path);
    const next = structuredClone(lock);
    for (const { files } of Object.values(next.builds)) {
      for (const path of Object.keys(files)) if (isMeant(path)) delete files[path]!.conflict;
    }
    const { take } = options;
    const open = openConflicts(project, lock).filter(({ path }) => isMeant(path));
    const left: string[] = [];
    const changes = open.flatMap(({ path, text, size, lines }) => {
      const merged = take && takeSide(text, take, size);
      if (merged === undefined) left.push(`"${path}" still has ${linesOf(lines)}`);
      const expected = integrityOf(Buffer.from(text, 'latin1'));
      return merged === undefined ? [] : [{ path, bytes: Buffer.from(merged, 'latin1'), expected }];
    });
    if (left.length > 0) {
      const ways = 'merge both sides by hand, or take one with --take ours or --take theirs';
      const lost =
        'markers of a conflict are missing, so its sides are not known: finish it by hand';
      throw new ClientError('ERR_CONFLICT', left.join('; '), {
        hint: take === undefined ? ways : lost,
      });
    }
    const files = changes.map(({ path, bytes, expected }, at) => {
      const conflicts = open[at]!.lines.length / 4;
      return { path, conflicts, before: expected, after: integrityOf(bytes) };
    });
    const others = named.filter((path) => !open.some((one) => one.path === path));
    const data = { files: [...files, ...others.map((path) => ({ path, conflicts: 0 }))] };
    const lines = (verb: string): string[] => [
      ...changes.map(({ path }) => `${path}: ${verb} ${take}`),
      ...others.map((path) => `${path} has no conflict`),
      ...(data.files.length === 0 ? ['No file of an installed build has a conflict'] : []),
    ];
    if (isDeepStrictEqual(next, lock)) return { status: 'noop', data, text: lines('') };
    if (options.dryRun) return { status: 'planned', data, text: lines('would take') };
    context.approve?.(data);
    const { project: present } = await takeSnapshot(project, [LOCK_FILE]);
    const commit = lockChange(present.get(LOCK_FILE), next);
    const what = ['resolve', ...data.files.map(({ path }) => path)].join(' ');
    await applyForUndo(project, what, [...changes, commit], context.signal);
    return { status: changes.length === 0 ? 'noop' : 'done', data, text: lines('took') };
  } finally {
    await close();
  }
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
