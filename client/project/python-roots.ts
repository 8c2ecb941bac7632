/** The folders from which the Python code of a project imports modules. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { isFilePath } from '../../format/build/file-path.ts';
import { PYPROJECT } from '../edit/edited-files.ts';

/** Where each build back end has the folders of its packages; a `*` stands for every item or key. */
const FIELDS = [
  'tool.setuptools.packages.find.where.*',
  'tool.setuptools.package-dir.',
  'tool.poetry.packages.*.from',
  'tool.pdm.build.package-dir',
  'tool.hatch.build.sources.*',
  'tool.hatch.build.targets.wheel.sources.*',
  'tool.uv.build-backend.module-root',
  'tool.pytest.ini_options.pythonpath.*',
  'tool.pytest.ini_options.pythonpath',
];

/**
 * Folders relative to the project, the longest first; the last is the project itself, "". A pyproject.toml that
 * cannot be read names none: it is reported by the commands that edit it.
 */
export function readPythonRoots(project: string): readonly string[] {
  const roots = new Set(['', ...(isSourceFolder(project) ? ['src'] : [])]);
  for (const value of FIELDS.flatMap((field) => valuesAt(readToml(project), field.split('.')))) {
    const folder = typeof value === 'string' ? value.replace(/^\.\/|\/$/g, '') : '';
    if (isFilePath(folder)) roots.add(folder);
  }
  return [...roots].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
}

/** `src` by convention, unless it is a package itself. */
function isSourceFolder(project: string): boolean {
  const src = statSync(join(project, 'src'), { throwIfNoEntry: false });
  return src?.isDirectory() !== true || !existsSync(join(project, 'src/__init__.py'));
}

function readToml(project: string): unknown {
  try {
    return parse(readFileSync(join(project, PYPROJECT), 'utf8').replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function valuesAt(value: unknown, [key, ...rest]: readonly string[]): unknown[] {
  if (key === undefined) return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (key === '*') return Object.values(value).flatMap((item) => valuesAt(item, rest));
  return Object.hasOwn(value, key)
    ? valuesAt((value as Readonly<Record<string, unknown>>)[key], rest)
    : [];
}
