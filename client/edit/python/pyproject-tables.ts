/**
 * Reads the dependencies of a pyproject.toml: `[project].dependencies` (PEP 621) and
 * `[dependency-groups].dev` (PEP 735), or poetry's tables without `[project]`; and finds their places.
 */
import { TomlError } from 'smol-toml';
import { normalizePipName } from '../../../format/version/pep440.ts';
import {
  POETRY_TABLES,
  findPoetry,
  findStandard,
  pyprojectProblem,
  pyprojectStack,
  readPoetry,
  tableAt,
  type PipTable,
  type TomlTable,
} from '../../../format/project/pyproject.ts';
import { tryParseRequirement } from '../../../format/project/requirement.ts';
import { isAsAdded, type AddedPip } from './pip-dependencies.ts';
import { PYPROJECT } from '../edited-files.ts';
import { placeError, splitBom } from '../project-file.ts';
import { ClientError } from '../../errors.ts';
import { parseToml } from '../toml/toml-value.ts';

const POETRY = ['tool', 'poetry'];

const HINT = 'correct the file and run the command again';

/** The arrays of requirements that are edited. */
export const STANDARD_ARRAYS: Readonly<Record<PipTable, readonly string[]>> = {
  dependencies: ['project', 'dependencies'],
  devDependencies: ['dependency-groups', 'dev'],
};

/** Reads the stack of a pyproject.toml. @throws {ClientError} `ERR_PROJECT_FILE` */
export function readPyproject(text: string): ReturnType<typeof pyprojectStack> {
  return pyprojectStack(readRoot(splitBom(text).body));
}

/** The parsed pyproject.toml. @throws {ClientError} `ERR_PROJECT_FILE` with the place */
export function readRoot(body: string): TomlTable {
  let root: TomlTable;
  try {
    root = parseToml(body);
  } catch (cause) {
    const [problem = 'it is not TOML'] = cause instanceof Error ? cause.message.split('\n') : [];
    const place = cause instanceof TomlError ? cause : { line: 1, column: 1 };
    const words = problem.replace(/^Invalid TOML document: /, '');
    throw placeError(PYPROJECT, place, words, HINT);
  }
  const problem = pyprojectProblem(root);
  if (problem === undefined) return root;
  throw new ClientError('ERR_PROJECT_FILE', `Cannot read "${PYPROJECT}": ${problem}`, {
    hint: HINT,
  });
}

/** Whether the project uses the tables of poetry; `undefined` when it has neither kind. */
export function isPoetryProject(root: TomlTable): boolean | undefined {
  if (tableAt(root, ['project']) !== undefined) return false;
  return tableAt(root, POETRY) === undefined ? undefined : true;
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
