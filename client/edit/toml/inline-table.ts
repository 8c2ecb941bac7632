/** Adds pairs to inline tables in TOML text, and removes them again exactly. */
import { isDeepStrictEqual } from 'node:util';
import { tableAt } from '../../../format/project/pyproject.ts';
import { appendItem, hasComment, removeItem } from './toml-array.ts';
import { findValue, scanInlineTable, scanToml } from './toml-scan.ts';
import { dropEmpty, formatTomlKey, formatTomlValue, type TomlEntry, verify } from './toml-value.ts';

/** Adds `key = value` to the end of the inline table at `path`, or of the one that contains it. */
export function addToInlineTable(
  body: string,
  { path, key, value }: TomlEntry,
): string | undefined {
  const found = findInlineTable(body, path);
  if (found === undefined) return undefined;
  const dotted = [...path.slice(found.path.length), key].map(formatTomlKey).join('.');
  const { table } = scanInlineTable(body, found.open);
  return appendItem(body, table, `${dotted} = ${formatTomlValue(value)}`);
}

/**
 * The inverse of `addToInlineTable`, verified; `undefined` when a comment belongs to the pair, or when the
 * pair is missing.
 */
export function removeFromInlineTable(
  body: string,
  path: readonly string[],
  key: string,
): string | undefined {
  const found = findInlineTable(body, path);
  if (found === undefined) return undefined;
  const { table, paths } = scanInlineTable(body, found.open);
  const wanted = [...path.slice(found.path.length), key];
  const index = paths.findIndex((known) => isDeepStrictEqual(known, wanted));
  if (index < 0 || hasComment(body, table, index)) return undefined;
  return verify(body, removeItem(body, table, index), (root) => {
    const parent = tableAt(root, path);
    if (parent !== undefined) Reflect.deleteProperty(parent, key);
    // A dotted key implicitly creates the tables between.
    if (wanted.length > 1) dropEmpty(root, path, [...scanToml(body).headers, found]);
  });
}

/** The innermost inline table on the path. */
function findInlineTable(
  body: string,
  path: readonly string[],
): { readonly path: readonly string[]; readonly open: number } | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const span = findValue(body, path.slice(0, length));
    if (span === undefined) continue;
    return body[span.start] === '{' ? { path: path.slice(0, length), open: span.start } : undefined;
  }
  return undefined;
}
