/** `update`: installs newer versions of builds and merges them with the user's edits. */
import { decideFiles } from '../operation/decide-files.ts';
import { decideGains } from '../operation/decide-wiring.ts';
import { parsePlacement } from '../operation/placement-folder.ts';
import { placingOf } from '../operation/placing-wish.ts';
import { planUpdate } from '../operation/plan-update.ts';
import { requireLock } from '../project/project.ts';
import { parseRequest } from '../resolve/request.ts';
import type { AgeOptions } from '../resolve/version-age.ts';
import { parseAge } from '../resolve/version-age.ts';
import type { MaxAgeOptions } from '../operation/max-age.ts';
import { parseMaxAge } from '../operation/max-age.ts';
import { checkLogAges } from '../operation/check-logs.ts';
import { changeProject } from '../operation/run-change.ts';
import type { ChangeOptions } from '../operation/run-change.ts';
import type { CommandContext, Outcome } from '../operation/command.ts';
import { withRegistry } from '../operation/open-registry.ts';
import { printWarnings } from '../operation/print-warnings.ts';
import {
  advisoryNotes,
  installedHeads,
  pinNotes,
  yankedNotes,
} from '../operation/installed-notes.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { parseLock } from '../../format/lock/lock.ts';
import type { Lock } from '../../format/lock/lock.ts';
import type { Registries } from '../registry/registries.ts';
import type { ImportStyle, MadePlan, OnConflict, OnExists, Warning } from '../plan/plan.ts';

export interface UpdateOptions extends ChangeOptions, AgeOptions, MaxAgeOptions {
  readonly latest: boolean;
  readonly conflict: OnConflict;
  readonly restore: boolean;
  readonly onExists?: OnExists;
  readonly onExistsAt?: ReadonlyMap<string, OnExists>;
  readonly allow: readonly string[];
  readonly keep?: readonly string[];
  /** Folder of the project to which the build moves. */
  readonly to?: string | undefined;
  /** How imports of other builds are written. */
  readonly imports?: ImportStyle | undefined;
  /** Whether wired text may do more than before. */
  readonly wire?: boolean | undefined;
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
    const { latest, restore, allow, keep, conflict: onConflict } = options;
    const age = parseAge(options, Date.now());
    const maxAge = parseMaxAge(options);
    let unused: readonly Warning[] = [];
    const warnings: Warning[] = [];
    const made = await withRegistry(options, lock, context, async (registry) => {
      await checkLogAges(registry, lock, maxAge);
      const decided = { onExistsAt: options.onExistsAt ?? new Map(), to };
      const plan = async (wire: boolean): Promise<MadePlan | undefined> =>
        decideFiles(decided, context.choose, async (decisions) =>
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
            onExistsAt: decisions.onExistsAt,
            age,
            maxAge,
            wire,
            placing: await placingOf(project, lock, { ...decisions, imports: options.imports }),
            // Planned again after each decision about a file.
            onUnused: (found) => void (unused = found),
          }),
        );
      const choose = options.dryRun ? undefined : context.choose;
      const planned = await decideGains(options.wire === true, choose, plan);
      warnings.push(...unused, ...(await notesOnRest(registry, lock, planned)));
      return planned;
    });
    if (made !== undefined) {
      const { plan } = made;
      return { ...made, plan: { ...plan, warnings: [...plan.warnings, ...warnings] } };
    }
    const what = requests.map(({ id }) => id).join(', ');
    const text = what === '' ? 'All builds are up to date' : `Up to date: ${what}`;
    printWarnings({ warnings }, context);
    return { status: 'noop', data: {}, warnings, text: [text] };
  });
}

/** About the builds that the update leaves as they are. */
async function notesOnRest(
  registry: Registries,
  lock: Lock,
  made: MadePlan | undefined,
): Promise<Warning[]> {
  const bytes = made?.commit.bytes;
  const after = bytes === undefined ? lock : parseLock(bytes, LOCK_FILE);
  const changed = new Set(made?.plan.builds.map(({ id }) => id));
  const rest = Object.entries(after.builds).filter(([id]) => !changed.has(id));
  const heads = await installedHeads(registry, { builds: Object.fromEntries(rest) });
  return [...yankedNotes(after, heads), ...advisoryNotes(after, heads), ...pinNotes(after, heads)];
}
