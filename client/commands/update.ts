/** `update`: installs newer versions of builds and merges them with the user's edits. */
import { decideFiles } from '../operation/decide-files.ts';
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
import type { OnConflict, OnExists, Warning } from '../plan/plan.ts';

export interface UpdateOptions extends ChangeOptions, AgeOptions {
  readonly latest: boolean;
  readonly conflict: OnConflict;
  readonly restore: boolean;
  readonly onExists?: OnExists;
  readonly onExistsAt?: ReadonlyMap<string, OnExists>;
  readonly allow: readonly string[];
  readonly keep?: readonly string[];
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
  return changeProject(options, context, async (project) => {
    const lock = requireLock(project);
    const { latest, restore, allow, keep, conflict: onConflict } = options;
    const age = parseAge(options, Date.now());
    const warnings: Warning[] = [];
    const made = await withRegistry(options, lock, context, (registry) =>
      decideFiles(options.onExistsAt ?? new Map(), context.choose, (onExistsAt) =>
        planUpdate({
          project,
          registry,
          lock,
          requests,
          latest,
          restore,
          allow,
          keep,
          onConflict,
          onExists: options.onExists ?? 'fail',
          onExistsAt,
          age,
          onUnused: (found) => warnings.push(...found),
        }),
      ),
    );
    if (made !== undefined) return made;
    const what = requests.map(({ id }) => id).join(', ');
    const text = what === '' ? 'All builds are up to date' : `Up to date: ${what}`;
    printWarnings({ warnings }, context);
    return { status: 'noop', data: {}, warnings, text: [text] };
  });
}
