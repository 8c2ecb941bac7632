/** Reads the code of a project for the rewriting of imports and for wiring; each part once, when it is needed. */
import { existsSync, lstatSync, readFileSync, readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import type { ProjectCode } from '../plan/place/place-builds.ts';
import { readAliases } from './module-aliases.ts';
import { PACKAGE_JSON, PYPROJECT, tryDecodeText } from '../edit/project-file.ts';
import { isFilePath } from '../../format/build/file-path.ts';

export function openProjectCode(project: string): ProjectCode {
  const texts = new Map<string, string | undefined>();
  return {
    paths: once(() => sourceFiles(project)),
    read: (path) => {
      if (!texts.has(path)) texts.set(path, readSource(join(project, path)));
      return texts.get(path);
    },
    isTaken: (path) => statusOf(join(project, path)) !== undefined,
    has: (path) => existsSync(join(project, path)),
    isEsPackage: (path) => isEsPackage(project, path),
    aliases: once(() => readAliases(project)),
    pythonRoots: once(() => readPythonRoots(project)),
  };
}

function readSource(file: string): string | undefined {
  const status = statusOf(file);
  return status?.isFile() === true ? tryDecodeText(readFileSync(file)) : undefined;
}

/** `undefined` where nothing is, also below a file: `import '../package.json'` is looked for as `package.json/index.ts` too. */
function statusOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (isNotFolder(error)) return undefined;
    throw error;
  }
}

function isNotFolder(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOTDIR';
}

function once<Value>(read: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => (found ??= { value: read() }).value;
}

/** Lists the files of code that a project has itself, and finds the package of a file. Reads folders, not files. */
const SOURCE = /\.(?:[mc]?[jt]sx?|py)$/;
/** Folders without code of the project: of packages, results, tests, examples. */
const SKIPPED =
  /^(?:node_modules|dist|build|out|coverage|vendor|public|venv|env|site-packages|__pycache__|__tests__|__mocks__|tests?|e2e|examples?|fixtures|\..*)$/;
const NO_CODE =
  /\.(?:test|spec|d)\.[mc]?[jt]sx?$|(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py$|\.min\.js$/;
/** A project with more is no single application. */
const MAX_FILES = 5_000;

/** Paths of source files, sorted; tests are none. */
function sourceFiles(project: string): string[] {
  const files: string[] = [];
  const folders = [''];
  // The list grows during the loop.
  for (const folder of folders) {
    for (const entry of readdirSync(join(project, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.test(entry.name)) folders.push(path);
      if (entry.isFile() && SOURCE.test(entry.name) && !NO_CODE.test(path)) files.push(path);
    }
    if (files.length >= MAX_FILES) break;
  }
  return files.sort();
}

/** Whether the nearest package.json makes a `.js` file at `path` an ES module. */
function isEsPackage(project: string, path: string): boolean {
  const segments = path.split('/').slice(0, -1);
  for (let depth = segments.length; depth >= 0; depth -= 1) {
    const file = join(project, ...segments.slice(0, depth), PACKAGE_JSON);
    if (!existsSync(file)) continue;
    try {
      const { type } = JSON.parse(readFileSync(file, 'utf8')) as { readonly type?: unknown };
      return type === 'module';
    } catch {
      return false;
    }
  }
  return false;
}

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
