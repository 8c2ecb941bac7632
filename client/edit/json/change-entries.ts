/**
 * Adds, replaces and removes entries in the tables of a package.json, and changes no other byte. Each
 * result is parsed again and compared with the intended value.
 */
import { isDeepStrictEqual } from 'node:util';
import { compareText } from '../../../format/compare-text.ts';
import { InternalError } from '../../../format/errors.ts';
import {
  insertProperty,
  keyOf,
  objectAt,
  removeProperty,
  replaceString,
} from './json-insertion.ts';
import { parsePackageJson, type PackageTable } from './package-json-tables.ts';

/** The wanted state of one entry: a value, or `undefined` for none. */
export interface EntryChange {
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
export function changeEntries(
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
