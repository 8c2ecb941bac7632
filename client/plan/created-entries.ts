/**
 * Marks of what was made in the files of the project itself, as the lock has them, and whether a build
 * still has something there. Marks of folders are none of these.
 */
import type { LockedEdits } from './previous-edits.ts';
import {
  DEV_REQUIREMENTS,
  EDITED_FILES,
  ENV_EXAMPLE,
  PACKAGE_JSON,
  PYPROJECT,
  REQUIREMENTS,
} from '../edit/edited-files.ts';

/** `mark` of `file`: `/scripts` of `package.json` is `package.json#/scripts`. */
export function formatCreatedEntry(file: string, mark: string): string {
  return `${file}#${mark}`;
}

/** What `formatCreatedEntry` made marks of `file` from. */
export function createdEntriesOf(created: ReadonlySet<string>, file: string): ReadonlySet<string> {
  const marks = [...created].filter((mark) => mark.startsWith(`${file}#`));
  return new Set(marks.map((mark) => mark.slice(file.length + 1)));
}

/** Marks of `made` about edited files to which none of `builds` has added anything. */
export function staleEntries(
  created: ReadonlySet<string>,
  builds: readonly LockedEdits[],
): string[] {
  const isOfFiles = (mark: string): boolean => EDITED_FILES.includes(mark.split('#', 1)[0] ?? '');
  const held = new Set(builds.flatMap(heldBy));
  return [...created].filter((mark) => isOfFiles(mark) && !held.has(mark)).sort();
}

/** Every mark that a build can hold by what it has added. */
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
