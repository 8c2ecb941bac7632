import { expect, test } from 'vitest';
import { Advisory, buildsOf, isAdvisoryId, isLater, tryParseTime } from './advisory.ts';

const ADVISORY = {
  schema_version: '1.9.0',
  id: 'x_STACKYARD-2026-0001',
  modified: '2026-02-01T09:00:00Z',
  summary: 'Rows of other users are returned',
  affected: [
    {
      database_specific: { build: 'bob/store' },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.1.0' }] }],
    },
  ],
};
const [AFFECTED] = ADVISORY.affected;

function withEvents(...events: object[]): object {
  return { ...ADVISORY, affected: [{ ...AFFECTED, ranges: [{ type: 'SEMVER', events }] }] };
}

test('Advisory takes what the OSV schema has', () => {
  const whole = {
    ...ADVISORY,
    published: '2026-01-31T09:00:00.500Z',
    withdrawn: '2026-02-01T09:00:00Z',
    aliases: ['CVE-2026-12345'],
    related: ['GHSA-aaaa-bbbb-cccc'],
    details: '## Impact\n\nRows.\n',
    severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' }],
    references: [{ type: 'FIX', url: 'https://example.org/fix' }],
    credits: [{ name: 'Alice', type: 'FINDER' }],
  };
  expect(Advisory.parse(whole)).toEqual(whole);
});

test.each([
  [
    'a package of an ecosystem',
    { affected: [{ ...AFFECTED, package: { ecosystem: 'npm', name: 'a/b' } }] },
  ],
  ['no build id', { affected: [{ ...AFFECTED, database_specific: { build: 'b' } }] }],
  ['no build', { affected: [] }],
  ['no ranges', { affected: [{ database_specific: AFFECTED!.database_specific }] }],
  ['a small id', { id: 'stackyard-1' }],
  ['an id that is a path', { id: '../A-1' }],
  ['an id of no database', { id: 'STACKYARD-2026-0001' }],
  ['a local time', { modified: '2026-02-01T09:00:00+01:00' }],
  ['no time', { modified: '2026-13-41T09:00:00Z' }],
  ['a time of publication after the change', { published: '2026-02-02T09:00:00Z' }],
  ['itself as an alias', { aliases: ['x_STACKYARD-2026-0001'] }],
  ['itself as related', { related: ['x_STACKYARD-2026-0001'] }],
  ['a script as reference', { references: [{ type: 'WEB', url: 'javascript:alert(1)' }] }],
  ['a broken score', { severity: [{ type: 'CVSS_V3', score: 'high' }] }],
  ['an unknown field', { database_specific: {} }],
])('Advisory refuses %s', (_, changes) => {
  expect(Advisory.safeParse({ ...ADVISORY, ...changes }).success).toBe(false);
});

test.each([
  [[{ fixed: '1.0.0' }]],
  [[{ introduced: '1.0.0' }, { introduced: '2.0.0' }]],
  [[{ introduced: '2.0.0' }, { fixed: '1.0.0' }]],
  [[{ introduced: '1.0.0' }, { fixed: '1.0.0' }]],
  [[{ introduced: '1.0.0' }, { fixed: '1.0.0+b2' }]],
  [[{ introduced: '0' }, { fixed: '1.0.0' }, { introduced: '0' }]],
  [[{ introduced: '0' }, { fixed: '1.0.0' }, { introduced: '2.0.0' }, { last_affected: '3.0.0' }]],
  [[{ introduced: '0', fixed: '1.0.0' }]],
  [[{ introduced: '1' }]],
  [[{ introduced: '0' }, { fixed: '*' }]],
  [[]],
])('Advisory refuses the events %j', (events) => {
  expect(Advisory.safeParse(withEvents(...events)).success).toBe(false);
});

test('Advisory takes several spans, an open one, and a single version', () => {
  const spans = [
    { introduced: '0' },
    { fixed: '1.0.0' },
    { introduced: '1.0.0' },
    { fixed: '2.0.0' },
  ];
  // The second span begins where the first one ends: nothing is between them.
  expect(Advisory.safeParse(withEvents(...spans)).success).toBe(false);
  expect(Advisory.safeParse(withEvents({ introduced: '1.0.0' })).success).toBe(true);
  const single = withEvents({ introduced: '1.0.0' }, { last_affected: '1.0.0' });
  expect(Advisory.safeParse(single).success).toBe(true);
});

test('buildsOf() names each build once, sorted', () => {
  const { affected } = Advisory.parse(ADVISORY);
  const other = { ...affected[0]!, database_specific: { build: 'a/x' } };
  expect(buildsOf({ affected: [...affected, other, ...affected] })).toEqual(['a/x', 'bob/store']);
});

test('isAdvisoryId() wants capitals, digits and dashes', () => {
  expect(['A-1', 'x_STACKYARD-2026-0001', 'MY2-X-Y', 'x_A-1'].every(isAdvisoryId)).toBe(true);
  expect(
    [
      'all',
      'A',
      'A-',
      '-A',
      'a-1',
      'A--1',
      'A-1.json',
      'X_A-1',
      'x_',
      'x_a-1',
      'x_x_A-1',
      `A-${'1'.repeat(63)}`,
    ].some(isAdvisoryId),
  ).toBe(false);
});

test('tryParseTime() reads UTC with at most three decimals', () => {
  expect(tryParseTime('1970-01-01T00:00:01Z')).toBe(1000);
  expect(tryParseTime('1970-01-01T00:00:01.25Z')).toBe(1250);
  for (const text of ['1970-01-01', '1970-01-01T00:00:01+01:00', '1970-13-01T00:00:00Z', '']) {
    expect(tryParseTime(text)).toBeUndefined();
  }
});

test('isLater() compares moments, not texts', () => {
  expect(isLater('2026-01-01T00:00:00.5Z', '2026-01-01T00:00:00Z')).toBe(true);
  expect(isLater('2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z')).toBe(false);
});
