/** The values of TOML text: read, changed in place, and written. */
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';
import { isTable, tableAt, type TomlTable } from '../../../format/project/pyproject.ts';

/** The value of TOML text without a byte order mark; integers as `bigint`. */
export function parseToml(body: string): TomlTable {
  return parse(body, { integersAsBigInt: true });
}

/** A value and its place. */
export interface TomlEntry {
  /** Of the table that has the key. */
  readonly path: readonly string[];
  readonly key: string;
  readonly value: TomlValue;
}

export function setAt(root: TomlTable, { path, key, value }: TomlEntry): void {
  let table = root;
  for (const step of path) {
    if (!Object.hasOwn(table, step)) define(table, step, {});
    table = table[step] as TomlTable;
  }
  define(table, key, value);
}

function define(table: TomlTable, key: string, value: unknown): void {
  Object.defineProperty(table, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

export function arrayAt(root: TomlTable, path: readonly string[]): unknown[] | undefined {
  const value = tableAt(root, path.slice(0, -1))?.[path.at(-1) ?? ''];
  return Array.isArray(value) ? (value as unknown[]) : undefined;
}

/** Removes the empty table at `path`, and parents without a header that become empty. */
export function dropEmpty(
  root: TomlTable,
  path: readonly string[],
  headers: readonly { readonly path: readonly string[] }[],
): void {
  for (let length = path.length; length > 0; length -= 1) {
    const known = path.slice(0, length);
    if (headers.some((header) => isDeepStrictEqual(header.path, known))) return;
    const table = tableAt(root, path.slice(0, length));
    if (table === undefined || Object.keys(table).length > 0) return;
    const parent = tableAt(root, path.slice(0, length - 1));
    if (parent !== undefined) Reflect.deleteProperty(parent, path[length - 1] ?? '');
  }
}

/** `edited` if its value is that of `body` with `change`, otherwise `undefined`. */
export function verify(
  body: string,
  edited: string | undefined,
  change: (root: TomlTable) => void,
): string | undefined {
  if (edited === undefined) return undefined;
  const intended = parseToml(body);
  change(intended);
  try {
    return isDeepStrictEqual(plain(parseToml(edited)), plain(intended)) ? edited : undefined;
  } catch {
    return undefined;
  }
}

/** Tables without their prototypes, because the parser's differ from ours. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isTable(value)) return value;
  return new Map(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

/** Arrays are lists of dependencies, tables are entries of poetry. */
export type TomlValue = string | readonly TomlValue[] | { readonly [key: string]: TomlValue };

export function formatTomlValue(value: TomlValue): string {
  // JSON strings are valid TOML basic strings: TOML has all escapes of JSON.
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) {
    return `[${(value as readonly TomlValue[]).map(formatTomlValue).join(', ')}]`;
  }
  const entries = Object.entries(value).map(
    ([key, item]) => `${formatTomlKey(key)} = ${formatTomlValue(item)}`,
  );
  return `{ ${entries.join(', ')} }`;
}

export function formatTomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key);
}
