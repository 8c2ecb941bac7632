/**
 * Reads the dependencies of a pyproject.toml: `[project].dependencies` (PEP 621) and
 * `[dependency-groups].dev` (PEP 735), or poetry's tables without `[project]`; and finds their places.
 */
import { TomlError } from 'smol-toml';
import { isPipSpecifier, normalizePipName } from '../../../format/version/pep440.ts';
import { ClientError } from '../../errors.ts';
import type { AddedPip, FoundPip } from './pip-dependencies.ts';
import type { PipTable } from './pip-wish.ts';
import { isAsAdded, tryParseRequirement } from './pip-dependencies.ts';
import { PYPROJECT } from '../edited-files.ts';
import { placeError, splitBom } from '../project-file.ts';
import { compareText } from '../../../format/compare-text.ts';
import type { TomlTable } from '../toml/toml-document.ts';
import { parseToml, tableAt } from '../toml/toml-document.ts';
import { lowerCase } from '../../../format/unicode.ts';

const POETRY = ['tool', 'poetry'];

export type FoundInTables = Readonly<Record<PipTable, ReadonlyMap<string, FoundPip>>>;

/** The arrays of requirements that are edited. */
export const STANDARD_ARRAYS: Readonly<Record<PipTable, readonly string[]>> = {
  dependencies: ['project', 'dependencies'],
  devDependencies: ['dependency-groups', 'dev'],
};

/** The tables of poetry; before version 1.2 it used the second table for development. */
export const POETRY_TABLES: Readonly<Record<PipTable, readonly (readonly string[])[]>> = {
  dependencies: [[...POETRY, 'dependencies']],
  devDependencies: [
    [...POETRY, 'group', 'dev', 'dependencies'],
    [...POETRY, 'dev-dependencies'],
  ],
};

/** The stack of a pyproject.toml; empty without a project. */
export interface PyprojectStack {
  /** By normalised name; run-time dependencies last. */
  readonly distributions: ReadonlyMap<string, FoundPip>;
  readonly requiresPython: string | undefined;
  /** Whether that is the constraint `python` of poetry, not `requires-python`. */
  readonly isPoetryRange: boolean;
}

/** Reads the stack of a pyproject.toml. @throws {ClientError} `ERR_PROJECT_FILE` */
export function readPyproject(text: string): PyprojectStack {
  const root = readRoot(splitBom(text).body);
  const project = tableAt(root, ['project']);
  const found = findDistributions(root);
  const poetry = tableAt(root, [...POETRY, 'dependencies'])?.['python'];
  const requiresPython = project?.['requires-python'] ?? poetry;
  return {
    distributions: new Map([...found.devDependencies, ...found.dependencies]),
    requiresPython: typeof requiresPython === 'string' ? requiresPython : undefined,
    isPoetryRange: project?.['requires-python'] === undefined,
  };
}

/** The parsed pyproject.toml. @throws {ClientError} `ERR_PROJECT_FILE` with the place */
export function readRoot(body: string): TomlTable {
  try {
    return parseToml(body);
  } catch (cause) {
    const [problem = 'it is not TOML'] = cause instanceof Error ? cause.message.split('\n') : [];
    const place = cause instanceof TomlError ? cause : { line: 1, column: 1 };
    const words = problem.replace(/^Invalid TOML document: /, '');
    throw placeError(PYPROJECT, place, words, 'correct the file and run the command again');
  }
}

/** Whether the project uses the tables of poetry; `undefined` when it has neither kind. */
export function isPoetryProject(root: TomlTable): boolean | undefined {
  if (tableAt(root, ['project']) !== undefined) return false;
  return tableAt(root, POETRY) === undefined ? undefined : true;
}

/** The distributions of the project, from the tables that it uses. */
export function findDistributions(root: TomlTable): FoundInTables {
  return tableAt(root, ['project']) === undefined ? findPoetry(root) : findStandard(root);
}

/** The place of a distribution: an item of an array or a key of a table. */
export type PipPlace =
  | { readonly path: readonly string[]; readonly index: number }
  | { readonly path: readonly string[]; readonly key: string };

/** The place in `table`, of either kind, of an unchanged added distribution. */
export function locateAdded(
  root: TomlTable,
  table: PipTable,
  added: AddedPip,
): PipPlace | undefined {
  const array = STANDARD_ARRAYS[table];
  const items = tableAt(root, array.slice(0, -1))?.[array.at(-1) ?? ''];
  const index = (Array.isArray(items) ? (items as unknown[]) : []).findIndex((item) => {
    const requirement = typeof item === 'string' ? tryParseRequirement(item) : undefined;
    return requirement?.key === added.key && isAsAdded(requirement.found, added);
  });
  if (index >= 0) return { path: array, index };
  for (const path of POETRY_TABLES[table]) {
    for (const [key, value] of Object.entries(tableAt(root, path) ?? {})) {
      const isName = normalizePipName(key) === added.key;
      if (isName && isAsAdded(readPoetry(value), added)) return { path, key };
    }
  }
  return undefined;
}

/** Whether `table`, of either kind, has the distribution with any specifier. */
export function hasDistribution(root: TomlTable, table: PipTable, key: string): boolean {
  return findStandard(root)[table].has(key) || findPoetry(root)[table].has(key);
}

function findStandard(root: TomlTable): FoundInTables {
  const uv = tableAt(root, ['tool', 'uv'])?.['dev-dependencies'];
  return {
    dependencies: readList(tableAt(root, ['project'])?.['dependencies'], '[project].dependencies'),
    devDependencies: new Map([
      ...readList(uv, '[tool.uv].dev-dependencies'),
      ...readList(tableAt(root, ['dependency-groups'])?.['dev'], '[dependency-groups].dev'),
    ]),
  };
}

function readList(value: unknown, where: string): Map<string, FoundPip> {
  const found = new Map<string, FoundPip>();
  if (value === undefined) return found;
  if (!Array.isArray(value)) throw wrongType(where, 'an array');
  for (const item of value as unknown[]) {
    // A group may include another one: `{ include-group = "test" }`.
    const requirement = typeof item === 'string' ? tryParseRequirement(item) : undefined;
    if (requirement === undefined) continue;
    const { key } = requirement;
    const isSpecial = found.has(key) || requirement.found.isSpecial;
    found.set(key, { ...requirement.found, isSpecial });
  }
  return found;
}

function findPoetry(root: TomlTable): FoundInTables {
  const read = (table: PipTable): Map<string, FoundPip> =>
    new Map(
      POETRY_TABLES[table].flatMap((path) =>
        Object.entries(tableAt(root, path) ?? {}).map(
          ([name, value]) => [normalizePipName(name), readPoetry(value)] as const,
        ),
      ),
    );
  return { dependencies: read('dependencies'), devDependencies: read('devDependencies') };
}

/** `"^1.0"`, or `{ version = "^1.0", extras = ["all"] }`, or several of those with conditions. */
function readPoetry(value: unknown): FoundPip {
  const table = tableAt({ value }, ['value']);
  const version = typeof value === 'string' ? value : table?.['version'];
  const extras = table?.['extras'];
  const text = typeof version === 'string' ? version : JSON.stringify(version ?? 'no version');
  // A version without an operator means exactly that version.
  const specifier = isPipSpecifier(`==${text}`) ? `==${text}` : text;
  const conditions = Object.keys(table ?? {}).filter(
    (key) => key !== 'version' && key !== 'extras',
  );
  return {
    specifier,
    extras: Array.isArray(extras)
      ? extras.map((extra) => lowerCase(String(extra))).toSorted(compareText)
      : [],
    isSpecial: !isPipSpecifier(specifier) || conditions.length > 0,
  };
}

function wrongType(where: string, wanted: string): ClientError {
  return new ClientError(
    'ERR_PROJECT_FILE',
    `Cannot read "${PYPROJECT}": "${where}" is not ${wanted}`,
    {
      hint: 'correct the file and run the command again',
    },
  );
}
