/**
 * Versions of the npm packages that package.json declares: the one in node_modules (also of a workspace
 * above), else the one in package-lock.json, else the lowest that the declared range admits.
 */
import { dirname, join } from 'node:path';
import { isRange, isVersion, lowestVersion } from '../../format/semver-range.ts';
import { DEPENDENCY_TABLES } from '../edits/npm-dependencies.ts';
import { PACKAGE_JSON } from '../edited-files.ts';
import type { StackFact } from '../stack-tags.ts';
import { findWorkspaceRoot } from '../workspace-root.ts';
import { field, readJson } from './read-file.ts';

const LOCK = 'package-lock.json';

/** Facts about the declared packages, by name. */
export function npmFacts(project: string): Map<string, StackFact> {
  const facts = new Map<string, StackFact>();
  const manifest = readJson(join(project, PACKAGE_JSON));
  const folders = packageFolders(project);
  const locked = field(readJson(join(project, LOCK)), 'packages');
  for (const table of DEPENDENCY_TABLES) {
    for (const [name, range] of Object.entries(field(manifest, table) ?? {})) {
      if (facts.has(name)) continue;
      const fact = installedFact(folders, name) ?? lockedFact(locked, name);
      facts.set(name, fact ?? declaredFact(range, `${PACKAGE_JSON}, ${table}`));
    }
  }
  return facts;
}

/** The `node_modules` folders that Node.js would look in, from the project to its workspace root. */
function packageFolders(project: string): string[] {
  const root = findWorkspaceRoot(project);
  const folders: string[] = [];
  for (let folder = project; ; folder = dirname(folder)) {
    folders.push(join(folder, 'node_modules'));
    if (folder === root || dirname(folder) === folder) return folders;
  }
}

function installedFact(folders: readonly string[], name: string): StackFact | undefined {
  // The name comes from package.json: it must not lead out of node_modules.
  const parts = name.split(/[\\/]/);
  if (parts.some((part) => part === '' || part.startsWith('.'))) return undefined;
  for (const folder of folders) {
    const version = field(readJson(join(folder, name, PACKAGE_JSON)), 'version');
    if (typeof version === 'string' && isVersion(version)) {
      return { version, source: `node_modules/${name}` };
    }
  }
  return undefined;
}

function lockedFact(packages: unknown, name: string): StackFact | undefined {
  const version = field(field(packages, `node_modules/${name}`), 'version');
  if (typeof version !== 'string' || !isVersion(version)) return undefined;
  return { version, source: LOCK };
}

/** A tag, an address or the like names no version that could be compared. */
function declaredFact(range: unknown, source: string): StackFact {
  if (typeof range !== 'string' || !isRange(range)) return { version: undefined, source };
  return { version: lowestVersion(range), source: `${source}: ${range}` };
}
