/** Finds which alias the project's own code imports by, where it defines several. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Lock } from '../../format/lock/lock.ts';
import { ClientError } from '../errors.ts';
import type { Aliases } from '../place/aliases.ts';
import { readAliases } from './module-aliases.ts';

const SOURCE = /\.(?:[mc]?[jt]s|[jt]sx|vue|svelte)$/;
/** Folders without code of the project. */
const SKIPPED = /^(?:node_modules|dist|build|out|coverage|vendor|\..*)$/;
/** More files do not change which alias is the usual one. */
const MAX_FILES = 400;

/**
 * The alias by which imports of builds are written: the one that most imports of the project use, `undefined` where
 * none uses any.
 * @throws {ClientError} `ERR_USAGE` where the project has no alias; `ERR_PROJECT_FILE`
 */
export function aliasInUse(
  project: string,
  lock: Pick<Lock, 'builds'> | undefined,
): string | undefined {
  const aliases = readAliases(project);
  if (aliases.aliases.length === 0) {
    throw new ClientError('ERR_USAGE', 'Cannot write imports with an alias: the project has none', {
      hint: 'define "paths" in tsconfig.json or "imports" in package.json, or leave out --imports alias',
    });
  }
  const builds = Object.values(lock?.builds ?? {});
  return usedAlias(project, aliases, new Set(builds.flatMap(({ files }) => Object.keys(files))));
}

/** @param ofBuilds paths of files that builds placed: they do not count */
export function usedAlias(
  project: string,
  { aliases }: Aliases,
  ofBuilds: ReadonlySet<string>,
): string | undefined {
  const counts = new Map<string, number>();
  for (const file of sourceFiles(project, ofBuilds)) {
    const text = readFileSync(join(project, file), 'utf8');
    for (const { pattern } of aliases) {
      const [prefix = ''] = pattern.split('*');
      if (prefix === '') continue;
      const uses = [`'${prefix}`, `"${prefix}`].map((start) => text.split(start).length - 1);
      const count = uses.reduce((sum, one) => sum + one, 0);
      if (count > 0) counts.set(pattern, (counts.get(pattern) ?? 0) + count);
    }
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0];
}

/** Paths of source files, outermost folders first. */
function sourceFiles(project: string, ofBuilds: ReadonlySet<string>): string[] {
  const files: string[] = [];
  const folders = [''];
  for (const folder of folders) {
    const entries = readdirSync(join(project, folder), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.test(entry.name)) folders.push(path);
      if (entry.isFile() && SOURCE.test(entry.name) && !ofBuilds.has(path)) files.push(path);
      if (files.length >= MAX_FILES) return files;
    }
  }
  return files;
}
