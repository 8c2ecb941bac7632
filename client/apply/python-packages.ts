/** The commands that install the Python packages of a project. */
import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { DEV_REQUIREMENTS, PYPROJECT, REQUIREMENTS } from '../edit/edited-files.ts';
import { formatRequirement } from '../edit/python/pip-dependencies.ts';
import type { PipEntry } from '../plan/planned-entries.ts';
import { isOnPath } from '../project/find-program.ts';
import { findPythonManager, hasPythonLock } from '../project/package-managers.ts';
import { readNames } from '../project/read-file.ts';
import { pythonWorkspaceOf } from '../project/workspace.ts';
import type { PackageCommand } from './package-command.ts';

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
export function managerCommands(
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

/** A `.venv` with the development packages; made by uv if it is installed. */
export function pythonCommands(project: string, hasUv: boolean): PackageCommand[] {
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
