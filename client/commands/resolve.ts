/** `update --resolve`: resolves the conflicts that `update --conflict markers` wrote into a file. */
import { readFileSync } from 'node:fs';
import { join, relative, resolve as resolvePath, sep } from 'node:path';
import { integrityOf } from '../../format/archive/integrity.ts';
import { ClientError } from '../errors.ts';
import { integrityAt } from '../apply/placement.ts';
import type { RunContext } from './options.ts';
import { countConflicts, takeSide } from '../edit/merge/conflict-markers.ts';
import { requireLock } from '../project/project.ts';
import { applyForUndo } from '../apply/undo-record.ts';
import { openProject } from '../apply/apply-plan.ts';
import type { GlobalOptions, Outcome } from '../terminal/command.ts';

interface ResolveOptions extends GlobalOptions {
  /** The side to take for every conflict; without it, the file must have no conflict. */
  readonly take: Parameters<typeof takeSide>[1] | undefined;
  /** Only reports what would be written. */
  readonly dryRun?: boolean;
}

/**
 * @param path relative to the project's folder, or absolute
 * @throws {ClientError} `ERR_CONFLICT` while the file has conflicts, `ERR_NOT_INSTALLED` for a file of no build
 */
export async function resolveConflict(
  path: string,
  options: ResolveOptions,
  context: RunContext,
): Promise<Outcome> {
  const { project, close } = await openProject(options, context);
  const inside = relative(project, resolvePath(project, path)).split(sep).join('/');
  try {
    const { builds } = requireLock(project);
    const isOfBuild = Object.values(builds).some(({ files }) => Object.hasOwn(files, inside));
    const expected = await integrityAt(join(project, inside));
    if (!isOfBuild || expected === undefined || expected === 'other') {
      throw new ClientError('ERR_NOT_INSTALLED', `"${path}" is not a file of an installed build`, {
        hint: '"stackyard verify" lists the files that have conflicts',
      });
    }
    const text = readFileSync(join(project, inside), 'latin1');
    const conflicts = countConflicts(text);
    const data = { path: inside, conflicts };
    if (conflicts === 0) return { status: 'noop', data, text: [`${inside} has no conflict`] };
    if (options.take === undefined) {
      throw new ClientError('ERR_CONFLICT', `"${inside}" still has ${conflicts} conflict(s)`, {
        hint: 'merge both sides by hand, or take one with --take ours or --take theirs',
      });
    }
    const bytes = Buffer.from(takeSide(text, options.take), 'latin1');
    const change = { path: inside, bytes, executable: false, expected };
    const planned = { ...data, before: expected, after: integrityOf(bytes) };
    if (options.dryRun === true) {
      return { status: 'planned', data: planned, text: [`${inside}: would take ${options.take}`] };
    }
    context.approveData?.(planned);
    await applyForUndo(project, `update --resolve ${inside}`, change, context.signal);
    return { status: 'done', data: planned, text: [`${inside}: took ${options.take}`] };
  } finally {
    await close();
  }
}
