import { expect, test, it } from 'vitest';
import type { Advisory } from '../../format/advisory/advisory.ts';
import { SITE } from '../../tests/site/build-view.ts';
import {
  advisoryFeed,
  llmsText,
  openSearch,
  robotsText,
  sitemap,
  sitemapIndex,
  searchPage,
} from './common-pages.ts';
import { buildSummary } from '../../tests/site/build-summary.ts';

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
  const text = advisoryFeed({ ...SITE, name: 'Yard' }, ALL);
  const titles = [...text.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title);
  expect(titles).toEqual([
    'Advisories of Yard',
    'A-3: a/x, b/y',
    'A-2: a/x, b/y (withdrawn)',
    'A-1: a/x, b/y',
  ]);
  expect(text).toContain('<link href="./advisories/A-3/"/>');
  expect(text).toContain('<summary>Rows &amp; more</summary>');
  expect(text).toContain('<id>urn:stackyard:advisories/A-3</id>');
});

test('advisoryFeed() has at most fifty entries, and relative links', () => {
  const many = Array.from({ length: 60 }, (_, at) => advisory(`A-${at}`, '2026-01-01T00:00:00Z'));
  const text = advisoryFeed(SITE, many);
  expect(text.match(/<entry>/g)).toHaveLength(50);
  expect(text).toContain('<?xml-stylesheet type="text/css" href="./assets/style-0.css"?>');
  expect(text).toContain('<link rel="self" href="./advisories.xml"/>');
});

test('llmsText() begins with the command that adds a build', () => {
  const text = llmsText(SITE, { builds: 1, versions: 2_000 });
  expect(text).toContain('It has 1 build in 2,000 versions.');
  expect(text).toContain(
    '`npx --yes https://registry.example/base/client/stackyard.tgz add <owner>/<name>`',
  );
});

test('robotsText() names the sitemap where there is an address', () => {
  expect(robotsText(SITE)).toContain('Sitemap: https://registry.example/base/sitemap.xml');
  expect(robotsText({ ...SITE, address: '' })).not.toContain('Sitemap');
});

test('openSearch() escapes the name and keeps to its length', () => {
  const text = openSearch({ ...SITE, name: '<A very long name of a registry>' });
  expect(text).toContain('<ShortName>&lt;A very long nam</ShortName>');
  expect(text).toContain('template="https://registry.example/base/search/?q={searchTerms}"');
});

test('sitemap() lists each owner once and every build with its day', () => {
  const builds = ['alice/a', 'alice/b'].map((id) => ({
    id,
    updated_at: '2026-01-02T03:04:05.000Z',
  }));
  const places = [...sitemap(SITE, builds).matchAll(/<loc>([^<]*)<\/loc>(?:<lastmod>([^<]*))?/g)];
  expect(places.map(([, place, day]) => [place?.slice(SITE.address.length), day])).toEqual([
    ['/owners/alice/', undefined],
    ['/builds/alice/a/', '2026-01-02'],
    ['/builds/alice/b/', '2026-01-02'],
  ]);
  expect(sitemapIndex(SITE, ['0a'])).toContain(
    '<loc>https://registry.example/base/sitemap/0a.xml</loc>',
  );
});

it('searchPage() works without JavaScript: a form, the best builds, and labels to go on', () => {
  const page = searchPage(SITE, {
    best: [buildSummary()],
    tags: [{ name: '"><script>', count: 2 }],
    keywords: [{ name: 'rest api', count: 1 }],
  });
  expect(page).toContain('action="../search/" method="get"');
  expect(page).toContain('name="q"');
  expect(page).toContain('alice/web');
  expect(page).toContain('href="../search/?keyword=rest+api"');
  expect(page).toContain('<option value="&quot;&gt;&lt;script&gt;">');
  expect(page.match(/role="search"/g)).toHaveLength(1);
});

it('searchPage() of an empty registry states that', () => {
  const page = searchPage(SITE, { best: [], tags: [], keywords: [] });
  expect(page).toContain('Nothing is published yet.');
});
