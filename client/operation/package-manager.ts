/** Installs packages with the project's own package manager, without their scripts. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { detect } from 'package-manager-detector/detect';
import { ClientError } from '../errors.ts';
import { DEV_REQUIREMENTS, PACKAGE_JSON, PYPROJECT, REQUIREMENTS } from '../edit/edited-files.ts';
import { findWorkspaceRoot } from '../project/workspace-root.ts';
import type { FileChange, MadePlan } from '../plan/plan.ts';

/** A program with its arguments, which is never run through a shell. */
export interface PackageCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** False when only the user can run it, such as when there is no virtual environment yet. */
  readonly isRunnable: boolean;
}

const NODE_COMMANDS: Record<string, readonly string[]> = {
  npm: ['install', '--ignore-scripts', '--no-audit', '--no-fund'],
  pnpm: ['install', '--ignore-scripts'],
  yarn: ['install', '--ignore-scripts'],
  'yarn@berry': ['install', '--mode=skip-build'],
  bun: ['install', '--ignore-scripts'],
};

/** The commands that install the packages that `made` changes; none when no package changes. */
export async function packageCommands(project: string, made: MadePlan): Promise<PackageCommand[]> {
  const commands: PackageCommand[] = [];
  const manifest = made.changes.find(({ path }) => path === PACKAGE_JSON);
  if (manifest !== undefined && changesPackages(project, manifest)) {
    commands.push(await nodeCommand(project));
  }
  const changed = new Set(made.changes.map(({ path }) => path));
  const added = made.plan.pip.filter(({ action, file }) => action === 'added' && changed.has(file));
  if (added.length > 0)
    commands.push(pipCommand(project, new Set(added.map((entry) => entry.file))));
  return commands;
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

/** A command as it is typed. */
export function formatCommand({ program, args }: PackageCommand): string {
  return [program, ...args].join(' ');
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
  await new Promise<void>((resolve, reject) => {
    const child = spawn(command.program, command.args, {
      cwd: project,
      stdio: ['ignore', process.stderr, process.stderr],
      signal,
    });
    child.on('error', (cause) => reject(failed(`could not run: ${cause.message}`, cause)));
    child.on('close', (status) => {
      if (status === 0) resolve();
      else reject(failed(`ended with status ${status ?? 'of a signal'}`));
    });
  });
}

/** The install command of the project's package manager; npm when none is detected. */
export async function nodeCommand(project: string): Promise<PackageCommand> {
  const found = await detect({ cwd: project, stopDir: findWorkspaceRoot(project) });
  const agent = found?.agent ?? 'npm';
  const args = NODE_COMMANDS[agent] ?? NODE_COMMANDS[found?.name ?? 'npm'] ?? NODE_COMMANDS['npm']!;
  return { program: found?.name ?? 'npm', args, isRunnable: true };
}

function pipCommand(project: string, files: ReadonlySet<string>): PackageCommand {
  if (files.has(PYPROJECT)) {
    if (existsSync(join(project, 'uv.lock')))
      return { program: 'uv', args: ['sync'], isRunnable: true };
    if (existsSync(join(project, 'poetry.lock'))) {
      return { program: 'poetry', args: ['install'], isRunnable: false };
    }
  }
  const args = ['-m', 'pip', 'install', '--disable-pip-version-check'];
  if (files.has(PYPROJECT)) args.push('-e', '.');
  for (const file of [REQUIREMENTS, DEV_REQUIREMENTS]) if (files.has(file)) args.push('-r', file);
  const python = venvPython();
  return { program: python, args, isRunnable: existsSync(join(project, python)) };
}

/** The Python program of a project's `.venv`, relative to the project. */
export function venvPython(): string {
  return join('.venv', process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
}
