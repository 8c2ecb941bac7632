/**
 * The one spelling of a JSON document, as RFC 8785 orders it and with one newline at the end:
 *
 *     {"a":1,"b":["x"]}\n
 */
import { FormatError } from './errors.ts';

/**
 * Writes `value` with sorted keys, no space and a final newline.
 * @throws {FormatError} `ERR_CANONICAL_JSON` for what JSON cannot say: `undefined`, NaN, a class
 * instance, a lone surrogate, a cycle.
 * @example
 * canonicalJson({ b: 1, a: [true] }); // '{"a":[true],"b":1}\n'
 */
export function canonicalJson(value: unknown): string {
  return `${write(value, '$', [])}\n`;
}

function write(value: unknown, path: string, parents: readonly object[]): string {
  if (value === null || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw refused(path, 'a string with a lone surrogate');
    return JSON.stringify(value);
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refused(path, String(value));
    return JSON.stringify(value);
  }
  if (typeof value !== 'object') throw refused(path, typeof value);
  if (parents.includes(value)) throw refused(path, 'a cycle');
  const within = [...parents, value];
  if (Array.isArray(value)) {
    // `Array.from` also visits the holes of a sparse array, which `map` would skip.
    const items = Array.from(value, (item, at) => write(item, `${path}[${at}]`, within));
    return `[${items.join(',')}]`;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw refused(path, 'a class instance');
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const members = entries.map(([key, item]) => {
    if (!key.isWellFormed()) throw refused(path, 'a key with a lone surrogate');
    return `${JSON.stringify(key)}:${write(item, `${path}.${key}`, within)}`;
  });
  return `{${members.join(',')}}`;
}

function refused(path: string, found: string): FormatError {
  return new FormatError('ERR_CANONICAL_JSON', `Cannot write JSON: ${path} is ${found}`);
}
