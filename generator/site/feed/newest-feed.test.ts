import { expect, it } from 'vitest';
import { SITE } from '../../../tests/site/build-view.ts';
import { newestFeed } from './newest-feed.ts';

const ENTRY = {
  id: 'alice/web',
  version: '1.0.0',
  published_at: '2026-01-01T00:00:00.000Z',
  description: '<b>',
};
const FEED = {
  name: 'alice',
  title: 'Builds',
  path: 'owners/alice/feed.xml',
  page: 'owners/alice/index.html',
  entries: [ENTRY],
};

it('newestFeed() leads to the versions, with the address of the registry or relative', () => {
  const text = newestFeed(SITE, FEED);
  expect(text).toContain('"https://registry.example/base/source/?id=alice/web&amp;version=1.0.0"');
  expect(text).toContain('&lt;b&gt;');
  expect(newestFeed({ ...SITE, address: '' }, FEED)).toContain(
    '"../../source/?id=alice/web&amp;version=1.0.0"',
  );
});
