/**
 * Adds and removes distributions of builds in the text of a pyproject.toml: to `[project].dependencies` (PEP 621) and
 * `[dependency-groups].dev` (PEP 735), or to poetry's tables without `[project]`.
 */
import {
  findDistributions,
  type PipTable,
  POETRY_TABLES,
  tableAt,
  type TomlTable,
} from '../../../format/project/pyproject.ts';
import { normalizePipName } from '../../../format/version/pep440.ts';
import { ClientError } from '../../errors.ts';
import {
  type AddedPip,
  type EarlierPip,
  extrasOf,
  formatRequirement,
  markUnchanged,
  type PipOutcome,
  planPip,
} from './pip-dependencies.ts';
import type { TablePipRequirement } from './pip-requirement.ts';
import { PYPROJECT } from '../edited-files.ts';
import { type EditWarning, quote, splitBom } from '../project-file.ts';
import {
  hasDistribution,
  isPoetryProject,
  locateAdded,
  type PipPlace,
  readRoot,
  STANDARD_ARRAYS,
} from './pyproject-tables.ts';
import { parseToml, type TomlValue } from '../toml/toml-value.ts';
import {
  tryAddKey,
  tryAppendItems,
  tryRemoveItem,
  tryRemoveKey,
  tryRemoveTable,
  tryReplaceItem,
  tryReplaceValue,
} from '../toml/toml-edit.ts';

type PipAddition = Parameters<typeof formatRequirement>[0];

interface PyprojectOutcome extends PipOutcome {
  readonly table: PipTable;
}

interface PyprojectEdit {
  readonly text: string;
  readonly pip: readonly PyprojectOutcome[];
  readonly warnings: readonly EditWarning[];
  /** Created tables and arrays, such as `dependency-groups.dev`. */
  readonly created: readonly string[];
  /** Normalised names of what was kept by decision. */
  readonly decided: readonly string[];
}

/**
 * Adds the `requirements` that `text` does not have; `undefined` when the file has neither `[project]` nor
 * `[tool.poetry]`, so that it is not edited.
 * @param keep normalised names of distributions whose specifier the user decided to keep
 * @param marks what was created for builds before, such as `dependency-groups.dev`
 * @throws {ClientError} `ERR_PROJECT_FILE` for a file that cannot be parsed or edited,
 *   `ERR_DEPENDENCY` when specifiers conflict
 */
export function editPyproject(
  text: string,
  requirements: readonly TablePipRequirement[],
  earlier: EarlierPip = { own: new Map(), others: new Map() },
  marks: ReadonlySet<string> = new Set(),
  keep: ReadonlySet<string> = new Set(),
): PyprojectEdit | undefined {
  const { bom, body } = splitBom(text);
  const root = readRoot(body);
  const isPoetry = isPoetryProject(root);
  if (isPoetry === undefined) return undefined;
  const found = findDistributions(root);
  const plan = planPip(
    PYPROJECT,
    new Map([...found.devDependencies, ...found.dependencies]),
    requirements,
    earlier,
    keep,
  );
  const others = [...earlier.others.values()].flat();
  const runtimeNames = new Set(
    [...requirements, ...others.filter(({ name }) => earlier.own.has(normalizePipName(name)))]
      .filter((requirement) => requirement.table === 'dependencies')
      .map((requirement) => normalizePipName(requirement.name)),
  );
  // A distribution that one build needs at run time is not added again for the development of another.
  const tableFor = (name: string): PipTable =>
    runtimeNames.has(normalizePipName(name)) ? 'dependencies' : 'devDependencies';
  const added = new Set(plan.additions.map(({ name }) => normalizePipName(name)));
  let edited = body;
  const created: string[] = [];
  const unchanged = new Set<string>();
  for (const table of ['dependencies', 'devDependencies'] as const) {
    const additions = plan.additions.filter(({ name }) => tableFor(name) === table);
    const fresh: PipAddition[] = [];
    for (const addition of additions) {
      const replaced = replaceEarlier(edited, table, addition, marks);
      const isSame = replaced.isDone && replaced.body === edited;
      if (isSame) unchanged.add(normalizePipName(addition.name));
      edited = replaced.body;
      if (!replaced.isDone) fresh.push(addition);
    }
    if (fresh.length === 0) continue;
    const result = isPoetry
      ? addToPoetry(edited, table, fresh)
      : addToStandard(edited, table, fresh);
    edited = result.body;
    created.push(...result.created);
  }
  const tableOf = (name: string): PipTable => {
    const key = normalizePipName(name);
    if (added.has(key)) return tableFor(name);
    if (found.dependencies.has(key)) return 'dependencies';
    return found.devDependencies.has(key) ? 'devDependencies' : tableFor(name);
  };
  const pip = markUnchanged(plan.outcomes, unchanged).map((outcome) => ({
    ...outcome,
    table: tableOf(outcome.name),
  }));
  const devOnly = requirements
    .filter(
      (requirement) =>
        requirement.table === 'dependencies' && tableOf(requirement.name) === 'devDependencies',
    )
    .map(({ build, name }) => ({
      code: 'dev-only',
      message: `${quote(build)} wants ${quote(name)} at run time; "${PYPROJECT}" has it for development only: it was kept there`,
    }));
  const warnings = [...plan.warnings, ...devOnly];
  return { text: bom + edited, pip, warnings, created, decided: plan.decided };
}

/** Replaces the entry of the previous version; not done when the addition belongs to the other table. */
function replaceEarlier(
  body: string,
  table: PipTable,
  addition: PipAddition,
  marks: ReadonlySet<string>,
): { readonly body: string; readonly isDone: boolean } {
  const { instead } = addition;
  if (instead === undefined) return { body, isDone: false };
  const root = parseToml(body);
  const here = locateAdded(root, table, instead);
  if (here !== undefined) {
    const edited = tryReplace(body, here, addition);
    if (edited !== undefined) return { body: edited, isDone: true };
    throw byHand(here.path.join('.'), [quote(formatRequirement(addition))]);
  }
  const other = table === 'dependencies' ? 'devDependencies' : 'dependencies';
  const there = locateAdded(root, other, instead);
  const without = there === undefined ? undefined : removeAt(body, there, marks);
  return { body: without ?? body, isDone: false };
}

function tryReplace(body: string, place: PipPlace, addition: PipAddition): string | undefined {
  return 'index' in place
    ? tryReplaceItem(body, place.path, place.index, formatRequirement(addition))
    : tryReplaceValue(body, place.path, place.key, poetryValue(addition));
}

interface Added {
  readonly body: string;
  readonly created: readonly string[];
}

function addToStandard(body: string, table: PipTable, additions: readonly PipAddition[]): Added {
  const path = STANDARD_ARRAYS[table];
  const parentPath = path.slice(0, -1);
  const key = path.at(-1) ?? '';
  const lines = additions.map(formatRequirement);
  const parent = tableAt(parseToml(body), parentPath);
  const dynamic = table === 'dependencies' ? parent?.['dynamic'] : undefined;
  const isDynamic = Array.isArray(dynamic) && dynamic.includes('dependencies');
  const isNew = parent?.[key] === undefined;
  const edited = isNew
    ? tryAddKey(body, parentPath, key, lines)
    : tryAppendItems(body, path, lines);
  if (edited === undefined || isDynamic) {
    const why = isDynamic
      ? '"project.dynamic" declares that another file has the dependencies'
      : undefined;
    throw byHand(path.join('.'), lines.map(quote), why);
  }
  const created = isNew ? [path.join('.')] : [];
  return {
    body: edited,
    created: parent === undefined ? [...created, parentPath.join('.')] : created,
  };
}

function addToPoetry(body: string, table: PipTable, additions: readonly PipAddition[]): Added {
  const root = parseToml(body);
  const paths = POETRY_TABLES[table];
  const present = paths.find((known) => tableAt(root, known) !== undefined);
  const path = present ?? paths[0] ?? [];
  let edited: string | undefined = body;
  for (const addition of additions) {
    const bare = addition.name.replace(/\[.*$/, '');
    const value = poetryValue(addition);
    edited = edited === undefined ? undefined : tryAddKey(edited, path, bare, value);
  }
  if (edited === undefined) {
    const lines = additions.map(({ name, specifier }) => `${quote(name)} ${quote(specifier)}`);
    throw byHand(path.join('.'), lines);
  }
  return { body: edited, created: present === undefined ? [path.join('.')] : [] };
}

function poetryValue({ name, specifier }: PipAddition): TomlValue {
  const extras = extrasOf(name);
  return extras.length === 0 ? specifier : { version: specifier, extras };
}

function byHand(where: string, lines: readonly string[], why?: string): ClientError {
  const reason = why ?? 'its layout would not stay as it is';
  return new ClientError('ERR_PROJECT_FILE', `Cannot edit "${PYPROJECT}": ${reason}`, {
    hint: `add to "${where}" by hand, then run the command again: ${lines.join(', ')}`,
  });
}

/** A distribution that the lock records as added. */
export interface AddedToPyproject extends AddedPip {
  readonly table: PipTable;
}

/**
 * Removes those of `added` that are unchanged; `changed` are the others that the text still has.
 * @param created what was created for builds, such as `dependency-groups.dev`
 * @throws {ClientError} `ERR_PROJECT_FILE` when the file cannot be parsed
 */
export function uninstallFromPyproject(
  text: string,
  added: readonly AddedToPyproject[],
  created: ReadonlySet<string>,
): { readonly text: string; readonly changed: readonly AddedToPyproject[] } {
  const { bom, body } = splitBom(text);
  readRoot(body);
  let edited = body;
  const changed: AddedToPyproject[] = [];
  for (const entry of added) {
    const root = parseToml(edited);
    const place = locateAdded(root, entry.table, entry);
    const isOurs = place !== undefined && isWritten(root, place, entry);
    const without = isOurs ? removeAt(edited, place, created) : undefined;
    if (without !== undefined) {
      edited = without;
    } else if (hasDistribution(root, entry.table, entry.key)) {
      changed.push(entry);
    }
  }
  return { text: bom + edited, changed };
}

/** Whether a poetry value has exactly the form that is written: `">=1"` and not `{ version = ">=1" }`. */
function isWritten(root: TomlTable, place: PipPlace, { specifier, extras }: AddedPip): boolean {
  if ('index' in place) return true;
  const value = tableAt(root, place.path)?.[place.key];
  if (extras.length === 0) return value === specifier;
  const table = tableAt(root, [...place.path, place.key]);
  return table?.['version'] === specifier && Object.keys(table).length === 2;
}

/**
 * Removes the entry at `place`, and its array or table if it was created for builds and is now empty;
 * `undefined` when a comment belongs to the entry.
 */
function removeAt(body: string, place: PipPlace, created: ReadonlySet<string>): string | undefined {
  const without =
    'index' in place
      ? tryRemoveItem(body, place.path, place.index)
      : tryRemoveKey(body, place.path, place.key);
  return without === undefined ? undefined : dropEmpty(without, place, created);
}

/** Removes the array or table of `place`, and the table around it, if they were created and are empty. */
function dropEmpty(body: string, place: PipPlace, created: ReadonlySet<string>): string {
  const { path } = place;
  const parent = path.slice(0, -1);
  const key = path.at(-1) ?? '';
  if (!created.has(path.join('.'))) return body;
  const root = parseToml(body);
  if ('key' in place) {
    const isEmpty = Object.keys(tableAt(root, path) ?? {}).length === 0;
    return isEmpty ? (tryRemoveTable(body, path) ?? body) : body;
  }
  const items = tableAt(root, parent)?.[key];
  if (!Array.isArray(items) || items.length > 0) return body;
  const without = tryRemoveKey(body, parent, key) ?? body;
  const isEmpty = Object.keys(tableAt(parseToml(without), parent) ?? { key }).length === 0;
  return isEmpty && created.has(parent.join('.'))
    ? (tryRemoveTable(without, parent) ?? without)
    : without;
}
