/**
 * The dependencies of a pyproject.toml: `[project].dependencies` (PEP 621) and `[dependency-groups].dev` (PEP 735), or
 * poetry's tables without `[project]`.
 */
import { isPipSpecifier, normalizePipName } from '../version/pep440.ts';
import { type FoundPip, tryParseRequirement } from './requirement.ts';

const POETRY = ['tool', 'poetry'];

export type TomlTable = Record<string, unknown>;
export type PipTable = 'dependencies' | 'devDependencies';
type FoundInTables = Readonly<Record<PipTable, ReadonlyMap<string, FoundPip>>>;

/** The tables of poetry; before version 1.2 it used the second table for development. */
export const POETRY_TABLES: Readonly<Record<PipTable, readonly (readonly string[])[]>> = {
  dependencies: [[...POETRY, 'dependencies']],
  devDependencies: [
    [...POETRY, 'group', 'dev', 'dependencies'],
    [...POETRY, 'dev-dependencies'],
  ],
};

/** The stack of a pyproject.toml; empty without a project. */
interface PyprojectStack {
  /** By normalised name; run-time dependencies last. */
  readonly distributions: ReadonlyMap<string, FoundPip>;
  readonly requiresPython: string | undefined;
  /** Whether that is the constraint `python` of poetry, not `requires-python`. */
  readonly isPoetryRange: boolean;
}

/** The stack of a parsed pyproject.toml. */
export function pyprojectStack(root: TomlTable): PyprojectStack {
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

/** The distributions of the project, from the tables that it uses. */
export function findDistributions(root: TomlTable): FoundInTables {
  return tableAt(root, ['project']) === undefined ? findPoetry(root) : findStandard(root);
}

/** The table at `path`, or `undefined`. */
export function tableAt(root: TomlTable, path: readonly string[]): TomlTable | undefined {
  let table: TomlTable = root;
  for (const key of path) {
    const value: unknown = Object.hasOwn(table, key) ? table[key] : undefined;
    if (!isTable(value)) return undefined;
    table = value;
  }
  return table;
}

/** The arrays of requirements by their names in messages. */
const LISTS = {
  '[project].dependencies': ['project', 'dependencies'],
  '[tool.uv].dev-dependencies': ['tool', 'uv', 'dev-dependencies'],
  '[dependency-groups].dev': ['dependency-groups', 'dev'],
} as const;

/** What is wrong with the requirements of a project, such as `"[project].dependencies" is not an array`. */
export function pyprojectProblem(root: TomlTable): string | undefined {
  if (tableAt(root, ['project']) === undefined) return undefined;
  const wrong = Object.entries(LISTS).find(([, path]) => {
    const value = valueAt(root, path);
    return value !== undefined && !Array.isArray(value);
  });
  return wrong && `"${wrong[0]}" is not an array`;
}

export function findStandard(root: TomlTable): FoundInTables {
  const read = (name: keyof typeof LISTS): Map<string, FoundPip> =>
    readList(valueAt(root, LISTS[name]));
  return {
    dependencies: read('[project].dependencies'),
    devDependencies: new Map([
      ...read('[tool.uv].dev-dependencies'),
      ...read('[dependency-groups].dev'),
    ]),
  };
}

function valueAt(root: TomlTable, path: readonly string[]): unknown {
  return tableAt(root, path.slice(0, -1))?.[path.at(-1)!];
}

function readList(value: unknown): Map<string, FoundPip> {
  const found = new Map<string, FoundPip>();
  for (const item of Array.isArray(value) ? (value as unknown[]) : []) {
    // A group may include another one: `{ include-group = "test" }`.
    const requirement = typeof item === 'string' ? tryParseRequirement(item) : undefined;
    if (requirement === undefined) continue;
    const { key } = requirement;
    const isSpecial = found.has(key) || requirement.found.isSpecial;
    found.set(key, { ...requirement.found, isSpecial });
  }
  return found;
}

export function findPoetry(root: TomlTable): FoundInTables {
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
export function readPoetry(value: unknown): FoundPip {
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
      ? extras.map((extra) => String(extra).toLowerCase()).toSorted()
      : [],
    isSpecial: !isPipSpecifier(specifier) || conditions.length > 0,
  };
}

export function isTable(value: unknown): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isDate(value);
}

/** Whether it is a date of TOML, which is no table. */
function isDate(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object Date]';
}
