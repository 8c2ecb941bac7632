/**
 * Removes one property from JSON text, or replaces its value, and changes no other byte. Exact inverse of
 * `json-insertion.ts`.
 */
import type { Node } from 'jsonc-parser';
import { InternalError } from '../../../format/errors.ts';
import { keyOf, objectAt } from './json-insertion.ts';

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
