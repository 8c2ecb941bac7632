import fc from 'fast-check';
import { expect, test } from 'vitest';
import vectors from '../../format/version/node-semver.vectors.json' with { type: 'json' };
import { compareVersions, isRange, satisfies } from '../../format/version/semver-range.ts';
import { isVersion } from '../../format/version/version.ts';
import { headOf } from '../../tests/client/universe.ts';
import { headVersions, requiredIds } from './head-versions.ts';
import { positionsOf } from './incompatibility.ts';
import { runs } from '../../tests/run/runs.ts';

const number = fc.nat({ max: 2 });
const suffix = fc.constantFrom('', '', '-0', '-a.1', '-rc', '+b1', '-a+b2');
const version = fc
  .tuple(number, number, number, suffix)
  .map(([a, b, c, s]) => `${a}.${b}.${c}${s}`);
const simple = fc
  .tuple(fc.constantFrom('', '^', '~', '>=', '>', '<', '<=', '='), version)
  .map(([operator, of]) => operator + of);
const range = fc
  .oneof(
    fc.constantFrom('*', '1.x', '1', '~1', '^0', '1 - 2', '^1 || ^2'),
    fc.array(simple, { minLength: 1, maxLength: 2 }).map((parts) => parts.join(' ')),
    fc.tuple(simple, simple).map((parts) => parts.join(' || ')),
  )
  .filter(isRange);

test('inRange() is satisfies() of each version', () => {
  fc.assert(
    fc.property(fc.uniqueArray(version, { minLength: 1, maxLength: 12 }), range, (list, wanted) => {
      const head = headOf('x/a', Object.fromEntries(list.map((one) => [one, {}])));
      const versions = headVersions(head);
      const found = [...positionsOf(versions.inRange(wanted))].map(
        (at) => versions.list[at]!.version,
      );
      expect(found).toEqual(list.filter((one) => satisfies(one, wanted)).sort(compareVersions));
    }),
    { numRuns: runs(3000) },
  );
});

test.each(['range-include', 'range-exclude'] as const)('inRange() of the table %s', (name) => {
  for (const [range, version, options] of vectors[name]) {
    // There is no loose reading, and `includePrerelease` is not offered.
    if (options === true || Object.values(options ?? {}).includes(true)) continue;
    if (typeof range !== 'string' || typeof version !== 'string' || !isVersion(version)) continue;
    const versions = headVersions(headOf('x/a', { [version]: {} }));
    const isIn = name === 'range-include';
    expect(versions.inRange(range), `${range} and ${version}`).toEqual(isIn ? [0, 1] : []);
  }
});

test('headVersions() sorts a head that is not in order', () => {
  const head = headOf('x/a', { '1.0.0': {}, '10.0.0': {}, '2.0.0': {}, '2.0.0-rc.1': {} });
  const shuffled = { ...head, versions: [...head.versions].reverse() };
  const wanted = ['1.0.0', '2.0.0-rc.1', '2.0.0', '10.0.0'];
  expect(headVersions(head).list.map(({ version: one }) => one)).toEqual(wanted);
  expect(headVersions(shuffled).list.map(({ version: one }) => one)).toEqual(wanted);
});

test('requirements groups versions by required build and range', () => {
  const head = headOf('x/a', {
    '1.0.0': { builds: { 'x/b': '^1.0.0' } },
    '1.1.0': { builds: { 'x/b': '^1.0.0', 'x/c': '*' } },
    '2.0.0': { builds: { 'x/b': '^2.0.0' }, provides: ['db'] },
  });
  expect([...headVersions(head).requirements]).toEqual([
    [
      'x/b',
      [
        { range: '^1.0.0', by: [0, 2] },
        { range: '^2.0.0', by: [2, 3] },
      ],
    ],
    ['x/c', [{ range: '*', by: [1, 2] }]],
  ]);
  expect([...headVersions(head).providers]).toEqual([['db', [2, 3]]]);
});

test('requiredIds() follows the manifest, whatever else a head lists', () => {
  const builds = { 'x/a': '*', 'x/b': '*', 'x/c': '*' };
  const orderOf = (order: string[] | undefined): string[] => {
    const facts = order === undefined ? { builds } : { builds, builds_order: order };
    return requiredIds(headOf('x/top', { '1.0.0': facts }).versions[0]!);
  };
  expect(orderOf(undefined)).toEqual(['x/a', 'x/b', 'x/c']);
  expect(orderOf(['x/c', 'x/a', 'x/b'])).toEqual(['x/c', 'x/a', 'x/b']);
  expect(orderOf(['x/none', 'x/c', 'x/c', 'toString'])).toEqual(['x/c', 'x/a', 'x/b']);
});
