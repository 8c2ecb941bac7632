import fc from 'fast-check';
import semver from 'semver';
import { expect, test } from 'vitest';
import { comparePrecedence } from '../version/semver-range.ts';
import type { OsvAffected } from './osv-range.ts';
import { isAffected } from './osv-range.ts';

function isIn(version: string, affected: OsvAffected): boolean {
  return isAffected(version, affected, comparePrecedence);
}

const FIXED: OsvAffected = {
  ranges: [
    {
      events: [
        { introduced: '2.0.0' },
        { fixed: '1.2.1' },
        { introduced: '0' },
        { fixed: '2.3.0' },
      ],
    },
  ],
};

test.each([
  ['0.0.1', true],
  ['1.2.0', true],
  ['1.2.1-rc.1', true],
  ['1.2.1', false],
  ['1.9.0', false],
  ['2.0.0-beta', false],
  ['2.0.0', true],
  ['2.2.9+linux', true],
  ['2.3.0', false],
])('isAffected() %s of two spans in any order: %s', (version, expected) => {
  expect(isIn(version, FIXED)).toBe(expected);
});

test('isAffected() counts the last affected version, exact versions, and limits', () => {
  const last = { ranges: [{ events: [{ introduced: '1.0.0' }, { last_affected: '1.4.0' }] }] };
  expect(['0.9.0', '1.0.0', '1.4.0', '1.4.1'].map((v) => isIn(v, last))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(isIn('1.0.0', { versions: ['1.0.0'] })).toBe(true);
  expect(isIn('1.0.1', { versions: ['1.0.0'] })).toBe(false);
  const limited = { ranges: [{ events: [{ introduced: '0' }, { limit: '2.0.0' }] }] };
  expect([isIn('1.0.0', limited), isIn('2.0.0', limited)]).toEqual([true, false]);
  const open = { ranges: [{ events: [{ introduced: '0' }, { limit: '*' }] }] };
  expect(isIn('9.0.0', open)).toBe(true);
  expect(isIn('1.0.0', { ranges: [] })).toBe(false);
});

test('isAffected() agrees with the range of npm that has the same bounds', () => {
  const number = fc.integer({ min: 0, max: 3 });
  const version = fc.tuple(number, number, number).map((parts) => parts.join('.'));
  fc.assert(
    fc.property(version, version, version, (tested, introduced, fixed) => {
      fc.pre(semver.lt(introduced, fixed));
      const affected = { ranges: [{ events: [{ introduced }, { fixed }] }] };
      expect(isIn(tested, affected)).toBe(semver.satisfies(tested, `>=${introduced} <${fixed}`));
    }),
  );
});
