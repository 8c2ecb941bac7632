/** `update`: installs newer versions of builds and merges them with the user's edits. */
import { installedIds } from './short-ids.ts';
import { z } from 'zod';
import {
  AGE,
  allow,
  anyBuilds,
  define,
  dryRun,
  imports,
  install,
  keep,
  maxAge,
  onExists,
} from './options.ts';
import { ChangeOutput } from '../plan/plan.ts';
import { ClientError } from '../errors.ts';
import { fileDecisions } from '../operation/file-decisions.ts';
import type { FileDecisions } from '../operation/file-decisions.ts';
import { decideFiles } from '../operation/decide-files.ts';
import { decideGains } from '../operation/decide-wiring.ts';
import { parsePlacement } from '../operation/placement-folder.ts';
import { placingOf } from '../operation/placing-wish.ts';
import { planUpdate } from '../operation/plan-update.ts';
import { requireLock } from '../project/project.ts';
import { parseRequest } from '../resolve/request.ts';
import { parseAge } from '../resolve/version-age.ts';
import { parseMaxAge } from '../operation/max-age.ts';
import { checkLogAges } from '../operation/check-logs.ts';
import { changeProject } from '../operation/run-change.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../operation/command.ts';
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
import type { MadePlan, Warning } from '../plan/plan.ts';

const Input = z.object({
  builds: anyBuilds('<owner>/<name>[@<range>] of installed builds; none means all'),
  latest: z
    .boolean()
    .default(false)
    .meta({ description: 'update to the highest version, ignoring the recorded ranges' }),
  conflict: z.enum(['fail', 'ours', 'theirs', 'markers']).default('fail').meta({
    description: 'if you and the new version edited the same lines',
    placeholder: 'what',
  }),
  onExists,
  restore: z.boolean().default(false).meta({ description: 'restore files that you deleted' }),
  dryRun,
  install,
  keep,
  to: z.string().max(400).optional().meta({
    description: 'move the build to this folder of the project; rewrites its imports',
    placeholder: 'folder',
  }),
  imports,
  ...AGE,
  maxAge,
  allow,
  wire: z.boolean().default(false).meta({
    description: 'change wired text also where the new text can do more than before',
  }),
  unwire: z.boolean().default(false).meta({
    description: 'only take out what was wired into your files; what you edited since stays',
    group: 'Instead of an update',
  }),
  resolve: z.string().max(400).optional().meta({
    description: 'only check that no conflict is left in this file',
    placeholder: 'file',
    group: 'Instead of an update',
  }),
  take: z.enum(['ours', 'base', 'theirs']).optional().meta({
    description: 'with --resolve: take this side of each conflict',
    placeholder: 'side',
    group: 'Instead of an update',
  }),
});

export type UpdateOptions = GlobalOptions &
  FileDecisions &
  Omit<z.infer<typeof Input>, 'builds' | 'onExists' | 'unwire' | 'resolve' | 'take'>;

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

export const command = define({
  description:
    'Updates builds, by default all, within the ranges that the lock records, and keeps your edits',
  input: Input,
  output: z.union([
    ChangeOutput,
    z.looseObject({ path: z.string(), conflicts: z.int() }).describe('With --resolve.'),
  ]),
  examples: [
    'update stackyard/account -C my-app --dry-run',
    'update --resolve src/account/router.ts --take theirs',
  ],
  run: async (
    { builds: given, onExists: decisions, resolve, take, unwire: isUnwired, ...input },
    shared,
    context,
  ) => {
    const options = { ...shared, ...input, ...fileDecisions(decisions) };
    const builds = installedIds(given, options, context);
    if (resolve !== undefined) {
      if (builds.length > 0 || isUnwired) throw misplaced('--resolve', 'builds or --unwire');
      const { resolveConflict } = await import('./resolve.ts');
      return resolveConflict(resolve, { ...options, take }, context);
    }
    if (take !== undefined) throw misplaced('--take', 'an update', 'name the file with --resolve');
    if (!isUnwired) return update(builds, options, context);
    if (builds.length === 0) {
      throw misplaced(
        '--unwire',
        'all builds',
        'name the builds: stackyard update <builds> --unwire',
      );
    }
    const { unwire } = await import('./wire.ts');
    return unwire(builds, { ...options, install: false }, context);
  },
});

function misplaced(option: string, what: string, hint = 'leave one of them out'): ClientError {
  return new ClientError('ERR_USAGE', `Option ${option} is not for ${what}`, { hint });
}
