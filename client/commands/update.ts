/** `update`: installs newer versions of builds and merges them with the user's edits. */
import {
  advisoryNotes,
  pinNotes,
  yankedNotes,
  installedHeads,
} from '../registry/installed-notes.ts';
import {
  fileDecisions,
  allow,
  anyBuilds,
  define,
  dryRun,
  type FileDecisions,
  install,
  keep,
  minAge,
  onExists,
  prove,
  style,
  flag,
} from '../terminal/options.ts';
import { NO_CHOICES } from '../plan/make-plan.ts';
import { z } from 'zod';
import type { Lock } from '../../format/project/lock.ts';
import { withProject, unchangedOutcome } from '../apply/apply-plan.ts';
import { parsePlacement } from '../plan/place/placement-folder.ts';
import { ChangeOutput, type OnExists, type PlanChoices, type Warning } from '../plan/plan.ts';
import { requireLock } from '../project/project.ts';
import { installedIds } from '../registry/short-ids.ts';
import {
  type CommandContext,
  type GlobalOptions,
  type Outcome,
  printWarnings,
} from '../terminal/command.ts';
import { parseRequest } from '../resolve/request.ts';
import { parseAge } from '../resolve/version-age.ts';
import { withRegistry } from '../registry/open-registry.ts';
import type { Registries } from '../registry/registries.ts';
import { decideFiles, decideGains, finishPlan } from '../change/plan-change.ts';
import { fetchUpdate, type FetchedUpdate } from '../change/fetch-update.ts';
import { applyAndProve } from '../change/prove-change.ts';
import { decideStyle } from '../style/decide-style.ts';

const Input = z.object({
  builds: anyBuilds('<owner>/<name>[@<range>] of installed builds; none means all'),
  latest: flag('update to the highest version, ignoring the recorded ranges'),
  conflict: z.enum(['fail', 'ours', 'theirs', 'markers']).default('fail').meta({
    description: 'if you and the new version edited the same lines',
    placeholder: 'what',
  }),
  onExists,
  dryRun,
  install,
  prove,
  keep,
  to: z.string().max(400).optional().meta({
    description: 'move the build to this folder of the project; rewrites its imports',
    placeholder: 'folder',
  }),
  style,
  minAge,
  allow,
});

type UpdateOptions = GlobalOptions &
  FileDecisions &
  Omit<z.infer<typeof Input>, 'builds' | 'onExists'>;

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
  const to = parsePlacement(requests, options.to);
  const age = parseAge(options, Date.now());
  return withProject(options, context, async (project) => {
    const lock = requireLock(project);
    const { latest, allow, keep } = options;
    const found = await withRegistry(options, lock, context, async (registry) => {
      const wanted = { age, project, registry, lock, requests, latest, to };
      const { fetched, unused } = await fetchUpdate(wanted);
      return { fetched, notes: [...unused, ...(await notesOnRest(registry, lock, fetched))] };
    });
    const { fetched, notes } = found;
    if (fetched === undefined) {
      const what = requests.map(({ id }) => id).join(', ');
      const text = what === '' ? 'All builds are up to date' : `Up to date: ${what}`;
      printWarnings({ warnings: notes }, context);
      const outcome = await unchangedOutcome(project, [text], options, context);
      return { ...outcome, warnings: notes };
    }

    const choices: PlanChoices = {
      ...NO_CHOICES,
      requested: fetched.requested,
      on_exists: options.onExists ?? 'fail',
      on_exists_at: Object.fromEntries(options.onExistsAt ?? new Map<string, OnExists>()),
      on_conflict: options.conflict,
      allow,
      keep,
      to,
      style: await decideStyle(project, options.style, context),
    };
    const { choose: answer, signal } = context;
    const draft = await decideFiles(project, fetched.change, choices, answer, signal);
    const choose = options.dryRun ? undefined : context.choose;
    const wired = await decideGains(project, draft, choose);
    const made = await finishPlan(project, wired, context.signal);
    const { plan } = made;
    const noted = { ...made, plan: { ...plan, warnings: [...plan.warnings, ...notes] } };
    return applyAndProve(project, noted, fetched.change.builds, options, context);
  });
}

/** About the builds that the update leaves as they are. */
async function notesOnRest(
  registry: Registries,
  before: Lock,
  fetched: FetchedUpdate['fetched'],
): Promise<Warning[]> {
  const { lock = before, builds = [], leaving = new Set<string>() } = fetched?.change ?? {};
  const isChanged = (id: string): boolean =>
    leaving.has(id) || builds.some((build) => build.id === id);
  const rest = Object.entries(lock.builds)
    .filter(([id]) => !isChanged(id))
    .map(([id, build]) => {
      const requested = fetched?.requested[id] ?? build.requested;
      return [id, requested === undefined ? build : { ...build, requested }] as const;
    });
  const after = { ignored: lock.ignored, builds: Object.fromEntries(rest) };
  const heads = await installedHeads(registry, after);
  return [...yankedNotes(after, heads), ...advisoryNotes(after, heads), ...pinNotes(after, heads)];
}

export const command = define({
  description:
    'Updates builds, by default all, within the ranges that the lock records, and keeps your edits',
  input: Input,
  output: ChangeOutput,
  examples: ['update stackyard/account -C my-app --dry-run'],
  run: ({ builds, onExists: decisions, ...input }, shared, context) => {
    const options = { ...shared, ...input, ...fileDecisions(decisions) };
    return update(installedIds(builds, options, context), options, context);
  },
});
