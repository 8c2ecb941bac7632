/** `add`: installs builds and what they require. */
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
import type { AgeOptions } from '../resolve/version-age.ts';
import { parseAge } from '../resolve/version-age.ts';
import type { MaxAgeOptions } from '../operation/max-age.ts';
import { parseMaxAge } from '../operation/max-age.ts';
import { changeProject } from '../operation/run-change.ts';
import type { ChangeOptions } from '../operation/run-change.ts';
import type { CommandContext, Outcome } from '../operation/command.ts';
import { withRegistry } from '../operation/open-registry.ts';
import { isLocalSource } from '../local/source-text.ts';
import type { LocalChoice } from '../operation/plan-local.ts';
import type { ImportStyle, MadePlan, OnExists } from '../plan/plan.ts';

export interface AddOptions extends ChangeOptions, AgeOptions, MaxAgeOptions, LocalChoice {
  /** The folder of relative paths; by default the working folder. */
  readonly from?: string;
  readonly onExists: OnExists;
  /** The same for single files of the project, by path. */
  readonly onExistsAt?: ReadonlyMap<string, OnExists>;
  readonly allow: readonly string[];
  readonly keep?: readonly string[];
  /** Whether the steps of the guides are carried out; without it, a question decides. */
  readonly wire?: boolean;
  /** Folder of the project for the build. */
  readonly to?: string | undefined;
  /** How imports of other builds are written. */
  readonly imports?: ImportStyle | undefined;
}

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
  { wire = false, dryRun, onExistsAt = new Map() }: AddOptions,
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
