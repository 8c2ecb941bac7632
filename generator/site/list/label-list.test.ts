import { expect, it } from 'vitest';
import { SITE } from '../../../tests/site/build-view.ts';
import { linkFrom } from '../link.ts';
import { labelLinks, labelsPage } from './label-list.ts';

it('labelLinks() leaves out labels that have no page', () => {
  const labels = [
    { name: 'a b', count: 2 },
    { name: 'x'.repeat(300), count: 1 },
  ];
  const links = String(labelLinks('keyword', labels, linkFrom('index.html')));
  expect(links.match(/<a /g)).toHaveLength(1);
  expect(links).toContain('href="./keywords/a~20b/"');
});

it('labelsPage() counts in words', () => {
  expect(labelsPage(SITE, 'tag', [{ name: 'web', count: 1 }])).toContain('1 tag, by number');
  expect(labelsPage(SITE, 'keyword', [])).toContain('0 keywords');
});
