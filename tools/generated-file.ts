/** Files that are generated from our own code and committed: written, or with `--check` only compared. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface GeneratedFile {
  /** Path from the root of the repository, `/`-separated. */
  readonly path: string;
  readonly text: string;
}

/** Writes the files that differ and returns their paths; with `isCheck` it only returns the paths. */
export function updateFiles(
  root: string,
  files: readonly GeneratedFile[],
  isCheck: boolean,
): string[] {
  const stale = files.filter(({ path, text }) => readIfPresent(join(root, path)) !== text);
  if (!isCheck) {
    for (const { path, text } of stale) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  }
  return stale.map(({ path }) => path);
}

/**
 * The command around `updateFiles`, for this repository: `--check` exits 1 and names the stale files.
 * @param remedy the command that writes them again
 */
export function runUpdate(files: readonly GeneratedFile[], remedy: string): void {
  const isCheck = process.argv.includes('--check');
  const stale = updateFiles(join(import.meta.dirname, '..'), files, isCheck);
  if (!isCheck) {
    for (const path of stale) console.log(`wrote ${path}`);
    return;
  }
  for (const path of stale) console.error(`error: ${path} is stale`);
  if (stale.length === 0) return;
  console.error(`hint: run ${remedy}`);
  process.exitCode = 1;
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
