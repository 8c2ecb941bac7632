/**
 * Adds packages and scripts of builds to the text of a package.json. The user's entries, layout, order,
 * line ends and byte order mark are kept. `npm-dependencies.ts` and `package-scripts.ts` select the entries.
 */
import { isDeepStrictEqual } from 'node:util';
import { DEPENDENCY_TABLES } from '../../../format/project/stack-fact.ts';
import { parsePackageJson, readTable } from './package-json-tables.ts';
import { planNpm, type NpmAddition } from './npm-dependencies.ts';
import type { EarlierNpmEntries, NpmOutcome, NpmRequirement } from './kept-package.ts';
import { planScripts, type EarlierScripts, type ScriptOutcome } from './package-scripts.ts';
import { splitBom, type EditWarning } from '../project-file.ts';
import { InternalError } from '../../../format/errors.ts';
import {
  insertProperty,
  keyOf,
  objectAt,
  removeProperty,
  replaceString,
} from './json-insertion.ts';
import { compareText } from '../../../format/compare-text.ts';

type PackageTable = Parameters<typeof readTable>[2];

interface PackageJsonEdit {
  readonly text: string;
  readonly npm: readonly NpmOutcome[];
  readonly scripts: readonly ScriptOutcome[];
  readonly warnings: readonly EditWarning[];
  /** Created entries, see `changeEntries`. */
  readonly created: readonly string[];
  /** Packages whose range or table changed, for other builds that share them. */
  readonly replaced: readonly NpmAddition[];
  /** Packages that were kept by decision although their ranges do not meet. */
  readonly decided: readonly string[];
}

/** Entries of earlier installs. */
interface EarlierInPackageJson {
  readonly npm?: EarlierNpmEntries;
  readonly scripts?: EarlierScripts;
  readonly created?: ReadonlySet<string>;
}

/**
 * Adds the entries of `requirements` that `text` does not have.
 * @param keep packages whose range in `text` the user decided to keep
 * @throws {ClientError} `ERR_PROJECT_FILE` when the file cannot be parsed,
 *   `ERR_DEPENDENCY` when ranges do not intersect
 */
export function editPackageJson(
  text: string,
  requirements: {
    readonly npm: readonly NpmRequirement[];
    readonly scripts: Parameters<typeof planScripts>[1];
  },
  earlier: EarlierInPackageJson = {},
  keep: ReadonlySet<string> = new Set(),
): PackageJsonEdit {
  const { bom, body } = splitBom(text);
  const root = parsePackageJson(body);
  const tables = new Map(
    DEPENDENCY_TABLES.map((table) => [table, readTable(body, root, table)] as const),
  );
  const npm = planNpm(tables, requirements.npm, earlier.npm, keep);
  const scripts = planScripts(
    readTable(body, root, 'scripts'),
    requirements.scripts,
    earlier.scripts,
  );
  const changes = [
    ...npm.additions.flatMap(npmChanges),
    ...scripts.additions.map(
      ({ name, value }) => ({ table: 'scripts', key: name, value }) as const,
    ),
  ];
  const changed = changeEntries(body, changes, earlier.created);
  return {
    text: bom + changed.body,
    npm: npm.outcomes,
    scripts: scripts.outcomes,
    warnings: [...npm.warnings, ...scripts.warnings],
    created: changed.created,
    replaced: npm.additions.filter(({ instead }) => instead !== undefined),
    decided: npm.decided,
  };
}

/** A package that moves to another table is removed from the old one. */
function npmChanges({ name, range, table, instead }: NpmAddition): EntryChange[] {
  const change = { table, key: name, value: range };
  return instead === undefined || instead.table === table
    ? [change]
    : [change, { table: instead.table, key: name, value: undefined }];
}

/** A package or script that the lock records as added. */
interface AddedEntry {
  readonly table: PackageTable;
  readonly key: string;
  readonly value: string;
}

/**
 * Removes those of `entries` that are unchanged; `changed` are the others that the text still has.
 * @param created entries of earlier changes; such a table is removed when it becomes empty
 * @throws {ClientError} `ERR_PROJECT_FILE`
 */
export function uninstallFromPackageJson(
  text: string,
  entries: readonly AddedEntry[],
  created: ReadonlySet<string>,
): { readonly text: string; readonly changed: readonly AddedEntry[] } {
  const { bom, body } = splitBom(text);
  const root = parsePackageJson(body);
  const gone: EntryChange[] = [];
  const changed: AddedEntry[] = [];
  for (const entry of entries) {
    const value = readTable(body, root, entry.table).get(entry.key);
    if (value === entry.value) gone.push({ ...entry, value: undefined });
    else if (value !== undefined) changed.push(entry);
  }
  return { text: bom + changeEntries(body, gone, created).body, changed };
}

/** Whether a package.json has the entry unchanged. @throws {ClientError} `ERR_PROJECT_FILE` */
export function hasEntry(text: string, { table, key, value }: AddedEntry): boolean {
  const { body } = splitBom(text);
  return readTable(body, parsePackageJson(body), table).get(key) === value;
}

// Adds, replaces and removes entries in the tables of a package.json, and changes no other byte. Each
// result is parsed again and compared with the intended value.

/** The wanted state of one entry: a value, or `undefined` for none. */
interface EntryChange {
  readonly table: PackageTable;
  readonly key: string;
  readonly value: string | undefined;
}

interface ChangedEntries {
  readonly body: string;
  /**
   * Created entries of the lock: `/scripts` is a new table, `/scripts{}` a table that was written `{}`;
   * `{}` is the object of the file itself.
   */
  readonly created: readonly string[];
}

/**
 * Applies `changes` to `body` in order. Creates missing tables.
 * @param created entries of earlier changes; such a table is removed when it becomes empty
 */
function changeEntries(
  body: string,
  changes: readonly EntryChange[],
  created: ReadonlySet<string> = new Set(),
): ChangedEntries {
  let edited = body;
  const marks: string[] = [];
  const intended = JSON.parse(body) as Record<string, unknown>;
  for (const change of changes) {
    if (change.value === undefined) {
      edited = removeEntry(edited, change, new Set([...created, ...marks]));
      forget(intended, change, new Set([...created, ...marks]));
      continue;
    }
    const { table, key, value } = change;
    const old = hasTable(edited, table) ? objectAt(edited, [table]).object.children : undefined;
    if (old?.some((property) => keyOf(property) === key) === true) {
      edited = replaceString(edited, [table], key, value);
    } else {
      const inserted = insertEntry(edited, table, key, value);
      edited = inserted.body;
      marks.push(...inserted.created);
    }
    if (!Object.hasOwn(intended, table)) define(intended, table, {});
    define(intended[table] as object, key, value);
  }
  if (!isDeepStrictEqual(JSON.parse(edited), intended)) {
    throw new InternalError('the edit of package.json does not have the intended value');
  }
  return { body: edited, created: marks };
}

function insertEntry(
  body: string,
  table: PackageTable,
  key: string,
  value: string,
): ChangedEntries {
  const created: string[] = [];
  let edited = body;
  if (!hasTable(body, table)) {
    created.push(`/${table}`);
    if (isBare(body, [])) created.push('{}');
    edited = insertProperty(body, [], table, {}, tableIndex(table));
  } else if (isBare(body, [table])) {
    created.push(`/${table}{}`);
  }
  const indexOf =
    table === 'scripts' ? undefined : (keys: readonly string[]) => sortedIndex(keys, key);
  return { body: insertProperty(edited, [table], key, value, indexOf), created };
}

function removeEntry(
  body: string,
  { table, key }: EntryChange,
  created: ReadonlySet<string>,
): string {
  const edited = removeProperty(body, [table], key, created.has(`/${table}{}`));
  const isEmpty = objectAt(edited, [table]).object.children?.length === 0;
  return isEmpty && created.has(`/${table}`)
    ? removeProperty(edited, [], table, created.has('{}'))
    : edited;
}

function forget(
  root: Record<string, unknown>,
  { table, key }: EntryChange,
  created: ReadonlySet<string>,
): void {
  const entries = root[table] as Record<string, unknown>;
  Reflect.deleteProperty(entries, key);
  if (Object.keys(entries).length === 0 && created.has(`/${table}`)) {
    Reflect.deleteProperty(root, table);
  }
}

function hasTable(body: string, table: PackageTable): boolean {
  return parsePackageJson(body).children?.some((property) => keyOf(property) === table) === true;
}

function isBare(body: string, path: readonly string[]): boolean {
  const { object } = objectAt(body, path);
  return body.slice(object.offset, object.offset + object.length) === '{}';
}

/** A new table goes to the end, but `dependencies` and `devDependencies` go next to each other. */
function tableIndex(table: PackageTable): (keys: readonly string[]) => number {
  return (keys) => {
    const dev = keys.indexOf('devDependencies');
    if (table === 'dependencies' && dev >= 0) return dev;
    const main = keys.indexOf('dependencies');
    return table === 'devDependencies' && main >= 0 ? main + 1 : keys.length;
  };
}

/** The place of `key` if `keys` are sorted as npm sorts them or by code unit; otherwise the end. */
function sortedIndex(keys: readonly string[], key: string): number {
  // npm sorts the same file with the same engine.
  const asNpm = (a: string, b: string): number => a.localeCompare(b, 'en');
  for (const compare of [asNpm, compareText]) {
    const isSorted = keys.every((k, i) => i === 0 || compare(keys[i - 1] ?? '', k) <= 0);
    if (!isSorted) continue;
    const index = keys.findIndex((k) => compare(key, k) < 0);
    return index < 0 ? keys.length : index;
  }
  return keys.length;
}

/** `defineProperty`, because `__proto__` must be a key like any other. */
function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
