import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readManifestJson } from './manifest-json.ts';

const key = fc.constantFrom('a', 'b', '__proto__', 'c:d', 'e"f', '{', '\\', 'é', '');
const value = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      '1',
      '-1.5e3',
      'true',
      'null',
      '""',
      '"x:y"',
      '"\\n"',
      '"\\\\"',
      '"\\"{"',
      '01',
      'x',
      "'s'",
    ),
    fc.array(tie('value'), { maxLength: 3 }).map((parts) => `[${parts.join(',')}]`),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(key, fc.constantFrom(':', ' :', ':\n '), tie('value')), { maxLength: 3 })
    .map((pairs) => `{${pairs.map(([k, colon, v]) => JSON.stringify(k) + colon + v).join(',')}}`),
})).value;

describe('readManifestJson()', () => {
  it('reads an object', () => {
    expect(readManifestJson('{"a": {"b": ["c:", "\\"{:"]}}')).toEqual({
      value: { a: { b: ['c:', '"{:'] } },
      findings: [],
    });
  });

  it.each([
    ['{"a": 1, "a": 2}', 'stands twice'],
    ['{"a": {"b": 1, "b": 2}, "c": 1}', 'stands twice'],
    ['{"a": {"x": 1}, "a": 2}', 'stands twice'],
    ['{"__proto__": 1}', 'is not allowed'],
    ['{"\\u005f_proto__": 1}', 'is not allowed'],
  ])('finds the key of %s', (source, problem) => {
    const read = readManifestJson(source);
    expect('findings' in read && read.findings.map(({ args }) => args['problem'])).toEqual([
      problem,
    ]);
  });

  it.each(['', 'null', '[]', '1', '{"a": 1,}', '{"a": 1} x', '/* */{}', "{'a': 1}"])(
    'refuses %j',
    (source) => {
      expect(readManifestJson(source)).toHaveProperty('code');
    },
  );

  it('reads texts alike, whether or not their tree is needed', () => {
    let read = 0;
    fc.assert(
      fc.property(value, (made) => {
        const plain = readManifestJson(`{"z":${made},"end":"k"}`);
        // An escape in the last string: now the tree is made.
        expect(plain).toEqual(readManifestJson(`{"z":${made},"end":"\\u006b"}`));
        if ('value' in plain) read += 1;
      }),
      { numRuns: 300 },
    );
    expect(read).toBeGreaterThan(50);
  });
});
