import { expect, test } from 'vitest';
import type { Advisory } from '../../../format/advisory/advisory.ts';
import { SITE } from '../../../tests/site/build-view.ts';
import { advisoryFeed } from './advisory-feed.ts';

function advisory(id: string, modified: string, more: Partial<Advisory> = {}): Advisory {
  const range = { type: 'SEMVER' as const, events: [{ introduced: '0' as const }] };
  const affected = ['b/y', 'a/x'].map((build) => {
    return { database_specific: { build }, ranges: [range] };
  });
  return { schema_version: '1.9.0', id, modified, summary: 'Rows & more', affected, ...more };
}

const WITHDRAWN = { withdrawn: '2026-01-03T00:00:00Z' };
const ALL = [
  advisory('A-1', '2026-01-01T00:00:00Z'),
  advisory('A-2', '2026-01-03T00:00:00Z', WITHDRAWN),
  advisory('A-3', '2026-01-03T00:00:00.500Z'),
];

test('advisoryFeed() has what changed last first, and names builds and withdrawals', () => {
  const text = advisoryFeed({ ...SITE, name: 'Yard', address: 'https://r.example' }, ALL);
  const titles = [...text.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title);
  expect(titles).toEqual([
    'Advisories of Yard',
    'A-3: a/x, b/y',
    'A-2: a/x, b/y (withdrawn)',
    'A-1: a/x, b/y',
  ]);
  expect(text).toContain('<link href="https://r.example/advisories/A-3/"/>');
  expect(text).toContain('<summary>Rows &amp; more</summary>');
  expect(text).toContain('<id>urn:stackyard:Yard:advisories/A-3</id>');
});

test('advisoryFeed() has at most fifty entries, and relative links without an address', () => {
  const many = Array.from({ length: 60 }, (_, at) => advisory(`A-${at}`, '2026-01-01T00:00:00Z'));
  const text = advisoryFeed({ ...SITE, name: 'Yard', address: '' }, many);
  expect(text.match(/<entry>/g)).toHaveLength(50);
  expect(text).toContain('<?xml-stylesheet type="text/css" href="./assets/style-0.css"?>');
  expect(text).toContain('<link rel="self" href="./advisories.xml"/>');
});
