/**
 * Versions of the npm packages that package.json declares, that of the workspace's root included: from node_modules (also of a workspace above),
 * otherwise from package-lock.json (also of a workspace above), otherwise the lowest version in the declared range. The
 * range of `catalog:` is the one that the workspace declares.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { field } from '../../../format/document/canonical-json.ts';
import {
  DEPENDENCY_TABLES,
  declaredFact,
  isForDevelopmentOnly,
  type StackFact,
} from '../../../format/project/stack-fact.ts';
import { isRange } from '../../../format/version/semver-range.ts';
import { isVersion } from '../../../format/version/version.ts';
import { parsePackageJson } from '../../edit/json/package-json-tables.ts';
import { PACKAGE_JSON } from '../../edit/edited-files.ts';
import { findWorkspaceRoot, catalogRange, isInWorkspace, readWorkspace } from '../workspace.ts';
import { readJson, readText } from '../read-file.ts';

const LOCK = 'package-lock.json';

/** Facts about the declared packages, by name. @throws {ClientError} `ERR_PROJECT_FILE` */
export function npmFacts(project: string): Map<string, StackFact> {
  const facts = new Map<string, StackFact>();
  const file = join(project, PACKAGE_JSON);
  // An unreadable file is an error: it does not mean a project without packages.
  if (existsSync(file)) parsePackageJson(readText(file));
  const manifest = readJson(file);
  const folders = packageFolders(project, findWorkspaceRoot(project));
  const root = findWorkspaceRoot(project);
  const locks = [...new Set([project, root])].map((folder) => ({
    packages: field(readJson(join(folder, LOCK)), 'packages'),
    // The first version of the format has no "packages".
    dependencies: field(readJson(join(folder, LOCK)), 'dependencies'),
    path: relative(folder, project).split(sep).join('/'),
  }));
  const tables = [{ manifest, where: PACKAGE_JSON }];
  // What the root of a workspace has, its members can use.
  const isMember = root !== project && existsSync(file);
  const workspace = isMember ? readWorkspace(root) : undefined;
  if (workspace !== undefined && isInWorkspace(workspace, project)) {
    const where = relative(project, join(root, PACKAGE_JSON)).split(sep).join('/');
    tables.push({ manifest: readJson(join(root, PACKAGE_JSON)), where });
  }
  for (const { manifest: declaring, where, table } of tables.flatMap((source) =>
    DEPENDENCY_TABLES.map((name) => ({ ...source, table: name })),
  )) {
    for (const [name, range] of Object.entries(field(declaring, table) ?? {})) {
      if (facts.has(name)) continue;
      const found = installedFact(folders, name) ?? lockedFact(locks, name);
      const isCatalog = typeof range === 'string' && range.startsWith('catalog:');
      const declared: unknown = isCatalog ? catalogRange(root, range, name) : range;
      const fact = found ?? declaredFact(declared, `${where}, ${table}`);
      facts.set(name, {
        ...fact,
        ...(typeof declared === 'string' && isRange(declared) ? { range: declared } : {}),
        ...(found === undefined && fact.version !== undefined ? { isLowest: true } : {}),
        ...(isForDevelopmentOnly(declaring, table, name) ? { isDevelopment: true } : {}),
      });
    }
  }
  return facts;
}

/** The `node_modules` folders that Node.js searches, from the project to its workspace root. */
function packageFolders(project: string, root: string): string[] {
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

interface PackageLock {
  /** The field `packages` of package-lock.json, which may be anything. */
  readonly packages: unknown;
  /** The field `dependencies`, of old npm. */
  readonly dependencies: unknown;
  /** The project's folder as the lock names it: empty for the lock's own folder. */
  readonly path: string;
}

/** A member's own copy has priority over the one that is hoisted to the root. */
function lockedFact(locks: readonly PackageLock[], name: string): StackFact | undefined {
  for (const { packages, dependencies, path } of locks) {
    const own = [`${path}/node_modules/${name}`, `node_modules/${name}`];
    for (const entry of [...own.map((key) => field(packages, key)), field(dependencies, name)]) {
      const version = field(entry, 'version');
      if (typeof version === 'string' && isVersion(version)) return { version, source: LOCK };
    }
  }
  return undefined;
}
