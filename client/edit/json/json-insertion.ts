/**
 * Inserts one property into JSON text and changes no other byte: `modify` of `jsonc-parser` would format
 * the lines around it. Copies the layout of the neighbours, or of the file if there are none.
 * `removeProperty` is the exact inverse, in any order of removals.
 */
import detectIndent from 'detect-indent';
import { parseTree, type Node } from 'jsonc-parser';
import { InternalError } from '../../../format/errors.ts';
import { lineEndOf } from '../project-file.ts';

/** The index among `keys` for a new key: 0 is the start, `keys.length` the end. */
type InsertionIndex = (keys: readonly string[]) => number;

/** Adds `key` to the object at `path`, which must exist and must not have the key. */
export function insertProperty(
  text: string,
  path: readonly string[],
  key: string,
  value: string | Readonly<Record<string, never>>,
  indexOf: InsertionIndex = (keys) => keys.length,
): string {
  const { root, object } = objectAt(text, path);
  const properties = object.children ?? [];
  const property = `${JSON.stringify(key)}${colonOf(text, root)}${JSON.stringify(value)}`;
  const index = indexOf(properties.map(keyOf));
  const before = properties[index - 1];
  const after = properties[index];
  if (before !== undefined) {
    const space = spaceBefore(text, before, object);
    const at = before.offset + before.length;
    return `${text.slice(0, at)},${space}${property}${text.slice(at)}`;
  }
  if (after !== undefined) {
    const space = spaceBefore(text, properties[1] ?? after, object);
    return `${text.slice(0, after.offset)}${property},${space}${text.slice(after.offset)}`;
  }
  return fillEmpty(text, root, object, path.length, property);
}

/** The object at `path`, which must exist. */
export function objectAt(text: string, path: readonly string[]): { root: Node; object: Node } {
  const root = parseTree(text);
  let object = root;
  // By keys, because `findNodeAtLocation` takes a numeric key for an index.
  for (const key of path) object = object?.children?.find((p) => keyOf(p) === key)?.children?.[1];
  if (root === undefined || object?.type !== 'object') {
    throw new InternalError(`no object at ${JSON.stringify(path)}`);
  }
  return { root, object };
}

/** The key of a property node. */
export function keyOf(property: Node): string {
  return String(property.children?.[0]?.value);
}

/** The space between a comma and the next property, as it is before `property`. */
function spaceBefore(text: string, property: Node, object: Node): string {
  const first = object.children?.[0];
  const space = /[ \t\r\n]*$/.exec(text.slice(object.offset, property.offset))?.[0] ?? '';
  if (space.includes('\n')) return lastBreak(space);
  return property === first ? inlineSpace(text, object) : space;
}

/** The last line break of `space` and what follows it, so that blank lines are not repeated. */
function lastBreak(space: string): string {
  return /\r?\n[ \t]*$/.exec(space)?.[0] ?? space;
}

/** The space between properties of an object on one line; none if the file has none after its colons. */
function inlineSpace(text: string, object: Node): string {
  const colon = object.children?.[0]?.colonOffset;
  return colon !== undefined && !/[ \t]/.test(text[colon + 1] ?? '') ? '' : ' ';
}

/** The colon and its space, as in the file's first property. */
function colonOf(text: string, root: Node): string {
  const [key, value] = root.children?.[0]?.children ?? [];
  if (key === undefined || value === undefined) return ': ';
  const between = text.slice(key.offset + key.length, value.offset);
  return between.includes('\n') ? ': ' : between;
}

function fillEmpty(
  text: string,
  root: Node,
  object: Node,
  depth: number,
  property: string,
): string {
  const close = object.offset + object.length - 1;
  const head = text.slice(0, object.offset + 1);
  const space = text.slice(object.offset + 1, close);
  const tail = text.slice(close);
  const isOneLine =
    object !== root && !text.slice(root.offset, root.offset + root.length).includes('\n');
  // The original space stays after the property, so that removing the property restores it.
  if (isOneLine || (space !== '' && !space.includes('\n'))) {
    return `${head}${space}${property}${space}${tail}`;
  }
  const line = text.slice(text.lastIndexOf('\n', object.offset) + 1, object.offset);
  const margin = depth === 0 ? '' : (/^[ \t]*/.exec(line)?.[0] ?? '');
  const indent = detectIndent(text).indent || '  ';
  const end = lineEndOf(text);
  const behind = space === '' ? `${end}${margin}` : space;
  return `${head}${end}${margin}${indent}${property}${behind}${tail}`;
}

// Removes one property from JSON text, or replaces its value, and changes no other byte. Exact inverse of
// `json-insertion.ts`.

/**
 * Removes `key` from the object at `path`; both must exist.
 * @param wasBare whether the object was written `{}` when it was empty
 */
export function removeProperty(
  text: string,
  path: readonly string[],
  key: string,
  wasBare: boolean,
): string {
  const { object } = objectAt(text, path);
  const properties = object.children ?? [];
  const index = properties.findIndex((property) => keyOf(property) === key);
  const property = propertyAt(properties, index, key);
  const end = property.offset + property.length;
  const before = properties[index - 1];
  const after = properties[index + 1];
  // Including the space that the insertion put between the property and its neighbour.
  if (before !== undefined) return text.slice(0, before.offset + before.length) + text.slice(end);
  if (after !== undefined) return text.slice(0, property.offset) + text.slice(after.offset);
  const close = object.offset + object.length - 1;
  return text.slice(0, object.offset + 1) + text.slice(wasBare ? close : end);
}

/** Replaces the string at `key` in the object at `path`; both must exist. */
export function replaceString(
  text: string,
  path: readonly string[],
  key: string,
  value: string,
): string {
  const properties = objectAt(text, path).object.children ?? [];
  const index = properties.findIndex((property) => keyOf(property) === key);
  const old = propertyAt(properties, index, key).children?.[1];
  if (old === undefined) throw new InternalError(`no value at ${JSON.stringify(key)}`);
  const head = text.slice(0, old.offset);
  return head + JSON.stringify(value) + text.slice(old.offset + old.length);
}

function propertyAt(properties: readonly Node[], index: number, key: string): Node {
  const property = properties[index];
  if (property === undefined) throw new InternalError(`no property ${JSON.stringify(key)}`);
  return property;
}
