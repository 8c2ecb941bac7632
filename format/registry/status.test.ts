import { expect, test } from 'vitest';
import { isGone, statedIn, OPEN, statusOf, statusText, WHOLE_BUILD } from './status.ts';

const STATEMENT = { reason: 'Court order', date: '2026-04-01', reference: '12 O 34/26' };
const FILE = {
  yanked: { web: { '1.0.0': 'slow', '1.1.0': 'broken', '1.2.0': 'old' } },
  withdrawn: { web: { '1.1.0': 'has a key', '1.2.0': 'has a key' }, api: { '2.0.0': 'has a key' } },
  taken_down: { web: { '1.2.0': STATEMENT }, all: { [WHOLE_BUILD]: STATEMENT } },
};

test.each([
  ['web', '0.9.0', OPEN, 'open'],
  ['web', '1.0.0', { is: 'yanked', reason: 'slow' }, 'yanked'],
  ['web', '1.1.0', { is: 'withdrawn', reason: 'has a key' }, 'withdrawn'],
  ['web', '1.2.0', { is: 'taken down', ...STATEMENT }, 'taken down on 2026-04-01 (12 O 34/26)'],
  ['all', '7.0.0', { is: 'taken down', ...STATEMENT }, 'taken down on 2026-04-01 (12 O 34/26)'],
  ['constructor', 'constructor', OPEN, 'open'],
] as const)('statusOf() of %s %s: what is permanent comes first', (name, version, status, text) => {
  const found = statusOf(FILE, name, version);
  expect([found, statusText(found)]).toEqual([status, text]);
  expect(isGone(found)).toBe(['withdrawn', 'taken down'].includes(status.is));
});

test('statedIn() has each statement of a member', () => {
  expect(statedIn(FILE.withdrawn)).toEqual([
    ['web', '1.1.0', 'has a key'],
    ['web', '1.2.0', 'has a key'],
    ['api', '2.0.0', 'has a key'],
  ]);
  expect(statedIn(undefined)).toEqual([]);
});
