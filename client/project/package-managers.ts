/** Which package managers of JavaScript and Python a project uses. Reads only; a file that cannot be read counts as empty. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { detect } from 'package-manager-detector/detect';
import { ClientError } from '../errors.ts';
import { PACKAGE_JSON, PYPROJECT } from '../edit/edited-files.ts';
import { field } from '../../format/document/canonical-json.ts';
import { tableAt, type TomlTable } from '../../format/project/pyproject.ts';
import { parseToml } from '../edit/toml/toml-value.ts';
import { readJson, readText } from './read-file.ts';
import { findWorkspaceRoot, pythonWorkspaceOf } from './workspace.ts';

interface NodeManager {
  /** `npm`, `pnpm`, `yarn`, `bun`, `deno`, or another name that a project gives. */
  readonly name: string;
  /** The name, or `yarn@berry`. */
  readonly agent: string;
  /** The version that the project names. */
  readonly version?: string;
}

const NODE_LOCKS: Readonly<Record<string, readonly string[]>> = {
  npm: ['package-lock.json', 'npm-shrinkwrap.json'],
  pnpm: ['pnpm-lock.yaml'],
  yarn: ['yarn.lock'],
  bun: ['bun.lock', 'bun.lockb'],
  deno: ['deno.lock'],
};

/** Files that make a folder a Deno project. */
export const DENO_FILES: readonly string[] = ['deno.json', 'deno.jsonc', 'deno.lock'];

/** npm when the project gives no sign of another one. */
export async function findNodeManager(project: string): Promise<NodeManager> {
  const found = await detect({ cwd: project, stopDir: findWorkspaceRoot(project) });
  if (found !== null) {
    const { name, agent, version } = found;
    return { name, agent, ...(version !== undefined && { version }) };
  }
  const isDeno = isDenoProject(project);
  return isDeno ? { name: 'deno', agent: 'deno' } : { name: 'npm', agent: 'npm' };
}

export function isDenoProject(project: string): boolean {
  return DENO_FILES.some((file) => existsSync(join(project, file)));
}

/**
 * Refuses a project with the lock files of several package managers, unless it names the one to use.
 * @throws {ClientError} `ERR_PROJECT_FILE`
 */
export function checkOneManager(project: string): void {
  const top = findWorkspaceRoot(project);
  for (let folder = project; ; folder = dirname(folder)) {
    const present = Object.values(NODE_LOCKS).flatMap(
      (files) => files.find((file) => existsSync(join(folder, file))) ?? [],
    );
    const manifest = readJson(join(folder, PACKAGE_JSON));
    const isNamed =
      field(manifest, 'packageManager') !== undefined ||
      field(field(manifest, 'devEngines'), 'packageManager') !== undefined;
    if (isNamed || present.length === 1) return;
    if (present.length > 1) {
      const listed = present.map((file) => `"${file}"`).join(' and ');
      throw new ClientError(
        'ERR_PROJECT_FILE',
        `Cannot choose a package manager: "${folder}" has ${listed}`,
        {
          hint: 'delete the lock file that is not in use, set "packageManager" in package.json, or add --no-install',
        },
      );
    }
    if (folder === top || dirname(folder) === folder) return;
  }
}

type PythonManager = 'uv' | 'poetry' | 'pdm' | 'hatch' | 'pipenv' | 'conda' | 'pip';

const PYTHON_LOCKS: readonly (readonly [PythonManager, string])[] = [
  ['uv', 'uv.lock'],
  ['poetry', 'poetry.lock'],
  ['pdm', 'pdm.lock'],
];
const TOOLS = ['uv', 'poetry', 'pdm'] as const;
const BACKENDS: readonly (readonly [string, PythonManager])[] = [
  ['uv_build', 'uv'],
  ['poetry.core', 'poetry'],
  ['pdm.backend', 'pdm'],
  ['pdm.pep517', 'pdm'],
];
const CONDA_FILES = ['environment.yml', 'environment.yaml'];

/** `pip` when the project gives no sign of another one. A lock has priority, then pyproject.toml. */
export function findPythonManager(project: string): PythonManager {
  const has = (file: string): boolean => existsSync(join(project, file));
  const locked = PYTHON_LOCKS.find(([, file]) => has(file));
  if (locked !== undefined) return locked[0];
  const workspace = pythonWorkspaceOf(project);
  if (workspace !== undefined) return workspace.tool;
  const root = readToml(project);
  const tool = tableAt(root, ['tool']) ?? {};
  const declared = TOOLS.find((name) => Object.hasOwn(tool, name));
  if (declared !== undefined) return declared;
  if (tableAt(root, ['tool', 'hatch', 'envs']) !== undefined) return 'hatch';
  const backend = tableAt(root, ['build-system'])?.['build-backend'];
  const built = BACKENDS.find(([name]) => typeof backend === 'string' && backend.startsWith(name));
  if (built !== undefined) return built[1];
  if (has('Pipfile')) return 'pipenv';
  return CONDA_FILES.some(has) ? 'conda' : 'pip';
}

/** Whether the lock file of `manager` is there. */
export function hasPythonLock(project: string, manager: PythonManager): boolean {
  return PYTHON_LOCKS.some(([name, file]) => {
    return name === manager && existsSync(join(pythonRoot(project), file));
  });
}

/** The folder with the lock and the environment of a project: members of a workspace of uv or pdm share those of its root. */
export function pythonRoot(project: string): string {
  const workspace = pythonWorkspaceOf(project);
  return workspace === undefined || workspace.tool === 'poetry' ? project : workspace.root;
}

/**
 * Refuses a project with the lock files of several package managers.
 * @throws {ClientError} `ERR_PROJECT_FILE`
 */
export function checkOnePythonManager(project: string): void {
  const present = PYTHON_LOCKS.map(([, file]) => file).filter((file) =>
    existsSync(join(project, file)),
  );
  if (present.length < 2) return;
  const listed = present.map((file) => `"${file}"`).join(' and ');
  throw new ClientError(
    'ERR_PROJECT_FILE',
    `Cannot choose a package manager: "${project}" has ${listed}`,
    { hint: 'delete the lock file that is not in use, or add --no-install' },
  );
}

function readToml(project: string): TomlTable {
  try {
    return parseToml(readText(join(project, PYPROJECT)));
  } catch {
    return {};
  }
}
