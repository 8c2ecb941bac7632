/** The commands that install Python packages: those of the project's own manager, or pip in its `.venv`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DEV_REQUIREMENTS, PYPROJECT, REQUIREMENTS } from '../edit/edited-files.ts';
import { formatRequirement } from '../edit/python/pip-dependencies.ts';
import type { PipEntry } from '../plan/planned-entries.ts';
import { isOnPath } from '../project/program-path.ts';
import type { PythonManager } from '../project/python-manager.ts';
import { findPythonManager, hasPythonLock } from '../project/python-manager.ts';
import { readNames } from '../project/read-file.ts';
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
  manager: PythonManager,
): PackageCommand[] | undefined {
  const command = (program: string, ...args: string[]): PackageCommand => {
    return { program, args, isRunnable: false };
  };
  if (manager === 'uv') return [{ ...command('uv', 'sync'), isRunnable: isOnPath('uv') }];
  if (manager === 'pdm') return [command('pdm', 'install')];
  if (manager === 'pipenv') return [command('pipenv', 'install', '--dev')];
  if (manager === 'hatch') return [command('hatch', 'env', 'create')];
  if (manager !== 'poetry') return undefined;
  const lock = { ...command('poetry', 'lock'), why: 'writes the changed requirements to the lock' };
  const install = command('poetry', 'install');
  return hasPythonLock(project, manager) ? [lock, install] : [install];
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
