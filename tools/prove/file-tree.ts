/** The files of a project, to compare what they were with what they are. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Folders and files of package managers and compilers, which these write again. */
const OF_TOOLS = [
  'node_modules',
  '.venv',
  '.git',
  '.mypy_cache',
  '.pytest_cache',
  '__pycache__',
  '.pdm-build',
  '.pdm-python',
  'dist',
  '.vite',
  '.next',
  'tsconfig.tsbuildinfo',
];

/**
 * The digest of every file, by path with `/`.
 * @param written names or paths that are left out in addition to those of tools
 */
export function readTree(project: string, written: readonly string[] = []): Map<string, string> {
  const left = new Set([...OF_TOOLS, ...written]);
  const tree = new Map<string, string>();
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const file = join(folder, entry.name);
      const path = relative(project, file).split(sep).join('/');
      if (left.has(entry.name) || left.has(path)) continue;
      if (entry.isDirectory()) visit(file);
      else tree.set(path, createHash('sha256').update(readFileSync(file)).digest('hex'));
    }
  };
  visit(project);
  return tree;
}

/** The paths whose files differ, or are in one tree only, sorted. */
export function differentPaths(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.filter((path) => before.get(path) !== after.get(path));
}
