/**
 * Workspaces: a root folder and its members, as npm, yarn and bun declare them in package.json
 * (`workspaces`, also `{ "packages": [] }`), pnpm in pnpm-workspace.yaml, uv and pdm in pyproject.toml; of poetry the packages on which the
 * root depends by their path. A root may have members of both languages.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { parseDocument } from 'yaml';
import { compileGlob, globProblem } from '../../format/build/file-glob.ts';
import { ClientError } from '../errors.ts';
import { PACKAGE_JSON, PYPROJECT } from '../edit/edited-files.ts';
import { parseToml } from '../edit/toml/toml-value.ts';
import { POETRY_TABLES, tableAt, type TomlTable } from '../../format/project/pyproject.ts';
import { field } from '../../format/document/canonical-json.ts';
import { readJson, readText } from './read-file.ts';

interface WorkspaceMember {
  /** The name in its package.json or pyproject.toml. */
  readonly name: string | undefined;
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** The tool of Python whose workspace it is in, if it is in one. */
  readonly python?: PythonWorkspace;
}

type PythonWorkspace = 'uv' | 'pdm' | 'poetry';

interface Workspace {
  /** Absolute path. */
  readonly root: string;
  /** Sorted by path. */
  readonly members: readonly WorkspaceMember[];
  /** Whether the root is a project of Python itself, as those of uv and poetry usually are. */
  readonly isProject: boolean;
}

const PNPM_WORKSPACE = 'pnpm-workspace.yaml';
const MAX_YAML_BYTES = 1024 * 1024;
/** How many folders all patterns together may visit. */
const MAX_FOLDERS = 20_000;

/** The nearest workspace root at or above `folder`. @throws {ClientError} `ERR_PROJECT_FILE` */
export function findWorkspace(folder: string): Workspace | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const workspace = readWorkspace(at);
    if (workspace !== undefined) return workspace;
    if (dirname(at) === at) return undefined;
  }
}

/** The workspace with the root `root`, if one is declared there. @throws {ClientError} `ERR_PROJECT_FILE` */
export function readWorkspace(root: string): Workspace | undefined {
  const globs = readGlobs(root);
  const toml = readToml(root);
  const python = pythonGlobs(toml);
  if (globs === undefined && python === undefined) return undefined;
  const found = new Map<string, WorkspaceMember>();
  for (const path of foldersOf(root, globs ?? [], PACKAGE_JSON)) {
    const name = field(readJson(join(root, path, PACKAGE_JSON)), 'name');
    found.set(path, { name: typeof name === 'string' ? name : undefined, path });
  }
  for (const path of foldersOf(root, python?.globs ?? [], PYPROJECT)) {
    const own = readToml(join(root, path));
    const named = (tableAt(own, ['project']) ?? tableAt(own, ['tool', 'poetry']))?.['name'];
    const name = found.get(path)?.name ?? (typeof named === 'string' ? named : undefined);
    found.set(path, { name, path, python: python!.tool });
  }
  const members = [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const isPython =
    tableAt(toml, ['project']) !== undefined || tableAt(toml, ['tool', 'poetry']) !== undefined;
  return { root, members, isProject: globs === undefined && isPython };
}

/** The folders below `root` that match the globs, of which those with `!` leave some out, and have the file `mark`; sorted. */
function foldersOf(root: string, globs: readonly string[], mark: string): string[] {
  const clean = globs.map((glob) => glob.replace(/^(!?)\.\//, '$1').replace(/\/+$/, ''));
  const usable = clean.filter((glob) => globProblem(glob.replace(/^!/, '')) === undefined);
  const leaves = usable.filter((glob) => glob.startsWith('!')).map((g) => compileGlob(g.slice(1)));
  const budget = { folders: MAX_FOLDERS };
  const folders = usable
    .filter((glob) => !glob.startsWith('!'))
    .flatMap((glob) => expand(root, glob.split('/'), budget))
    .map((folder) => relative(root, folder).split(sep).join('/'))
    .filter((path) => path !== '' && !leaves.some((leavesOut) => leavesOut(path)));
  return [...new Set(folders)].filter((path) => existsSync(join(root, path, mark))).sort();
}

/** The members that a pyproject.toml declares; `undefined` where it declares none. */
function pythonGlobs(
  root: TomlTable,
): { readonly tool: PythonWorkspace; readonly globs: readonly string[] } | undefined {
  for (const tool of ['uv', 'pdm'] as const) {
    const table = tableAt(root, ['tool', tool, 'workspace']);
    if (table === undefined) continue;
    const leaves = textsOf(table['exclude']).map((glob) => `!${glob}`);
    return { tool, globs: [...textsOf(table['members']), ...leaves] };
  }
  const groups = Object.keys(tableAt(root, ['tool', 'poetry', 'group']) ?? {});
  const tables = [
    ...POETRY_TABLES.dependencies,
    ...POETRY_TABLES.devDependencies,
    ...groups.map((name) => ['tool', 'poetry', 'group', name, 'dependencies']),
  ];
  const paths = tables
    .flatMap((path) => Object.values(tableAt(root, path) ?? {}))
    .flatMap((value) => textsOf([field(value, 'path')]));
  return paths.length === 0 ? undefined : { tool: 'poetry', globs: [...new Set(paths)] };
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}

/** Empty where there is none, and where it cannot be parsed: who edits it reports that. */
function readToml(folder: string): TomlTable {
  try {
    return parseToml(readText(join(folder, PYPROJECT)));
  } catch {
    return {};
  }
}

/** The workspace of uv, pdm or poetry that `project`, which is not its root, is a member of. */
export function pythonWorkspaceOf(
  project: string,
): { readonly root: string; readonly tool: PythonWorkspace } | undefined {
  const root = findWorkspaceRoot(project);
  if (root === project) return undefined;
  const path = relative(root, project).split(sep).join('/');
  const tool = readWorkspace(root)?.members.find((member) => member.path === path)?.python;
  return tool && { root, tool };
}

/** Whether `folder`, an absolute path, is the workspace's root or one of its members. */
export function isInWorkspace({ root, members }: Workspace, folder: string): boolean {
  const path = relative(root, folder).split(sep).join('/');
  return path === '' || members.some((member) => member.path === path);
}

/**
 * The range that `catalog:` or `catalog:<name>` gives for a package: from pnpm-workspace.yaml, or from
 * package.json in the form of bun.
 */
export function catalogRange(root: string, spec: string, name: string): string | undefined {
  const catalog = spec.slice('catalog:'.length).trim();
  const manifest = readJson(join(root, PACKAGE_JSON));
  for (const source of [readPnpm(root), field(manifest, 'workspaces'), manifest]) {
    const table =
      catalog === '' || catalog === 'default'
        ? (field(source, 'catalog') ?? field(field(source, 'catalogs'), 'default'))
        : field(field(source, 'catalogs'), catalog);
    const range = field(table, name);
    if (typeof range === 'string') return range;
  }
  return undefined;
}

/** `undefined` when no workspace is declared. */
function readGlobs(root: string): string[] | undefined {
  const workspaces = field(readJson(join(root, PACKAGE_JSON)), 'workspaces');
  const declared = [readPnpm(root), workspaces].map(
    (source) => field(source, 'packages') ?? source,
  );
  const globs = declared.find((value) => Array.isArray(value)) as unknown[] | undefined;
  if (globs !== undefined) return globs.filter((glob) => typeof glob === 'string');
  return existsSync(join(root, PNPM_WORKSPACE)) ? [] : undefined;
}

/** The value of pnpm-workspace.yaml, `undefined` when there is none. */
function readPnpm(root: string): unknown {
  const file = join(root, PNPM_WORKSPACE);
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  const document = text.length > MAX_YAML_BYTES ? undefined : parseDocument(text);
  const problem = document === undefined ? 'it is too large' : document.errors[0]?.message;
  try {
    // Refuses aliases that would expand too much.
    if (problem === undefined) return document?.toJS({ maxAliasCount: 100 }) as unknown;
  } catch {
    // Reported below.
  }
  const [reason = ''] = (problem ?? 'its aliases expand to too much').split('\n');
  throw new ClientError('ERR_PROJECT_FILE', `Cannot read "${file}": ${reason}`, {
    hint: 'correct the file and run the command again',
  });
}

/** The folders that match `segments` of a pattern, from `folder`. */
function expand(
  folder: string,
  segments: readonly string[],
  budget: { folders: number },
): string[] {
  const [segment, ...rest] = segments;
  if (segment === undefined) return [folder];
  if (!/[*?[{}\]]/.test(segment)) return expand(join(folder, segment), rest, budget);
  const matches = segment === '**' ? undefined : compileGlob(segment);
  const below = foldersIn(folder, budget).flatMap((name) => {
    if (matches === undefined) return expand(join(folder, name), segments, budget);
    return matches(name) ? expand(join(folder, name), rest, budget) : [];
  });
  return matches === undefined ? [...expand(folder, rest, budget), ...below] : below;
}

/** Links are not followed: they may form cycles. */
function foldersIn(folder: string, budget: { folders: number }): string[] {
  if (budget.folders <= 0) return [];
  try {
    const names = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
      .map((entry) => entry.name)
      .filter((name) => !name.startsWith('.'))
      .sort();
    budget.folders -= names.length;
    return names;
  } catch {
    return [];
  }
}

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
