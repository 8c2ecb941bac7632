/** The files of a build folder: those that installing places, and the tests, which stay at home. */
import { copyFileSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { selectFiles } from '../../format/build/file-glob.ts';
import type { Manifest } from '../../format/build/manifest.ts';

/** Copies what installing the build at `build` places into `target`. Returns the paths, sorted. */
export function copyPlacedFiles(build: string, target: string): string[] {
  return copy(build, target, placedFiles(build));
}

/** Copies the tests of the build, and what only they import, which are not installed. Returns the paths, sorted. */
export function copyTests(build: string, target: string): string[] {
  const placed = new Set(placedFiles(build));
  const own = filesIn(build).filter((path) => path.endsWith('.ts') && !placed.has(path));
  return copy(build, target, own);
}

/** The paths in a build that installing places, sorted. */
export function placedFiles(build: string): string[] {
  const text = readFileSync(join(build, 'stackyard.json'), 'utf8');
  return selectFiles(filesIn(build), (JSON.parse(text) as Manifest).files);
}

function filesIn(build: string): string[] {
  return readdirSync(build, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(build.length + 1))
    .sort();
}

function copy(build: string, target: string, paths: readonly string[]): string[] {
  for (const path of paths) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    copyFileSync(join(build, path), join(target, path));
  }
  return [...paths];
}
