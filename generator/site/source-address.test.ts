import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseSourceAddress, sourceAddress } from './source-address.ts';

const line = fc.integer({ min: 1, max: 99_999 });
const view = fc.record({
  id: fc.constantFrom('alice/web', 'a-b/c.d'),
  version: fc.constantFrom('1.0.0', '1.0.0-rc.1+build'),
  against: fc.option(fc.constant('0.9.0'), { nil: undefined }),
  file: fc.option(fc.string({ minLength: 1, unit: 'grapheme' }), { nil: undefined }),
  lines: fc.option(
    fc.tuple(line, line).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as [number, number]),
    { nil: undefined },
  ),
});

it('parseSourceAddress() reads what sourceAddress() writes', () => {
  fc.assert(
    fc.property(view, (one) => {
      const url = new URL(sourceAddress(one), 'https://builds.example.org/registry/');
      expect(url.pathname).toBe('/registry/source/');
      const lines = one.file === undefined ? undefined : one.lines;
      expect(parseSourceAddress(url.search, url.hash)).toEqual({ ...one, lines });
    }),
  );
});

it('sourceAddress() is readable for ordinary paths', () => {
  expect(
    sourceAddress({ id: 'alice/web', version: '1.1.0', file: 'src/a b.ts', lines: [3, 7] }),
  ).toBe('source/?id=alice/web&version=1.1.0#src/a%20b.ts:L3-L7');
});

it.each([
  ['', ''],
  ['?id=alice/web', ''],
  ['?id=alice/web&version=1.0.0', '#%E0%A4%A'],
])('parseSourceAddress() refuses %j with %j', (search, hash) => {
  expect(parseSourceAddress(search, hash)).toBeUndefined();
});

it('parseSourceAddress() reads lines in any order, and no line 0', () => {
  const of = (hash: string) => parseSourceAddress('?id=a/b&version=1.0.0', hash);
  expect(of('#x.ts:L9-L2')).toMatchObject({ file: 'x.ts', lines: [2, 9] });
  expect(of('#x.ts:L0')).toMatchObject({ file: 'x.ts:L0', lines: undefined });
});
