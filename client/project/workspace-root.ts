/** The folder above which nothing belongs to a project: looking for tools and packages stops there. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInWorkspace, readWorkspace } from './workspace.ts';

/**
 * The root of the workspace that `project` belongs to; else the nearest folder upward that holds `.git`;
 * else `project`.
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
