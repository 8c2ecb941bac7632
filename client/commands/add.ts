/** `add`: resolve, download, verify, plan, apply, install packages. */
import { LOCK_FILE } from '../../format/lock.ts';
import type { Lock } from '../../format/lock.ts';
import { satisfies } from '../../format/semver-range.ts';
import { ClientError } from '../errors.ts';
import { fetchBuild } from '../fetch-build.ts';
import { withProjectLock } from '../install/project-lock.ts';
import { recover } from '../install/recover.ts';
import { checkTargets } from '../install/safe-path.ts';
import { applyWrites } from '../install/transaction.ts';
import { formatCommand, packageCommands, runPackageCommand } from '../packages.ts';
import type { PackageCommand } from '../packages.ts';
import type { FetchedBuild, MadePlan, OnExists, Plan, Warning } from '../plan.ts';
import { makePlan } from '../plan.ts';
import { EDITED_FILES } from '../plan-edits.ts';
import { targetPaths } from '../plan-files.ts';
import { findProject, readLock, readSnapshot } from '../project.ts';
import { Registry } from '../registry.ts';
import type { BuildRequest } from '../request.ts';
import { parseRequest } from '../request.ts';
import type { Solution } from '../solve.ts';
import { solve } from '../solve.ts';
import { describePlan } from './add-text.ts';
import type { CommandContext, GlobalOptions, NextStep, Outcome } from './command.ts';
import { registryAddress } from './command.ts';

export interface AddOptions extends GlobalOptions {
  readonly dryRun: boolean;
  readonly install: boolean;
  readonly onExists: OnExists;
  readonly allow: readonly string[];
}

/** How many tarballs are downloaded side by side. */
const PARALLEL_DOWNLOADS = 4;

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
  const registry = new Registry(registryAddress(options.registry, lock?.registry), context.signal);
  try {
    const solution = await solve(project, registry, requests, lock);
    const made = await planAll(project, registry, requests, solution, lock, options);
    for (const { path, message } of made.plan.warnings) {
      context.terminal.warn(path === '' ? message : `${path}: ${message}`);
    }
    await checkTargets(
      project,
      [...made.writes, made.commit].map((write) => write.path),
    );
    const commands = await packageCommands(project, made.plan);
    if (options.dryRun) return plannedOutcome(made.plan, commands);
    await applyWrites(project, made.writes, made.commit, { signal: context.signal });
    return await installPackages(project, made.plan, commands, options, context);
  } finally {
    await registry.close();
  }
}

function isInstalled(lock: Lock, requests: readonly BuildRequest[]): boolean {
  return requests.every(({ id, range }) => {
    const build = lock.builds[id];
    if (build?.requested === undefined) return false;
    return range === undefined || satisfies(build.version, range);
  });
}

async function planAll(
  project: string,
  registry: Registry,
  requests: readonly BuildRequest[],
  solution: Solution,
  lock: Lock | undefined,
  options: AddOptions,
): Promise<MadePlan> {
  const wanted = [...solution.versions].filter(([id]) => lock?.builds[id] === undefined);
  wanted.sort(([a], [b]) => (a < b ? -1 : 1));
  const builds: FetchedBuild[] = [];
  for (let at = 0; at < wanted.length; at += PARALLEL_DOWNLOADS) {
    const part = wanted.slice(at, at + PARALLEL_DOWNLOADS);
    builds.push(
      ...(await Promise.all(part.map(([id, version]) => fetchBuild(registry, id, version)))),
    );
  }
  const foundation = builds.find((build) => build.manifest.kind === 'foundation');
  if (foundation !== undefined) {
    throw new ClientError(
      'ERR_KIND',
      `"${foundation.id}" is a foundation: it starts a project and cannot be added to one`,
      {
        hint: 'add modules only; starting a project from a foundation is a command of its own',
      },
    );
  }
  const requested = new Map(
    requests.map(({ id, range }) => {
      const version = solution.versions.get(id)?.version ?? lock?.builds[id]?.version ?? '';
      return [id, range ?? `^${version}`];
    }),
  );
  const touched = [...targetPaths(builds), ...EDITED_FILES, LOCK_FILE];
  return makePlan({
    registry: registry.base,
    builds,
    requested,
    lock,
    project: readSnapshot(project, touched),
    warnings: [...registryWarnings(registry.base, lock), ...solution.warnings],
    onExists: options.onExists,
    allow: new Set(options.allow),
  });
}

function registryWarnings(base: string, lock: Lock | undefined): Warning[] {
  if (lock === undefined || lock.registry === base) return [];
  const message = `The builds so far came from ${lock.registry}; from now on the lock names ${base}`;
  return [{ code: 'registry-changed', message, path: LOCK_FILE }];
}

function plannedOutcome(plan: Plan, commands: readonly PackageCommand[]): Outcome {
  return {
    status: 'planned',
    data: { plan, commands: commands.map(formatCommand) },
    warnings: plan.warnings,
    text: [...describePlan(plan), 'Nothing was written: this was a dry run'],
  };
}

/** Outside the transaction: the files stay whatever the package manager does. */
async function installPackages(
  project: string,
  plan: Plan,
  commands: readonly PackageCommand[],
  options: AddOptions,
  context: CommandContext,
): Promise<Outcome> {
  const next: NextStep[] = [];
  let error: ClientError | undefined;
  for (const command of commands) {
    if (error !== undefined || !options.install || !command.isRunnable) {
      next.push({ command: formatCommand(command), why: 'installs the packages' });
      continue;
    }
    context.terminal.say(`Running ${formatCommand(command)}`);
    try {
      await runPackageCommand(project, command, context.signal);
    } catch (failure) {
      if (!(failure instanceof ClientError)) throw failure;
      error = failure;
      next.push({ command: formatCommand(command), why: 'failed: run it again' });
    }
  }
  for (const { id } of plan.builds) {
    next.push({
      command: `stackyard info ${id} --integration`,
      why: 'the steps that integrate it',
    });
  }
  return {
    status: error === undefined ? 'done' : 'error',
    data: { plan, project },
    warnings: plan.warnings,
    next,
    text: [...describePlan(plan), ...next.map((step) => `Next: ${step.command}  (${step.why})`)],
    ...(error === undefined ? {} : { error }),
  };
}
