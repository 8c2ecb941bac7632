/**
 * Adds distributions of builds to the text of a pyproject.toml: to `[project].dependencies` (PEP 621)
 * and `[dependency-groups].dev` (PEP 735), or to poetry's tables where there is no `[project]`.
 */
import { TomlError } from 'smol-toml';
import { isPipSpecifier, normalizePipName } from '../../format/pep440.ts';
import { ClientError } from '../errors.ts';
import type { FoundPip, PipAddition, PipOutcome, PipWish } from './pip-dependencies.ts';
import { extrasOf, formatRequirement, planPip, tryParseRequirement } from './pip-dependencies.ts';
import type { EditWarning } from './project-file.ts';
import { placeError, quote, splitBom } from './project-file.ts';
import type { TomlTable, TomlValue } from './toml-edit.ts';
import { parseToml, tableAt, trySetToml } from './toml-edit.ts';

type PipTable = 'dependencies' | 'devDependencies';

export interface PyprojectWish extends PipWish {
  readonly table: PipTable;
}

interface PyprojectOutcome extends PipOutcome {
  readonly table: PipTable;
}

export interface PyprojectEdit {
  readonly text: string;
  readonly pip: readonly PyprojectOutcome[];
  readonly warnings: readonly EditWarning[];
}

const FILE = 'pyproject.toml';
const POETRY = ['tool', 'poetry'];

/**
 * `text` with the `wishes` that it does not have yet; `undefined` when the file has neither `[project]`
 * nor `[tool.poetry]` and so is none to edit.
 * @throws {ClientError} `ERR_PROJECT_FILE` for what cannot be read or edited with certainty,
 *   `ERR_DEPENDENCY` when specifiers do not meet
 */
export function editPyproject(
  text: string,
  wishes: readonly PyprojectWish[],
): PyprojectEdit | undefined {
  const { bom, body } = splitBom(text);
  const root = readRoot(body);
  const project = tableAt(root, ['project']);
  const isPoetry = project === undefined;
  if (isPoetry && tableAt(root, POETRY) === undefined) return undefined;
  const found = isPoetry ? findPoetry(root) : findStandard(root);
  const runtimeNames = new Set(
    wishes
      .filter((wish) => wish.table === 'dependencies')
      .map((wish) => normalizePipName(wish.name)),
  );
  // What one build needs at run time is not written a second time for the tests of another.
  const isRuntime = (name: string): boolean => runtimeNames.has(normalizePipName(name));
  const plan = planPip(FILE, new Map([...found.devDependencies, ...found.dependencies]), wishes);
  const additions = {
    dependencies: plan.additions.filter(({ name }) => isRuntime(name)),
    devDependencies: plan.additions.filter(({ name }) => !isRuntime(name)),
  };
  let edited = body;
  for (const table of ['dependencies', 'devDependencies'] as const) {
    if (additions[table].length === 0) continue;
    edited = isPoetry
      ? addToPoetry(edited, table, additions[table])
      : addToStandard(edited, table, additions[table]);
  }
  const tableOf = (name: string): PipTable => {
    const key = normalizePipName(name);
    if (found.dependencies.has(key)) return 'dependencies';
    if (found.devDependencies.has(key)) return 'devDependencies';
    return isRuntime(name) ? 'dependencies' : 'devDependencies';
  };
  const pip = plan.outcomes.map((outcome) => ({ ...outcome, table: tableOf(outcome.name) }));
  const devOnly = wishes
    .filter((wish) => wish.table === 'dependencies' && tableOf(wish.name) === 'devDependencies')
    .map(({ build, name }) => ({
      code: 'dev-only',
      message: `${quote(build)} wants ${quote(name)} at run time; "${FILE}" has it for development only: it was kept there`,
    }));
  return { text: bom + edited, pip, warnings: [...plan.warnings, ...devOnly] };
}

/** What a pyproject.toml says of the stack; nothing where it has no project. */
export interface PyprojectStack {
  /** By normalised name, what is needed at run time last. */
  readonly distributions: ReadonlyMap<string, FoundPip>;
  readonly requiresPython: string | undefined;
}

/** Reads the stack of a pyproject.toml. @throws {ClientError} `ERR_PROJECT_FILE` */
export function readPyproject(text: string): PyprojectStack {
  const root = readRoot(splitBom(text).body);
  const project = tableAt(root, ['project']);
  const found = project === undefined ? findPoetry(root) : findStandard(root);
  const poetry = tableAt(root, [...POETRY, 'dependencies'])?.['python'];
  const requiresPython = project?.['requires-python'] ?? poetry;
  return {
    distributions: new Map([...found.devDependencies, ...found.dependencies]),
    requiresPython: typeof requiresPython === 'string' ? requiresPython : undefined,
  };
}

type Found = Readonly<Record<PipTable, ReadonlyMap<string, FoundPip>>>;

function readRoot(body: string): TomlTable {
  try {
    return parseToml(body);
  } catch (cause) {
    const [problem = 'it is not TOML'] = cause instanceof Error ? cause.message.split('\n') : [];
    const place = cause instanceof TomlError ? cause : { line: 1, column: 1 };
    const words = problem.replace(/^Invalid TOML document: /, '');
    throw placeError(FILE, place, words, 'correct the file and run the command again');
  }
}

function findStandard(root: TomlTable): Found {
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
    // A group may include another: `{ include-group = "test" }`.
    const requirement = typeof item === 'string' ? tryParseRequirement(item) : undefined;
    if (requirement === undefined) continue;
    const { key } = requirement;
    const isSpecial = found.has(key) || requirement.found.isSpecial;
    found.set(key, { ...requirement.found, isSpecial });
  }
  return found;
}

const POETRY_TABLES: Readonly<Record<PipTable, readonly (readonly string[])[]>> = {
  dependencies: [[...POETRY, 'dependencies']],
  // The second is how poetry wrote it before version 1.2.
  devDependencies: [
    [...POETRY, 'group', 'dev', 'dependencies'],
    [...POETRY, 'dev-dependencies'],
  ],
};

function findPoetry(root: TomlTable): Found {
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

/** `"^1.0"`, or `{ version = "^1.0", extras = ["all"] }`, or several of those by condition. */
function readPoetry(value: unknown): FoundPip {
  const table = tableAt({ value }, ['value']);
  const version = typeof value === 'string' ? value : table?.['version'];
  const extras = table?.['extras'];
  const text = typeof version === 'string' ? version : JSON.stringify(version ?? 'no version');
  // A bare version is that version alone.
  const specifier = isPipSpecifier(`==${text}`) ? `==${text}` : text;
  const conditions = Object.keys(table ?? {}).filter(
    (key) => key !== 'version' && key !== 'extras',
  );
  return {
    specifier,
    extras: Array.isArray(extras) ? extras.map((extra) => String(extra).toLowerCase()) : [],
    isSpecial: !isPipSpecifier(specifier) || conditions.length > 0,
  };
}

function addToStandard(body: string, table: PipTable, additions: readonly PipAddition[]): string {
  const [path, key] =
    table === 'dependencies' ? [['project'], 'dependencies'] : [['dependency-groups'], 'dev'];
  const lines = additions.map(formatRequirement);
  const parent = tableAt(parseToml(body), path);
  const dynamic = table === 'dependencies' ? parent?.['dynamic'] : undefined;
  const isDynamic = Array.isArray(dynamic) && dynamic.includes('dependencies');
  const present = (parent?.[key] ?? []) as TomlValue[];
  const edited = isDynamic ? undefined : trySetToml(body, path, key, [...present, ...lines]);
  if (edited !== undefined) return edited;
  const why = isDynamic
    ? '"project.dynamic" says that another file has the dependencies'
    : undefined;
  throw byHand(`${path.join('.')}.${key}`, lines.map(quote), why);
}

function addToPoetry(body: string, table: PipTable, additions: readonly PipAddition[]): string {
  const root = parseToml(body);
  const paths = POETRY_TABLES[table];
  const path = paths.find((known) => tableAt(root, known) !== undefined) ?? paths[0] ?? [];
  let edited: string | undefined = body;
  for (const { name, specifier } of additions) {
    const bare = name.replace(/\[.*$/, '');
    const extras = extrasOf(name);
    const value = extras.length === 0 ? specifier : { version: specifier, extras };
    edited = edited === undefined ? undefined : trySetToml(edited, path, bare, value);
  }
  if (edited !== undefined) return edited;
  throw byHand(
    path.join('.'),
    additions.map(({ name, specifier }) => `${quote(name)} ${quote(specifier)}`),
  );
}

function byHand(where: string, lines: readonly string[], why?: string): ClientError {
  const reason = why ?? 'its layout would not stay as it is';
  return new ClientError('ERR_PROJECT_FILE', `Cannot edit "${FILE}": ${reason}`, {
    hint: `add to "${where}" by hand, then run the command again: ${lines.join(', ')}`,
  });
}

function wrongType(where: string, wanted: string): ClientError {
  return new ClientError('ERR_PROJECT_FILE', `Cannot read "${FILE}": "${where}" is not ${wanted}`, {
    hint: 'correct the file and run the command again',
  });
}
