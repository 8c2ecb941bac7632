/**
 * What was created in the project's own files, as the lock's field `made` lists it, and whether a build still needs it. Pure.
 */
import {
  DEV_REQUIREMENTS,
  EDITED_FILES,
  ENV_EXAMPLE,
  PACKAGE_JSON,
  PYPROJECT,
  REQUIREMENTS,
} from '../edit/edited-files.ts';
import type { LockedEdits } from './previous-edits.ts';

/** The lock entry for `mark` in `file`: `/scripts` of `package.json` is `package.json#/scripts`. */
export function formatCreatedEntry(file: string, mark: string): string {
  return `${file}#${mark}`;
}

/** The inverse of `formatCreatedEntry`: the marks of the entries for `file`. */
export function createdEntriesOf(created: ReadonlySet<string>, file: string): ReadonlySet<string> {
  const marks = [...created].filter((mark) => mark.startsWith(`${file}#`));
  return new Set(marks.map((mark) => mark.slice(file.length + 1)));
}

/** The entries of `created` for edited files that none of `builds` needs any more. */
export function staleEntries(
  created: ReadonlySet<string>,
  builds: readonly LockedEdits[],
): string[] {
  const isOfFiles = (mark: string): boolean => EDITED_FILES.includes(mark.split('#', 1)[0] ?? '');
  const held = new Set(builds.flatMap(heldBy));
  return [...created].filter((mark) => isOfFiles(mark) && !held.has(mark)).sort();
}

/** Every entry that a build needs because of what it added. */
function heldBy({ npm, pip, scripts, env }: LockedEdits): string[] {
  const added = <Entry extends { action: string }>(entries: Record<string, Entry>): Entry[] =>
    Object.values(entries).filter(({ action }) => action === 'added');
  const tables = new Set<string>(added(npm).map(({ table }) => table));
  if (added(scripts).length > 0) tables.add('scripts');
  const inPackageJson = [...tables].flatMap((table) => [`/${table}`, `/${table}{}`, '{}']);
  const inPyproject = added(pip)
    .filter(({ file }) => file === PYPROJECT)
    .flatMap(({ table }) => PYPROJECT_MARKS[table]);
  return [
    ...inPackageJson.map((mark) => formatCreatedEntry(PACKAGE_JSON, mark)),
    ...inPyproject.map((mark) => formatCreatedEntry(PYPROJECT, mark)),
    ...added(pip)
      .map(({ file }) => file)
      .filter((file) => file === REQUIREMENTS || file === DEV_REQUIREMENTS),
    ...(tables.size > 0 ? [PACKAGE_JSON] : []),
    ...(added(env).length > 0 ? [ENV_EXAMPLE] : []),
  ];
}

const PYPROJECT_MARKS = {
  dependencies: ['project.dependencies', 'tool.poetry.dependencies'],
  devDependencies: [
    'dependency-groups.dev',
    'dependency-groups',
    'tool.poetry.group.dev.dependencies',
    'tool.poetry.dev-dependencies',
  ],
} as const;
