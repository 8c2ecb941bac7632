/** The folder above which nothing belongs to a project: looking for tools and packages stops there. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest folder from `project` upward that holds `.git` or a workspace, else `project`. */
export function findWorkspaceRoot(project: string): string {
  for (let folder = project; ; folder = dirname(folder)) {
    if (isRoot(folder)) return folder;
    if (dirname(folder) === folder) return project;
  }
}

function isRoot(folder: string): boolean {
  if (['.git', 'pnpm-workspace.yaml'].some((name) => existsSync(join(folder, name)))) return true;
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return typeof value === 'object' && value !== null && 'workspaces' in value;
  } catch {
    return false;
  }
}
