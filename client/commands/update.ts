/** `update`: installs newer versions of builds and merges them with the user's edits. */
import { parsePlacement } from '../operation/placement-folder.ts';
import { placingOf } from '../operation/placing-wish.ts';
import { planUpdate } from '../operation/plan-update.ts';
import { requireLock } from '../project/project.ts';
import { parseRequest } from '../resolve/request.ts';
import type { AgeOptions } from '../resolve/version-age.ts';
import { parseAge } from '../resolve/version-age.ts';
import { changeProject } from '../operation/run-change.ts';
import type { ChangeOptions } from '../operation/run-change.ts';
import type { CommandContext, Outcome } from '../operation/command.ts';
import { withRegistry } from '../operation/open-registry.ts';
import { printWarnings } from '../operation/print-warnings.ts';
import type { ImportStyle, OnConflict, Warning } from '../plan/plan.ts';

export interface UpdateOptions extends ChangeOptions, AgeOptions {
  readonly latest: boolean;
  readonly conflict: OnConflict;
  readonly restore: boolean;
  readonly allow: readonly string[];
  /** Folder of the project to which the build moves. */
  readonly to?: string | undefined;
  /** How imports of other builds are written. */
  readonly imports?: ImportStyle | undefined;
}

/**
 * @param texts `<owner>/<name>[@range]` of the builds to update; empty for all
 * @throws {ClientError} with nothing written, except `ERR_PACKAGES`, which the outcome carries
 */
export async function update(
  texts: readonly string[],
  options: UpdateOptions,
  context: CommandContext,
): Promise<Outcome> {
  const requests = texts.map(parseRequest);
  const to = Object.fromEntries(parsePlacement(requests, options.to));
  return changeProject(options, context, async (project) => {
    const lock = requireLock(project);
    const { latest, restore, allow, conflict: onConflict } = options;
    const placing = await placingOf(project, lock, { to, imports: options.imports });
    const age = parseAge(options, Date.now());
    const warnings: Warning[] = [];
    const made = await withRegistry(options, lock, context, (registry) =>
      planUpdate({
        project,
        registry,
        lock,
        requests,
        latest,
        restore,
        allow,
        onConflict,
        age,
        placing,
        onUnused: (found) => warnings.push(...found),
      }),
    );
    if (made !== undefined) return made;
    const what = requests.map(({ id }) => id).join(', ');
    const text = what === '' ? 'All builds are up to date' : `Up to date: ${what}`;
    printWarnings({ warnings }, context);
    return { status: 'noop', data: {}, warnings, text: [text] };
  });
}
