/** `add`: installs builds of registries, folders and tarballs, and what they require. */
import {
  fileDecisions,
  allow,
  define,
  type FileDecisions,
  install,
  keep,
  minAge,
  onExists,
  prove,
  someBuilds,
  style,
  flag,
} from '../terminal/options.ts';
import { NO_CHOICES } from '../plan/make-plan.ts';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Lock } from '../../format/project/lock.ts';
import { isPrerelease, satisfies } from '../../format/version/semver-range.ts';
import { withProject, unchangedOutcome } from '../apply/apply-plan.ts';
import { ClientError } from '../errors.ts';
import { checkInstalledPlaces, parsePlacement } from '../plan/place/placement-folder.ts';
import { type Change, ChangeOutput, type PlanChoices, type Warning } from '../plan/plan.ts';
import { readLock } from '../project/project.ts';
import { type BuildRequest, parseRegistryRequest } from '../resolve/request.ts';
import { parseOwner } from '../resolve/id-parts.ts';
import { followMoves } from '../registry/follow-moves.ts';
import { withRegistry } from '../registry/open-registry.ts';
import { isLocalSource, sourceInLock } from '../registry/local-source.ts';
import { type LocalBuild, overlaid } from '../registry/overlay.ts';
import type { Registries } from '../registry/registries.ts';
import { parseAge } from '../resolve/version-age.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { decideFiles, decideWiring, finishPlan } from '../change/plan-change.ts';
import { type Fetched, fetchAddition } from '../change/fetch-addition.ts';
import { fetchUpdate } from '../change/fetch-update.ts';
import { applyAndProve, type ProveOptions } from '../change/prove-change.ts';
import { decideStyle } from '../style/decide-style.ts';
import { fullIds } from '../registry/short-ids.ts';
import { chooseProject } from '../project/choose-project.ts';
import type { Frozen } from '../plan/planned-entries.ts';

const Input = z.object({
  builds: someBuilds(
    '[<registry>:]<owner>/<name>[@<range>], or what is not published yet: ./dates, ./dates-1.0.0.tgz',
    ['@registries'],
  ),
  dryRun: flag('print what would change, or why the builds do not fit, and write nothing'),
  install,
  prove,
  onExists,
  keep,
  to: z.string().max(400).optional().meta({
    description: 'put the build into this folder of the project; rewrites its imports',
    placeholder: 'folder',
  }),
  style,
  wire: flag(
    'carry out the steps of INTEGRATION.md that have one clear place, also of installed builds',
  ),
  minAge,
  allow,
  owner: z.string().max(100).optional().meta({
    description: 'the owner who will publish it',
    placeholder: 'login',
    group: 'Of a build that is not published yet',
  }),
});

/** The options that the library's `plan` takes as well. */
export const PlanDecisions = Input.pick({
  onExists: true,
  keep: true,
  allow: true,
  to: true,
});
export type PlanDecisions = Frozen<z.input<typeof PlanDecisions>>;

type AddOptions = GlobalOptions &
  FileDecisions &
  Omit<z.infer<typeof Input>, 'builds' | 'onExists' | keyof ProveOptions> &
  ProveOptions & {
    /** The folder of relative paths; by default the working folder. */
    readonly from?: string;
  };

/** @throws {ClientError} with nothing written, except `ERR_PACKAGES`, which the outcome carries */
export async function add(
  texts: readonly string[],
  options: AddOptions,
  context: CommandContext,
): Promise<Outcome> {
  const sources = texts.filter(isLocalSource);
  if (sources.length === 0 && options.owner !== undefined) {
    throw new ClientError('ERR_USAGE', 'Option --owner is for builds that are not published yet', {
      hint: 'the id of a build of a registry has its owner: leave --owner out',
    });
  }
  const published = texts.filter((text) => !isLocalSource(text)).map(parseRegistryRequest);
  const age = parseAge(options, Date.now());
  return withProject({ ...options, isAnyFolder: true }, context, async (project) => {
    const lock = readLock(project);
    const local = await openLocalBuilds(sources, project, options);
    const asked = [...published, ...[...local.values()].map(requestOf)];
    const to = parsePlacement(asked, options.to);
    const isReplacing = replacesInstalled(asked, local, lock);
    if (local.size === 0) checkInstalledPlaces(lock, to);
    if (local.size === 0 && isInstalled(lock, asked)) {
      const text = asked.map(({ id }) => `${id} ${lock?.builds[id]?.version} is installed already`);
      return unchangedOutcome(project, text, options, context);
    }

    const resolveAndFetch = async (opened: Registries): Promise<Fetched | undefined> => {
      const common = { age, project, registry: opened };
      if (local.size === 0) {
        const { requests, notes } = await followMoves(opened, asked, lock);
        return fetchAddition({ ...common, lock, requests, notes });
      }
      const registry = overlaid(opened, local);
      const places = new Map([...local].map(([id, { source }]) => [id, source]));
      const wanted = { ...common, registry, requests: asked, sources: places };
      if (lock === undefined || !isReplacing) return fetchAddition({ ...wanted, lock });
      return (await fetchUpdate({ ...wanted, lock, latest: true, to })).fetched;
    };
    const isOptional = local.size > 0;
    const fetched = await withRegistry(
      options,
      lock,
      context,
      resolveAndFetch,
      undefined,
      isOptional,
    );
    if (fetched === undefined) {
      const text = [`${texts.join(', ')}: installed already, and unchanged since`];
      return { status: 'noop', data: {}, text };
    }

    const { onExists, onExistsAt, allow, keep } = options;
    const choices: PlanChoices = {
      ...NO_CHOICES,
      requested: fetched.requested,
      on_exists: isReplacing ? 'fail' : onExists,
      on_exists_at: Object.fromEntries(onExistsAt),
      allow,
      keep,
      to,
      style: await decideStyle(project, options.style, context),
      wire: options.wire === true ? true : undefined,
    };
    const change = withOwnerNotes(fetched.change, local);
    const draft = await decideFiles(project, change, choices, context.choose, context.signal);
    const choose = options.dryRun ? undefined : context.choose;
    const wired = await decideWiring(project, draft, choose);
    const made = await finishPlan(project, wired, context.signal);
    return applyAndProve(project, made, fetched.change.builds, options, context);
  });
}

function isInstalled(lock: Lock | undefined, requests: readonly BuildRequest[]): boolean {
  return requests.every(({ id, range, registry }) => {
    const build = lock?.builds[id];
    if (build?.requested === undefined) return false;
    if (registry !== undefined && registry !== build.registry) return false;
    return range === undefined || satisfies(build.version, range);
  });
}

/** The builds at `sources`, by id. @throws {ClientError} those of reading and checking a build */
async function openLocalBuilds(
  sources: readonly string[],
  project: string,
  options: AddOptions,
): Promise<Map<string, LocalBuild>> {
  const builds = new Map<string, LocalBuild>();
  if (sources.length === 0) return builds;
  // The checks of the registry are large, and most calls do not need them.
  const { openLocalBuild } = await import('../registry/local-build.ts');
  const owner = options.owner === undefined ? undefined : parseOwner(options.owner);
  const from = resolve(options.from ?? '.');
  for (const text of sources) {
    const build = await openLocalBuild(
      { source: sourceInLock(text, from, project), project },
      owner,
    );
    const other = builds.get(build.id);
    if (other !== undefined) {
      throw new ClientError(
        'ERR_USAGE',
        `"${build.source}" and "${other.source}" are both "${build.id}"`,
        { hint: 'give one of them' },
      );
    }
    builds.set(build.id, build);
  }
  return builds;
}

/** The highest version is the only one; a prerelease is chosen by its name alone. */
function requestOf({ id, head }: LocalBuild): BuildRequest {
  return { id, range: isPrerelease(head.latest) ? head.latest : undefined };
}

/** Whether local builds replace installed ones. @throws {ClientError} `ERR_USAGE` where only some are installed */
function replacesInstalled(
  asked: readonly BuildRequest[],
  local: ReadonlyMap<string, LocalBuild>,
  lock: Lock | undefined,
): boolean {
  const installed = asked.filter(({ id }) => lock?.builds[id] !== undefined);
  if (local.size === 0 || installed.length === 0) return false;
  if (installed.length === asked.length) return true;
  throw new ClientError(
    'ERR_USAGE',
    `"${installed[0]!.id}" is installed already, and other builds are not`,
    { hint: `replace it by the local one on its own, then add the others` },
  );
}

/** Without its owner, a build never becomes a published one by an update. */
function withOwnerNotes(change: Change, local: ReadonlyMap<string, LocalBuild>): Change {
  const notes = [...local.keys()]
    .filter((id) => id.startsWith('local/'))
    .map((id): Warning => {
      const message = `"${id}" has the owner "local": with --owner <login>, "stackyard update" replaces it by the published version`;
      return { code: 'local-owner', message, path: '' };
    });
  return { ...change, warnings: [...change.warnings, ...notes] };
}

export const command = define({
  description:
    'Installs builds and the builds that they require. With --dry-run the exit status is 4 when they do not fit, and --verbose prints step by step why',
  input: Input,
  output: ChangeOutput.extend({
    fits: z.boolean().optional().describe('Of a dry run.'),
    reasons: z
      .array(z.looseObject({ text: z.string() }))
      .optional()
      .describe('The smallest set of facts because of which the builds do not fit.'),
    stack: z
      .array(z.looseObject({ tag: z.string(), source: z.string() }))
      .optional()
      .describe('Of a dry run: what the project has of what the builds require.'),
  }),
  examples: [
    'add stackyard/sqlite@^1.0.0 -C my-app --dry-run',
    'add corp:acme/web  # from another registry of the project',
  ],
  run: async ({ builds: given, onExists: decisions, ...input }, shared, context) => {
    const from = context.from === undefined ? {} : { from: context.from };
    const options = { ...shared, ...input, ...fileDecisions(decisions), ...from };
    const builds = await fullIds(given, 'module', options, context);
    if (input.wire && areInstalled(builds, options)) {
      const { wire } = await import('../change/wire-installed.ts');
      return wire(builds, { ...options, install: false }, context);
    }
    if (!input.dryRun || builds.some(isLocalSource)) return add(builds, options, context);
    const { withFit } = await import('../change/fit.ts');
    return withFit(builds, options, context, () => add(builds, options, context));
  },
});

/** Whether all builds are there already, for whatever reason: then `--wire` is about their steps. */
function areInstalled(texts: readonly string[], options: AddOptions): boolean {
  if (texts.some(isLocalSource)) return false;
  const lock = readLock(chooseProject({ ...options, isAnyFolder: true }));
  return texts.map(parseRegistryRequest).every(({ id, range }) => {
    const build = lock?.builds[id];
    return build !== undefined && (range === undefined || satisfies(build.version, range));
  });
}
