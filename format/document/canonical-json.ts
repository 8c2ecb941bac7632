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
  return `${write(value, [])}\n`;
}

/** @param place the path to `value`: keys and the objects that hold them, outermost first */
function write(value: unknown, place: { key: string | number; holder: object }[]): string {
  if (value === null || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw refused(place, 'a string with a lone surrogate');
    return JSON.stringify(value);
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refused(place, String(value));
    return JSON.stringify(value);
  }
  if (typeof value !== 'object') throw refused(place, typeof value);
  if (place.some(({ holder }) => holder === value)) throw refused(place, 'a cycle');
  if (Array.isArray(value)) {
    // `Array.from` also visits the holes of a sparse array, which `map` would skip.
    return `[${Array.from(value, (item, at) => writeIn(value, at, item, place)).join(',')}]`;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw refused(place, 'a class instance');
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const members = entries.map(([key, item]) => {
    if (!key.isWellFormed()) throw refused(place, 'a key with a lone surrogate');
    return `${JSON.stringify(key)}:${writeIn(value, key, item, place)}`;
  });
  return `{${members.join(',')}}`;
}

function writeIn(
  holder: object,
  key: string | number,
  item: unknown,
  place: { key: string | number; holder: object }[],
): string {
  place.push({ key, holder });
  const text = write(item, place);
  place.pop();
  return text;
}

function refused(place: readonly { key: string | number }[], found: string): FormatError {
  const path = place.map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  return new FormatError('ERR_CANONICAL_JSON', `Cannot write JSON: $${path} is ${found}`);
}
