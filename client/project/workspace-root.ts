/** The outermost folder of a project's surroundings: the search for tools and packages ends there. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInWorkspace, readWorkspace } from './workspace.ts';

/**
 * The root of the workspace that `project` belongs to; otherwise the nearest folder upward with `.git`;
 * otherwise `project`.
 */
export function findWorkspaceRoot(project: string): string {
  let repository: string | undefined;
  for (let folder = project; ; folder = dirname(folder)) {
    const workspace = readWorkspace(folder);
    if (workspace !== undefined && isInWorkspace(workspace, project)) return folder;
    if (existsSync(join(folder, '.git'))) repository = folder;
    if (repository !== undefined || dirname(folder) === folder) return repository ?? project;
  }
}
