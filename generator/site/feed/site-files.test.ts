import { expect, test } from 'vitest';
import { SITE } from '../../../tests/site/build-view.ts';
import { llmsText, openSearch, robotsText, sitemap, sitemapIndex } from './site-files.ts';

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
