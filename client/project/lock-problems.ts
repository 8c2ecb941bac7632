/** Finds where a lock and its project do not match, except for the files of builds. Reads only. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lock } from '../../format/lock/lock.ts';
import { satisfies } from '../../format/version/semver-range.ts';
import { PACKAGE_JSON } from '../edit/edited-files.ts';

/** One line for each problem: a required build that is missing or out of range, a package that is not declared. */
export function lockProblems(project: string, lock: Lock): string[] {
  return [...requirementProblems(lock), ...packageProblems(project, lock)];
}

function requirementProblems({ builds }: Lock): string[] {
  return Object.entries(builds).flatMap(([id, build]) =>
    Object.entries(build.builds).flatMap(([required, range]) => {
      const version = builds[required]?.version;
      if (version === undefined)
        return [`"${id}" requires "${required}", which is not in the lock`];
      if (satisfies(version, range)) return [];
      return [`"${id}" requires "${required}" ${range}, and the lock has ${version}`];
    }),
  );
}

function packageProblems(project: string, { builds }: Lock): string[] {
  const file = join(project, PACKAGE_JSON);
  if (!existsSync(file)) return [];
  const named = namesIn(readFileSync(file, 'utf8'));
  if (named === undefined) return [`"${PACKAGE_JSON}" cannot be read`];
  return Object.entries(builds).flatMap(([id, { npm }]) =>
    Object.keys(npm)
      .filter((name) => !named.has(name))
      .map(
        (name) => `"${id}" needs the package "${name}", which "${PACKAGE_JSON}" does not declare`,
      ),
  );
}

function namesIn(text: string): Set<string> | undefined {
  try {
    const value = JSON.parse(text.replace(/^\uFEFF/, '')) as Record<string, object | undefined>;
    const tables = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
    return new Set(tables.flatMap((table) => Object.keys(value[table] ?? {})));
  } catch {
    return undefined;
  }
}
