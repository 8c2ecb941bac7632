import { expect, test } from 'vitest';
import { SITE, buildView } from '../../../tests/site/build-view.ts';
import { buildFeed } from './build-feed.ts';

test('buildFeed() has the versions, newest first, with public links', () => {
  const view = buildView();
  const text = buildFeed(SITE, view);
  const links = [...text.matchAll(/<link href="([^"]*)"/g)].map(([, href]) => href);
  expect(links).toEqual([
    'https://registry.example/base/builds/alice/web/',
    'https://registry.example/base/source/?id=alice/web&amp;version=1.1.0',
    'https://registry.example/base/source/?id=alice/web&amp;version=1.0.0',
  ]);
  expect(buildFeed({ ...SITE, address: '' }, view)).toContain(
    '<link href="../../../source/?id=alice/web&amp;version=1.1.0"/>',
  );
});

test('buildFeed() names yanked versions', () => {
  const view = buildView();
  const [first, second] = view.head.versions;
  const head = { ...view.head, versions: [first!, { ...second!, yanked: 'Broken' }] };
  expect(buildFeed(SITE, { ...view, head })).toContain('<title>alice/web 1.0.0 (yanked)</title>');
});
