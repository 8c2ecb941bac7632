/**
 * The canonical form of a JSON document: keys in the order of RFC 8785, one newline at the end:
 *
 *     {"a":1,"b":["x"]}\n
 */
import { FormatError } from '../errors.ts';

/**
 * Writes `value` with sorted keys, no space and a final newline.
 * @throws {FormatError} `ERR_CANONICAL_JSON` for what JSON cannot express: `undefined`, NaN, a class
 * instance, a lone surrogate, a cycle.
 * @example
 * canonicalJson({ b: 1, a: [true] }); // '{"a":[true],"b":1}\n'
 */
export function canonicalJson(value: unknown): string {
  return `${write(value, { holders: [], keys: [] }, 0)}\n`;
}

/** The objects around a value, outermost first, and the key in each. Entries from `depth` on are out of date. */
interface Place {
  readonly holders: object[];
  readonly keys: (string | number)[];
}

function write(value: unknown, place: Place, depth: number): string {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw refused(place, depth, 'a string with a lone surrogate');
    return JSON.stringify(value);
  }
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refused(place, depth, String(value));
    return JSON.stringify(value);
  }
  if (typeof value !== 'object') throw refused(place, depth, typeof value);
  const { holders, keys } = place;
  for (let at = 0; at < depth; at += 1) {
    if (holders[at] === value) throw refused(place, depth, 'a cycle');
  }
  holders[depth] = value;
  if (Array.isArray(value)) {
    let items = '';
    // Also the holes of a sparse array, which `map` would skip.
    for (let at = 0; at < value.length; at += 1) {
      keys[depth] = at;
      items += `${at === 0 ? '' : ','}${write(value[at], place, depth + 1)}`;
    }
    return `[${items}]`;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw refused(place, depth, 'a class instance');
  let members = '';
  // Without a function `sort` compares UTF-16 units, the order of RFC 8785.
  for (const key of Object.keys(value).sort()) {
    keys[depth] = key;
    if (!key.isWellFormed()) throw refused(place, depth, 'a key with a lone surrogate');
    const text = write((value as Readonly<Record<string, unknown>>)[key], place, depth + 1);
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${text}`;
  }
  return `{${members}}`;
}

function refused({ keys }: Place, depth: number, found: string): FormatError {
  const path = keys
    .slice(0, depth)
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('');
  return new FormatError('ERR_CANONICAL_JSON', `Cannot write JSON: $${path} is ${found}`);
}

/** The own property `name` of `value`; `undefined` if `value` is not an object or does not have it. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}
