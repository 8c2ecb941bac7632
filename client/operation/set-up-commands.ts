/** The commands that set up a new project: version control, packages of Node.js and of Python. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PackageCommand } from './package-command.ts';
import { nodeCommand } from './package-manager.ts';
import { managerCommands, venvPython } from './python-commands.ts';
import { DEV_REQUIREMENTS, PACKAGE_JSON, PYPROJECT, REQUIREMENTS } from '../edit/edited-files.ts';
import { isOnPath } from '../project/program-path.ts';
import { findPythonManager } from '../project/python-manager.ts';

/** @param git whether the project becomes a git repository */
export async function setUpCommands(project: string, git: boolean): Promise<PackageCommand[]> {
  const commands: PackageCommand[] = [];
  if (git) commands.push({ program: 'git', args: ['init', '--quiet'], isRunnable: true });
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
