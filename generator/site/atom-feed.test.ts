import { expect, test, it } from 'vitest';
import { atomFeed, newestFeed, type Feed } from './atom-feed.ts';
import { SITE } from '../../tests/site/build-view.ts';

const ENTRY = {
  name: 'alice/web@1.0.0',
  title: 'alice/web 1.0.0',
  summary: '</summary><script>"\u202E',
  page: 'index.html',
  time: '2026-01-01T00:00:00.000Z',
  author: 'alice',
};
const FEED: Feed = {
  name: 'alice/web',
  title: 'A & B',
  path: 'builds/alice/web/feed.xml',
  page: 'builds/alice/web/index.html',
  entries: [],
};

test('atomFeed() escapes texts and shows what is invisible', () => {
  const text = atomFeed(SITE, { ...FEED, entries: [ENTRY] });
  expect(text).toContain('<title>A &amp; B</title>');
  expect(text).toContain('<summary>&lt;/summary&gt;&lt;script&gt;&quot;[U+202E]</summary>');
  expect(text).toContain('<id>urn:stackyard:alice/web@1.0.0</id>');
  expect(text).toContain('<updated>2026-01-01T00:00:00.000Z</updated>');
});

test('atomFeed() without entries has a date all the same', () => {
  expect(atomFeed(SITE, { ...FEED, name: '' })).toMatch(
    /<id>urn:stackyard:registry<\/id>[\s\S]*<updated>1970-01-01T00:00:00.000Z<\/updated>\n<\/feed>/,
  );
});

test('atomFeed() names the style sheet of the pages', () => {
  const style = `<?xml-stylesheet type="text/css" href="../../../${SITE.assets.style}"?>`;
  expect(atomFeed(SITE, FEED)).toContain(style);
});

const NEWEST_FEED_ENTRY = {
  id: 'alice/web',
  version: '1.0.0',
  published_at: '2026-01-01T00:00:00.000Z',
  description: '<b>',
};
const NEWEST_FEED_FEED = {
  name: 'alice',
  title: 'Builds',
  path: 'owners/alice/feed.xml',
  page: 'owners/alice/index.html',
  entries: [NEWEST_FEED_ENTRY],
};

it('newestFeed() leads to the versions from where it is', () => {
  const text = newestFeed(SITE, NEWEST_FEED_FEED);
  expect(text).toContain('"../../source/?id=alice/web&amp;version=1.0.0"');
  expect(text).toContain('&lt;b&gt;');
});
