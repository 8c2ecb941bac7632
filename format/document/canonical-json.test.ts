import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

/** A JSON value; -0 is left out because JSON text has no use for its sign. */
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);

test.each([
  [null, 'null\n'],
  [{}, '{}\n'],
  [[], '[]\n'],
  [{ b: 1, a: [true] }, '{"a":[true],"b":1}\n'],
  [{ 10: 1, 9: 2, a: 3 }, '{"10":1,"9":2,"a":3}\n'],
  [{ é: 1, z: 2, '😀': 3, '\ufb01': 4 }, '{"z":2,"é":1,"😀":3,"\ufb01":4}\n'],
  ['\u2028"\\\n\u0007/', '"\u2028\\"\\\\\\n\\u0007/"\n'],
  [1e21, '1e+21\n'],
  [0.1, '0.1\n'],
  [-0, '0\n'],
  [JSON.parse('{"__proto__":1}'), '{"__proto__":1}\n'],
  [Object.assign(Object.create(null) as object, { a: 1 }), '{"a":1}\n'],
])('canonicalJson(%j) is %j', (value, wanted) => {
  expect(canonicalJson(value)).toBe(wanted);
});

const cycle: Record<string, unknown> = {};
cycle['self'] = { cycle };

test.each([
  ['undefined', undefined],
  ['a member that is undefined', { a: undefined }],
  ['an item that is undefined', [undefined]],
  // oxlint-disable-next-line no-sparse-arrays
  ['a hole in an array', [, 1]],
  ['NaN', NaN],
  ['Infinity', { a: -Infinity }],
  ['a bigint', 1n],
  ['a function', () => 1],
  ['a symbol', Symbol('a')],
  ['a regular expression', /x/],
  ['a map', new Map()],
  ['bytes', new Uint8Array(1)],
  ['half a surrogate pair', ['\ud800']],
  ['half a surrogate pair in a key', { '\udc00': 1 }],
  ['a cycle', cycle],
])('canonicalJson() refuses %s', (_, value) => {
  expect(() => canonicalJson(value)).toThrow(
    expect.objectContaining({ code: 'ERR_CANONICAL_JSON' }),
  );
});

test('canonicalJson() names the place of what it refuses', () => {
  expect(() => canonicalJson({ a: [1, { b: NaN }] })).toThrow('$.a[1].b is NaN');
});

test('canonicalJson() may meet one object twice', () => {
  const shared = { a: 1 };
  expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]\n');
});

test('canonicalJson() is read back as its input', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(value);
    }),
  );
});

test('canonicalJson() does not depend on the order of keys', () => {
  const map = fc.dictionary(fc.string(), fc.integer());
  fc.assert(
    fc.property(map, (value) => {
      const reversed = Object.fromEntries(Object.entries(value).toReversed());
      expect(canonicalJson(reversed)).toBe(canonicalJson(value));
      const keys = [...canonicalJson(value).matchAll(/("(?:[^"\\]|\\.)*"):/g)];
      const read = keys.map(([, key]) => JSON.parse(key ?? '') as string);
      expect(read).toEqual(Object.keys(value).sort());
    }),
  );
});
