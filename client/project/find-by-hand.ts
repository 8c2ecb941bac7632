/** Which managers of a project keep its packages in files that are not edited. Reads only. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PYPROJECT, REQUIREMENTS } from '../edit/edited-files.ts';
import { isPoetryProject } from '../edit/python/pyproject-tables.ts';
import { parseToml } from '../edit/toml/toml-document.ts';
import type { ByHand } from '../plan/plan.ts';
import { isDenoProject } from './node-manager.ts';
import { findPythonManager } from './python-manager.ts';
import { readText } from './read-file.ts';

/** Set only where there is no file of the same ecosystem that is edited. */
export function findByHand(project: string): ByHand {
  const isEdited = existsSync(join(project, REQUIREMENTS)) || hasPyproject(project);
  const manager = isEdited ? 'pip' : findPythonManager(project);
  return {
    npm: isDenoProject(project) ? 'deno' : undefined,
    pip: manager === 'pipenv' || manager === 'conda' ? manager : undefined,
  };
}

/** A file that cannot be read counts: its editor reports the error. */
function hasPyproject(project: string): boolean {
  if (!existsSync(join(project, PYPROJECT))) return false;
  try {
    return isPoetryProject(parseToml(readText(join(project, PYPROJECT)))) !== undefined;
  } catch {
    return true;
  }
}
