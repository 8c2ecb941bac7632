/** `add`: installs builds and what they require. */
import type { Frozen } from '../plan/planned-entries.ts';
import { fullIds } from './short-ids.ts';
import { z } from 'zod';
import {
  AGE,
  allow,
  anyBuilds,
  define,
  imports,
  install,
  keep,
  maxAge,
  onExists,
} from './options.ts';
import { ChangeOutput } from '../plan/plan.ts';
import { fileDecisions } from '../operation/file-decisions.ts';
import type { FileDecisions } from '../operation/file-decisions.ts';
import { chooseProject } from '../project/choose-project.ts';
import { readLock } from '../project/project.ts';
import type { GlobalOptions } from '../operation/command.ts';
import type { Lock } from '../../format/lock/lock.ts';
import { resolve } from 'node:path';
import { ClientError } from '../errors.ts';
import { satisfies } from '../../format/version/semver-range.ts';
import { decideFiles } from '../operation/decide-files.ts';
import type { Decisions } from '../operation/decide-files.ts';
import { followMoves } from '../operation/follow-moves.ts';
import { decideWiring } from '../operation/decide-wiring.ts';
import { checkInstalledPlaces, parsePlacement } from '../operation/placement-folder.ts';
import { placingOf } from '../operation/placing-wish.ts';
import { planInstall } from '../operation/plan-install.ts';
import type { BuildRequest } from '../resolve/request.ts';
import { parseRegistryRequest } from '../resolve/request.ts';
import { parseAge } from '../resolve/version-age.ts';
import { parseMaxAge } from '../operation/max-age.ts';
import { changeProject } from '../operation/run-change.ts';
import type { CommandContext, Outcome } from '../operation/command.ts';
import { withRegistry } from '../operation/open-registry.ts';
import { isLocalSource } from '../local/source-text.ts';
import type { MadePlan } from '../plan/plan.ts';

const Input = z.object({
  builds: anyBuilds(
    '[<registry>:]<owner>/<name>[@<range>], or what is not published yet: ./dates, ./dates-1.0.0.tgz, an https address',
    ['@registries'],
  ),
  dryRun: z.boolean().default(false).meta({
    description: 'print what would change, or why the builds do not fit, and write nothing',
  }),
  install,
  onExists,
  keep,
  to: z.string().max(400).optional().meta({
    description: 'put the build into this folder of the project; rewrites its imports',
    placeholder: 'folder',
  }),
  imports,
  wire: z.boolean().default(false).meta({
    description:
      'carry out the steps of INTEGRATION.md that have one clear place, also of installed builds',
  }),
  ...AGE,
  maxAge,
  allow,
  plan: z.string().optional().meta({
    description: 'apply this plan, which --dry-run --json printed, if nothing has changed since',
    placeholder: 'file',
  }),
  owner: z.string().max(100).optional().meta({
    description: 'the owner who will publish it',
    placeholder: 'login',
    group: 'Of a build that is not published yet',
  }),
  integrity: z.string().max(100).optional().meta({
    description: 'the digest that it must have',
    placeholder: 'digest',
    group: 'Of a build that is not published yet',
  }),
});

/** The options that the library's `plan` takes as well. */
export const PlanDecisions = Input.pick({
  onExists: true,
  keep: true,
  allow: true,
  to: true,
  imports: true,
});
export type PlanDecisions = Frozen<z.input<typeof PlanDecisions>>;

export type AddOptions = GlobalOptions &
  FileDecisions &
  Omit<z.infer<typeof Input>, 'builds' | 'onExists' | 'plan'> & {
    /** The folder of relative paths; by default the working folder. */
    readonly from?: string;
  };

/** @throws {ClientError} with nothing written, except `ERR_PACKAGES`, which the outcome carries */
export async function add(
  texts: readonly string[],
  options: AddOptions,
  context: CommandContext,
): Promise<Outcome> {
  if (texts.some(isLocalSource)) return addLocal(texts, options, context);
  if (options.owner !== undefined || options.integrity !== undefined) {
    throw new ClientError('ERR_USAGE', '--owner and --integrity are for local builds', {
      hint: 'a build of a registry has its owner in its id, and its digest in the head',
    });
  }
  const asked = texts.map(parseRegistryRequest);
  const to = Object.fromEntries(parsePlacement(asked, options.to));
  return changeProject({ ...options, isAnyFolder: true }, context, async (project, lock) => {
    checkInstalledPlaces(lock, to);
    if (lock !== undefined && isInstalled(lock, asked)) {
      const text = asked.map(({ id }) => `${id} ${lock.builds[id]?.version} is installed already`);
      return { status: 'noop', data: {}, text };
    }
    return withRegistry(options, lock, context, async (registry) => {
      const { onExists, allow, keep } = options;
      const age = parseAge(options, Date.now());
      const maxAge = parseMaxAge(options);
      const rules = { onExists, allow, keep, age, maxAge };
      const { requests, notes } = await followMoves(registry, asked, lock);
      const input = { project, registry, requests, lock, notes, ...rules };
      return decide(options, to, context, async (decisions, wire) => {
        const placing = await placingOf(project, lock, { ...decisions, imports: options.imports });
        return planInstall({ ...input, placing, onExistsAt: decisions.onExistsAt, wire });
      });
    });
  });
}

/**
 * Asks about each file in the way, and then once whether steps are carried out, which a dry run does not ask.
 * @param to folders that the user gave
 */
function decide<Made extends MadePlan | undefined>(
  { wire, dryRun, onExistsAt }: AddOptions,
  to: Decisions['to'],
  { choose }: CommandContext,
  make: (decisions: Decisions, wire: boolean) => Promise<Made>,
): Promise<Made> {
  let decided: Decisions = { onExistsAt, to };
  return decideWiring(wire, dryRun ? undefined : choose, (isWired) =>
    decideFiles(decided, choose, (decisions) => {
      // A second plan, without the steps, asks about no file again.
      decided = decisions;
      return make(decisions, isWired);
    }),
  );
}

/** Builds from folders, tarballs and addresses, as if the registry had them. */
async function addLocal(
  texts: readonly string[],
  options: AddOptions,
  context: CommandContext,
): Promise<Outcome> {
  // The checks of the registry are large, and most calls do not need them.
  const { planLocal } = await import('../operation/plan-local.ts');
  return changeProject({ ...options, isAnyFolder: true }, context, async (project, lock) => {
    const made = await withRegistry(
      options,
      lock,
      context,
      (registry) => {
        const { onExists, allow, keep } = options;
        const age = parseAge(options, Date.now());
        const maxAge = parseMaxAge(options);
        const input = { project, registry, lock, onExists, allow, keep, age, maxAge };
        return decide(options, {}, context, ({ onExistsAt, to: places }, wire) => {
          const choice = { ...options, places };
          const from = resolve(options.from ?? '.');
          return planLocal(texts, from, choice, { ...input, onExistsAt, wire }, context);
        });
      },
      undefined,
      true,
    );
    const text = [`${texts.join(', ')}: installed already, and unchanged since`];
    return made ?? { status: 'noop', data: {}, text };
  });
}

function isInstalled(lock: Lock, requests: readonly BuildRequest[]): boolean {
  return requests.every(({ id, range, registry }) => {
    const build = lock.builds[id];
    if (build?.requested === undefined) return false;
    if (registry !== undefined && registry !== build.registry) return false;
    return range === undefined || satisfies(build.version, range);
  });
}

export const command = define({
  description:
    'Installs builds and the builds that they require, or applies a saved plan. With --dry-run the exit status is 4 when they do not fit, and --verbose prints step by step why',
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
    'add --plan plan.json -C my-app',
  ],
  run: async ({ builds: given, plan, onExists: decisions, ...input }, shared, context) => {
    const from = context.from === undefined ? {} : { from: context.from };
    const options = { ...shared, ...input, ...fileDecisions(decisions), ...from };
    if ((plan === undefined) === (given.length === 0)) {
      const problem =
        plan === undefined ? 'Argument <builds> is missing' : 'Option --plan is not for builds';
      const hint =
        'write stackyard add <builds...>, or stackyard add --plan <file>; see stackyard add --help';
      throw new ClientError('ERR_USAGE', problem, { hint });
    }
    if (plan !== undefined) {
      const { apply } = await import('./apply.ts');
      return apply(plan, options, context);
    }
    const builds = await fullIds(given, 'module', options, context);
    if (input.wire && areInstalled(builds, options)) {
      const { wire } = await import('./wire.ts');
      return wire(builds, { ...options, install: false }, context);
    }
    if (!input.dryRun || builds.some(isLocalSource)) return add(builds, options, context);
    const { withFit } = await import('./fit.ts');
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
