/** Which commands install the packages that a change needs: those of the project's own package manager. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_JSON, PYPROJECT } from '../edit/edited-files.ts';
import type { FileChange, MadePlan } from '../plan/plan.ts';
import { isOnPath } from '../project/find-program.ts';
import {
  checkOneManager,
  checkOnePythonManager,
  findNodeManager,
  findPythonManager,
} from '../project/package-managers.ts';
import type { PackageCommand } from './package-command.ts';
import { managerCommands, pipCommands, pythonCommands, relockCommands } from './python-packages.ts';

/** Without the scripts of packages; deno runs none by default. */
const NODE_COMMANDS: Record<string, readonly string[]> = {
  npm: ['install', '--ignore-scripts', '--no-audit', '--no-fund'],
  pnpm: ['install', '--ignore-scripts'],
  yarn: ['install', '--ignore-scripts'],
  'yarn@berry': ['install', '--mode=skip-build'],
  bun: ['install', '--ignore-scripts'],
  deno: ['install'],
};

/** On servers of CI these refuse to change their lock by default. */
const LOCK_OPTIONS: Record<string, readonly string[]> = {
  pnpm: ['--no-frozen-lockfile'],
  'yarn@berry': ['--no-immutable'],
};

/** Installs what a lock states, and leaves the lock. */
const EXACT_COMMANDS: Record<string, readonly string[]> = {
  npm: ['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
  pnpm: ['install', '--ignore-scripts', '--frozen-lockfile'],
  yarn: ['install', '--ignore-scripts', '--frozen-lockfile'],
  'yarn@berry': ['install', '--mode=skip-build', '--immutable'],
  bun: ['install', '--ignore-scripts', '--frozen-lockfile'],
  deno: ['install', '--frozen'],
  uv: ['sync', '--frozen'],
  poetry: ['install'],
  pdm: ['sync'],
};

/** The command that installs what the lock at `path` states. */
export async function exactCommand(project: string, path: string): Promise<PackageCommand> {
  const [, python] = /(?:^|\/)(uv|poetry|pdm)\.lock$/.exec(path) ?? [];
  const { name, agent } = await findNodeManager(project);
  const program = python ?? name;
  const args = EXACT_COMMANDS[python ?? agent] ?? EXACT_COMMANDS[program] ?? ['install'];
  return { program, args, isRunnable: false, why: 'installs the packages of the lock' };
}

/**
 * The commands that install the packages that `made` changes; none when no package changes.
 * @param isWanted whether they are to be run: then a project with several managers is refused
 * @throws {ClientError} `ERR_PROJECT_FILE`
 */
export async function packageCommands(
  project: string,
  made: MadePlan,
  isWanted: boolean,
): Promise<PackageCommand[]> {
  const commands: PackageCommand[] = [];
  const manifest = made.changes.find(({ path }) => path === PACKAGE_JSON);
  if (manifest?.bytes !== undefined && changesPackages(project, manifest)) {
    if (isWanted) checkOneManager(project);
    commands.push(await nodeCommand(project, true));
  }
  const changed = new Set(made.changes.map(({ path }) => path));
  const added = made.plan.pip.filter(({ action, file }) => action === 'added' && changed.has(file));
  if (added.length > 0) {
    if (isWanted) checkOnePythonManager(project);
    commands.push(...pipCommands(project, added));
  } else if (made.changes.some(({ path, bytes }) => path === PYPROJECT && bytes !== undefined)) {
    commands.push(...relockCommands(project));
  }
  return commands;
}

/**
 * The install command of the project's package manager; only printed for one that is not known.
 * @param changesLock whether package.json has changed since its lock was written
 */
export async function nodeCommand(project: string, changesLock = false): Promise<PackageCommand> {
  const { name, agent } = await findNodeManager(project);
  const args = NODE_COMMANDS[agent] ?? NODE_COMMANDS[name];
  if (args === undefined) return { program: name, args: ['install'], isRunnable: false };
  // A missing manager is an error of the command, except one that a project without a lock only suggests.
  const isRunnable = name !== 'deno' || isOnPath(name);
  const options = changesLock ? (LOCK_OPTIONS[agent] ?? []) : [];
  return { program: name, args: [...args, ...options], isRunnable };
}

function changesPackages(project: string, { bytes }: FileChange): boolean {
  const file = join(project, PACKAGE_JSON);
  const before = existsSync(file) ? readFileSync(file) : new Uint8Array();
  return dependencyTables(before) !== dependencyTables(bytes ?? new Uint8Array());
}

function dependencyTables(bytes: Uint8Array): string {
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  const { dependencies, devDependencies } = (text === '' ? {} : JSON.parse(text)) as {
    dependencies?: object;
    devDependencies?: object;
  };
  return JSON.stringify([dependencies ?? {}, devDependencies ?? {}]);
}

/** The commands that install the packages of a project. */
export async function setUpCommands(project: string): Promise<PackageCommand[]> {
  const commands: PackageCommand[] = [];
  if (existsSync(join(project, PACKAGE_JSON))) commands.push(await nodeCommand(project));
  const own = managerCommands(project, findPythonManager(project));
  return [...commands, ...(own?.slice(-1) ?? pythonCommands(project, isOnPath('uv')))];
}
