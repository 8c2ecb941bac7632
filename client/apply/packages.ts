/** Which commands install the packages that a change needs: those of the project's own package manager. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { DEV_REQUIREMENTS, PACKAGE_JSON, PYPROJECT, REQUIREMENTS } from '../edit/project-file.ts';
import type { FileChange, MadePlan } from '../plan/plan.ts';
import {
  checkOneManager,
  checkOnePythonManager,
  findNodeManager,
  findPythonManager,
  hasPythonLock,
} from '../project/package-managers.ts';
import { isOnPath } from '../project/safe-path.ts';
import { pythonWorkspaceOf } from '../project/workspace.ts';
import { ClientError } from '../errors.ts';
import { startProgram } from '../project/start-program.ts';
import { formatRequirement } from '../edit/python/pip-dependencies.ts';
import type { PipEntry } from '../plan/planned-entries.ts';
import { readNames } from '../project/read-file.ts';

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

export interface PackageCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** False when only the user can run it, such as when there is no virtual environment yet. */
  readonly isRunnable: boolean;
  /** What it does; default: it installs the packages. */
  readonly why?: string;
}

/** A command as it is typed. */
export function formatCommand({ program, args }: PackageCommand): string {
  return [
    program,
    ...args.map((arg) => (/[\s<>|&;*?"'$!~^()[\]]/.test(arg) ? `"${arg}"` : arg)),
  ].join(' ');
}

/**
 * Runs a command with its output on standard error and without standard input.
 * @throws {ClientError} `ERR_PACKAGES`: the files are written, the packages are not installed
 */
export async function runPackageCommand(
  project: string,
  command: PackageCommand,
  signal: AbortSignal,
): Promise<void> {
  const failed = (problem: string, cause?: unknown): ClientError =>
    new ClientError(
      'ERR_PACKAGES',
      `The files are in place, but "${formatCommand(command)}" ${problem}`,
      {
        cause,
        hint: `run it again in "${project}"`,
      },
    );
  const notRun = (cause: unknown): ClientError =>
    failed(`could not run: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  await new Promise<void>((resolve, reject) => {
    let child;
    try {
      child = startProgram(command.program, command.args, {
        cwd: project,
        stdio: ['ignore', process.stderr, process.stderr],
        signal,
      });
    } catch (cause) {
      reject(notRun(cause));
      return;
    }
    child.on('error', (cause) => reject(notRun(cause)));
    child.on('close', (status) => {
      if (status === 0) resolve();
      else reject(failed(`ended with status ${status ?? 'of a signal'}`));
    });
  });
}

/** For `added` requirements, whose files were changed. */
export function pipCommands(project: string, added: readonly PipEntry[]): PackageCommand[] {
  const files = new Set(added.map(({ file }) => file));
  if (files.has(PYPROJECT)) {
    const manager = findPythonManager(project);
    // Its environments follow "dependencies", and no group.
    if (manager === 'hatch') return [hatchInstall(namesOf(added))];
    const own = managerCommands(project, manager);
    if (own !== undefined) return own;
  }
  const fromFiles = [REQUIREMENTS, DEV_REQUIREMENTS]
    .filter((file) => files.has(file))
    .flatMap((file) => ['-r', file]);
  // Not "-e .": a project with a pyproject.toml need not be a package.
  return [pipInstall(project, [...fromFiles, ...namesOf(added)])];
}

/** After requirements were taken out of pyproject.toml: what brings the lock of its manager up to date, if it has one. */
export function relockCommands(project: string): PackageCommand[] {
  const manager = findPythonManager(project);
  return hasPythonLock(project, manager) ? (managerCommands(project, manager) ?? []) : [];
}

/** The requirements in pyproject.toml. */
function namesOf(added: readonly PipEntry[]): string[] {
  const own = added.filter(({ file }) => file === PYPROJECT);
  return [...new Set(own.map((entry) => formatRequirement(entry)))].sort();
}

function hatchInstall(names: readonly string[]): PackageCommand {
  const args = ['run', 'python', '-m', 'pip', 'install', ...names];
  return { program: 'hatch', args, isRunnable: false };
}

/** The commands of a manager that keeps its own environment; `undefined` for pip and conda. */
function managerCommands(
  project: string,
  manager: Parameters<typeof hasPythonLock>[1],
): PackageCommand[] | undefined {
  const command = (program: string, ...args: string[]): PackageCommand => {
    return { program, args, isRunnable: false };
  };
  const workspace = pythonWorkspaceOf(project);
  if (manager === 'uv') {
    // The members of a workspace share an environment: one member alone would take out what the others need.
    const args = workspace === undefined ? ['sync'] : ['sync', '--inexact'];
    return [{ ...command('uv', ...args), isRunnable: isOnPath('uv') }];
  }
  const lock = (program: string, ...args: string[]): PackageCommand => {
    const why = 'writes the changed requirements to the lock';
    return { program, args, isRunnable: isOnPath(program), why };
  };
  const own = hasPythonLock(project, manager);
  if (manager === 'pdm') {
    const relock = own ? [lock('pdm', 'lock', '--update-reuse')] : [];
    return [...relock, command('pdm', 'install')];
  }
  if (manager === 'pipenv') return [command('pipenv', 'install', '--dev')];
  if (manager === 'hatch') return [command('hatch', 'env', 'create')];
  if (manager !== 'poetry') return undefined;
  // The lock of a package that depends on this one has its requirements as well.
  const around = workspace && hasPythonLock(workspace.root, 'poetry') ? workspace.root : undefined;
  const other = around && relative(project, around).split(sep).join('/');
  return [
    ...(own ? [lock('poetry', 'lock')] : []),
    ...(other === undefined ? [] : [lock('poetry', '-C', other, 'lock')]),
    command('poetry', 'install'),
  ];
}

/** The Python program of a project's `.venv`, relative to the project. */
export function venvPython(): string {
  return join('.venv', process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
}

/** In the `.venv`, if there is one; an environment that uv made has no pip. */
function pipInstall(project: string, what: readonly string[]): PackageCommand {
  const python = venvPython();
  const args = ['-m', 'pip', 'install', '--disable-pip-version-check', ...what];
  if (!existsSync(join(project, python))) {
    return { program: 'python', args, isRunnable: false };
  }
  if (hasPip(project)) return { program: python, args, isRunnable: true };
  const uv = ['pip', 'install', '--python', python, ...what];
  return { program: 'uv', args: uv, isRunnable: isOnPath('uv') };
}

function hasPip(project: string): boolean {
  const lib = join(project, '.venv', 'lib');
  const folders = [
    join(project, '.venv', 'Lib', 'site-packages'),
    ...readNames(lib).map((name) => join(lib, name, 'site-packages')),
  ];
  return folders.some((folder) => existsSync(join(folder, 'pip')));
}

/** The commands that install the packages of a project. */
export async function setUpCommands(project: string): Promise<PackageCommand[]> {
  const commands: PackageCommand[] = [];
  if (existsSync(join(project, PACKAGE_JSON))) commands.push(await nodeCommand(project));
  const own = managerCommands(project, findPythonManager(project));
  return [...commands, ...(own?.slice(-1) ?? pythonCommands(project, isOnPath('uv')))];
}

/** A `.venv` with the development packages; made by uv if it is installed. */
function pythonCommands(project: string, hasUv: boolean): PackageCommand[] {
  const sources = [REQUIREMENTS, DEV_REQUIREMENTS].filter((file) =>
    existsSync(join(project, file)),
  );
  if (sources.length === 0 && !existsSync(join(project, PYPROJECT))) return [];
  const what = sources.length === 0 ? ['-e', '.'] : sources.flatMap((file) => ['-r', file]);
  const command = (program: string, ...args: string[]): PackageCommand => {
    return { program, args, isRunnable: true };
  };
  const python = venvPython();
  if (hasUv) {
    return [
      command('uv', 'venv', '.venv'),
      command('uv', 'pip', 'install', '--python', python, ...what),
    ];
  }
  const name = process.platform === 'win32' ? 'python' : 'python3';
  return [
    command(name, '-m', 'venv', '.venv'),
    command(python, '-m', 'pip', 'install', '--disable-pip-version-check', ...what),
  ];
}
