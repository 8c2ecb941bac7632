/** `resolve`: resolves the conflicts that `update --conflict markers` wrote into files of builds. */
import { readFileSync } from 'node:fs';
import { join, relative, resolve as resolvePath, sep } from 'node:path';
import { z } from 'zod';
import { integrityOf } from '../../format/archive/integrity.ts';
import { Integrity } from '../../format/index/record.ts';
import { ClientError } from '../errors.ts';
import { integrityAt } from '../apply/placement.ts';
import type { FileChange } from '../plan/plan.ts';
import { countConflicts, takeSide } from '../edit/merge/conflict-markers.ts';
import { requireLock } from '../project/project.ts';
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
    const found: { path: string; text: string; expected: string; conflicts: number }[] = [];
    const owned = new Set(
      Object.values(requireLock(project).builds).flatMap(({ files }) => Object.keys(files)),
    );
    const wanted = paths.map((path) =>
      relative(project, resolvePath(project, path)).split(sep).join('/'),
    );
    for (const path of paths.length === 0 ? owned : wanted) {
      const expected = owned.has(path) ? await integrityAt(join(project, path)) : undefined;
      if (expected === undefined || expected === 'other') {
        if (paths.length === 0) continue;
        throw new ClientError(
          'ERR_NOT_INSTALLED',
          `"${path}" is not a file of an installed build`,
          { hint: '"stackyard verify" lists the files that have conflicts' },
        );
      }
      const text = readFileSync(join(project, path), 'latin1');
      found.push({ path, text, expected, conflicts: countConflicts(text) });
    }
    const open = found.filter(({ conflicts }) => conflicts > 0);
    const counts = (paths.length === 0 ? open : found).map(({ path, conflicts }) => {
      return { path, conflicts };
    });
    if (open.length === 0) {
      const text = counts.map(({ path }) => `${path} has no conflict`);
      const none = ['No file of an installed build has a conflict'];
      return { status: 'noop', data: { files: counts }, text: text.length === 0 ? none : text };
    }
    const { take } = options;
    if (take === undefined) {
      const listed = open.map(
        ({ path, conflicts }) => `"${path}" still has ${conflicts} conflict(s)`,
      );
      throw new ClientError('ERR_CONFLICT', listed.join(', '), {
        hint: 'merge both sides by hand, or take one with --take ours or --take theirs',
      });
    }
    const changes = open.map(({ path, text, expected }): FileChange & { bytes: Buffer } => {
      return {
        path,
        bytes: Buffer.from(takeSide(text, take), 'latin1'),
        expected,
      };
    });
    const files = changes.map(({ path, bytes, expected }, at) => {
      return { path, conflicts: open[at]!.conflicts, before: expected, after: integrityOf(bytes) };
    });
    const lines = (verb: string): string[] => changes.map(({ path }) => `${path}: ${verb} ${take}`);
    if (options.dryRun) return { status: 'planned', data: { files }, text: lines('would take') };
    context.approve?.({ files });
    const names = changes.map(({ path }) => path).join(' ');
    await applyForUndo(project, `resolve ${names}`, changes, context.signal);
    return { status: 'done', data: { files }, text: lines('took') };
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
