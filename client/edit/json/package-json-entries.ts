/**
 * Puts entries into the tables of a package.json, gives them another value or takes them out, and
 * changes no other byte. Each result is read again and must be what was meant.
 */
import { isDeepStrictEqual } from 'node:util';
import { InternalError } from '../../../format/errors.ts';
import { insertProperty, keyOf, objectAt } from './json-insertion.ts';
import { removeProperty, replaceString } from './json-removal.ts';
import type { PackageTable } from './package-json-tables.ts';
import { parsePackageJson } from './package-json-tables.ts';
import { compareText } from '../../../format/compare-text.ts';

/** One entry as it is to be: with a value, or gone. */
export interface EntryChange {
  readonly table: PackageTable;
  readonly key: string;
  readonly value: string | undefined;
}

export interface ChangedEntries {
  readonly body: string;
  /**
   * What was made on the way, as the lock marks it: `/scripts` is a table, `/scripts{}` one that was
   * there and written `{}`; `{}` is the file's own object.
   */
  readonly created: readonly string[];
}

/**
 * `body` with `changes`, one after another. A table that is needed is made.
 * @param made marks of what was made before; such a table goes when it is empty
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

/** A new table goes to the end, but `dependencies` in front of `devDependencies` and that behind it. */
function tableIndex(table: PackageTable): (keys: readonly string[]) => number {
  return (keys) => {
    const dev = keys.indexOf('devDependencies');
    if (table === 'dependencies' && dev >= 0) return dev;
    const main = keys.indexOf('dependencies');
    return table === 'devDependencies' && main >= 0 ? main + 1 : keys.length;
  };
}

/** The place of `key` where `keys` are sorted as npm sorts them or by code unit; else the end. */
function sortedIndex(keys: readonly string[], key: string): number {
  const asNpm = (a: string, b: string): number => a.localeCompare(b, 'en');
  for (const compare of [asNpm, compareText]) {
    const isSorted = keys.every((k, i) => i === 0 || compare(keys[i - 1] ?? '', k) <= 0);
    if (!isSorted) continue;
    const index = keys.findIndex((k) => compare(key, k) < 0);
    return index < 0 ? keys.length : index;
  }
  return keys.length;
}

/** `defineProperty`: a key `__proto__` is a key like others. */
function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
