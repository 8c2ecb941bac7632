/** Which package manager of Python a project uses. Reads only; a file that cannot be read counts as empty. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tableAt, type TomlTable } from '../../format/project/pyproject.ts';
import { ClientError } from '../errors.ts';
import { PYPROJECT } from '../edit/project-file.ts';
import { parseToml } from '../edit/toml/toml-array.ts';
import { readText } from './read-file.ts';
import { pythonWorkspaceOf } from './workspace.ts';

type PythonManager = 'uv' | 'poetry' | 'pdm' | 'hatch' | 'pipenv' | 'conda' | 'pip';

const LOCKS: readonly (readonly [PythonManager, string])[] = [
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
  const locked = LOCKS.find(([, file]) => has(file));
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
  return LOCKS.some(([name, file]) => {
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
  const present = LOCKS.map(([, file]) => file).filter((file) => existsSync(join(project, file)));
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
