/**
 * Removes distributions of builds from the text of a pyproject.toml, each if it is unchanged. An array or
 * table that was created for builds is removed when it becomes empty.
 */
import { tableAt, type PipTable, type TomlTable } from '../../../format/project/pyproject.ts';
import type { AddedPip } from './pip-dependencies.ts';
import { splitBom } from '../project-file.ts';
import { hasDistribution, locateAdded, readRoot, type PipPlace } from './pyproject-tables.ts';
import { parseToml } from '../toml/toml-array.ts';
import { tryRemoveItem, tryRemoveKey, tryRemoveTable } from '../toml/toml-edit.ts';

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
export function removeAt(
  body: string,
  place: PipPlace,
  created: ReadonlySet<string>,
): string | undefined {
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
