/** `add`: resolve, download, verify, plan, apply, install packages. */
import type { Head } from '../../format/head.ts';
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
import type { FetchedBuild, MadePlan, OnExists, Plan } from '../plan.ts';
import { makePlan } from '../plan.ts';
import { EDITED_FILES } from '../plan-edits.ts';
import { targetPaths } from '../plan-files.ts';
import { findProject, readLock, readSnapshot } from '../project.ts';
import { Registry } from '../registry.ts';
import type { BuildRequest } from '../request.ts';
import { parseRequest } from '../request.ts';
import { resolve } from '../resolve.ts';
import type { Resolution } from '../resolve.ts';
import { readStack } from '../stack.ts';
import { describePlan } from './add-text.ts';
import type { CommandContext, GlobalOptions, NextStep, Outcome } from './command.ts';
import { registryAddress } from './command.ts';

export interface AddOptions extends GlobalOptions {
  readonly dryRun: boolean;
  readonly install: boolean;
  readonly onExists: OnExists;
  readonly allow: readonly string[];
}

type Solved = Extract<Resolution, { kind: 'solved' }>;

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
    const solved = await resolveAll(project, registry, requests, lock);
    const made = await planAll(project, registry, requests, solved, lock, options);
    for (const warning of made.plan.warnings)
      context.terminal.warn(`${warning.path}: ${warning.message}`);
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

/** Resolves, fetching heads as the resolver asks for them. */
async function resolveAll(
  project: string,
  registry: Registry,
  requests: readonly BuildRequest[],
  lock: Lock | undefined,
): Promise<Solved> {
  const stack = await readStack(project, process.versions.node);
  const locked = new Map(Object.entries(lock?.builds ?? {}));
  const heads = new Map<string, Head>();
  const missing = new Set<string>();
  for (;;) {
    const resolution = resolve({ requests, heads, missing, locked, stack });
    if (resolution.kind === 'solved') return resolution;
    if (resolution.kind === 'conflict') {
      throw new ClientError(resolution.code, resolution.message, { hint: resolution.hint });
    }
    const fetched = await Promise.all(resolution.ids.map((id) => registry.head(id)));
    for (const [at, id] of resolution.ids.entries()) {
      const head = fetched[at];
      if (head === undefined) missing.add(id);
      else heads.set(id, head);
      checkUnchanged(id, head, lock);
    }
  }
}

/** A version whose digest changed since it was installed is an error for ever. */
function checkUnchanged(id: string, head: Head | undefined, lock: Lock | undefined): void {
  const locked = lock?.builds[id];
  const listed = head?.versions.find((v) => v.version === locked?.version);
  if (locked === undefined || listed === undefined || listed.integrity === locked.integrity) return;
  throw new ClientError(
    'ERR_INTEGRITY',
    `"${id}" ${locked.version} was installed as ${locked.integrity}, and the registry now names ${listed.integrity}`,
    { hint: 'a published version never changes: do not trust this registry, and tell its admins' },
  );
}

async function planAll(
  project: string,
  registry: Registry,
  requests: readonly BuildRequest[],
  solved: Solved,
  lock: Lock | undefined,
  options: AddOptions,
): Promise<MadePlan> {
  const wanted = [...solved.versions].filter(([id]) => lock?.builds[id] === undefined);
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
      const version = solved.versions.get(id)?.version ?? lock?.builds[id]?.version ?? '';
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
    onExists: options.onExists,
    allow: new Set(options.allow),
  });
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
