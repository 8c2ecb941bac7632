import { expect, test } from 'vitest';
import { inescapable } from './package-advisories.ts';
import type { PackageEntry } from './package-advisories.ts';

function entry(id: string, ...events: object[]): PackageEntry {
  return { id, affected: [{ ranges: [{ events }] }] };
}

const OLD = entry('GHSA-old', { introduced: '0' }, { fixed: '4.17.21' });
const NEXT = entry('GHSA-next', { introduced: '5.0.0' }, { last_affected: '5.2.0' });
const ALL = entry('MAL-all', { introduced: '0' });

test.each([
  ['4.17.20', ['GHSA-old']],
  ['~4.16.0', ['GHSA-old']],
  ['^3.0.0 || ^2.0.0', ['GHSA-old']],
  // The fixed version is admitted.
  ['^4.17.0', []],
  ['*', []],
  ['4.17.21', []],
  ['5.1.0', ['GHSA-next']],
  ['>=5.0.0 <5.2.0', ['GHSA-next']],
  ['^5.0.0', []],
])('inescapable() of npm %s: %j', (range, expected) => {
  expect(inescapable('npm', range, [OLD, NEXT])).toEqual(expected);
});

test('inescapable() of npm knows what is affected as a whole, and exact versions', () => {
  expect(inescapable('npm', '*', [ALL, OLD])).toEqual(['GHSA-old', 'MAL-all']);
  const exact = { id: 'MAL-1', affected: [{ versions: ['1.0.1', '1.0.2', 'next'] }] };
  expect(inescapable('npm', '1.0.1', [exact])).toEqual(['MAL-1']);
  expect(inescapable('npm', '^1.0.0', [exact])).toEqual([]);
  expect(inescapable('npm', '^1.0.0', [])).toEqual([]);
});

test.each([
  ['==4.17.20', ['GHSA-old']],
  ['~=4.16.0', ['GHSA-old']],
  ['>=3,<4', ['GHSA-old']],
  ['>=4', []],
  ['*', []],
  ['==5.1', ['GHSA-next']],
  ['>=5,<=5.2', ['GHSA-next']],
  ['>=5.1', []],
  ['no specifier', []],
])('inescapable() of Python %s: %j', (specifier, expected) => {
  expect(inescapable('PyPI', specifier, [OLD, NEXT])).toEqual(expected);
});

test('inescapable() of Python takes enumerated versions, epochs and what is no version', () => {
  const listed = {
    id: 'PYSEC-1',
    affected: [
      { versions: ['1!2.0', '1!2.0rc1', 'broken'], ranges: [{ events: [{ introduced: 'x' }] }] },
    ],
  };
  expect(inescapable('PyPI', '==1!2.0', [listed])).toEqual(['PYSEC-1']);
  expect(inescapable('PyPI', '==1!2.1', [listed])).toEqual([]);
  expect(inescapable('PyPI', '*', [ALL])).toEqual(['MAL-all']);
});
