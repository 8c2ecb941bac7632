/** `add`: plans an install, applies it, installs packages. */
import type { Lock } from '../../format/lock.ts';
import { satisfies } from '../../format/semver-range.ts';
import { withProjectLock } from '../install/project-lock.ts';
import { recover } from '../install/recover.ts';
import { applyWrites } from '../install/transaction.ts';
import { packageCommands } from '../packages.ts';
import type { OnExists } from '../plan.ts';
import { planInstall } from '../plan-install.ts';
import { findProject, readLock } from '../project.ts';
import type { BuildRequest } from '../request.ts';
import { parseRequest } from '../request.ts';
import type { AgeOptions } from '../version-age.ts';
import { parseAge } from '../version-age.ts';
import type { CommandContext, GlobalOptions, Outcome } from './command.ts';
import { plannedOutcome, runCommands, sayWarnings } from './installed.ts';
import { withRegistry } from './open-registry.ts';

export interface AddOptions extends GlobalOptions, AgeOptions {
  readonly dryRun: boolean;
  readonly install: boolean;
  readonly onExists: OnExists;
  readonly allow: readonly string[];
}

/** @throws {ClientError} with nothing written, but for `ERR_PACKAGES`, which the outcome carries */
export async function add(
  texts: readonly string[],
  options: AddOptions,
  context: CommandContext,
): Promise<Outcome> {
  const requests = texts.map(parseRequest);
  const project = findProject(options.cwd);
  const work = (): Promise<Outcome> => addTo(project, requests, options, context);
  // A dry run changes nothing, so it neither takes the lock nor mends an interrupted run.
  return options.dryRun ? work() : withProjectLock(project, work);
}

async function addTo(
  project: string,
  requests: readonly BuildRequest[],
  options: AddOptions,
  context: CommandContext,
): Promise<Outcome> {
  if (!options.dryRun) {
    const recovered = await recover(project);
    if (recovered !== 'nothing') context.terminal.warn(`An interrupted run was ${recovered}`);
  }
  const lock = readLock(project);
  if (lock !== undefined && isInstalled(lock, requests)) {
    const text = requests.map(({ id }) => `${id} ${lock.builds[id]?.version} is installed already`);
    return { status: 'noop', data: {}, text };
  }
  return withRegistry(options, lock, context, async (registry) => {
    const { onExists, allow } = options;
    const made = await planInstall({
      project,
      registry,
      requests,
      lock,
      onExists,
      allow,
      age: parseAge(options, Date.now()),
    });
    sayWarnings(made.plan, context);
    const commands = await packageCommands(project, made.plan);
    if (options.dryRun) return plannedOutcome(made.plan, commands);
    await applyWrites(project, made.writes, made.commit, { signal: context.signal });
    return await runCommands(project, made.plan, commands, options.install, context);
  });
}

function isInstalled(lock: Lock, requests: readonly BuildRequest[]): boolean {
  return requests.every(({ id, range }) => {
    const build = lock.builds[id];
    if (build?.requested === undefined) return false;
    return range === undefined || satisfies(build.version, range);
  });
}
