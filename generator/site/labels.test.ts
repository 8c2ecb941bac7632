import { expect, it } from 'vitest';
import { SITE } from '../../tests/site/build-view.ts';
import { linkFrom } from './link.ts';
import { labelList } from './labels.ts';
import { tagsPage } from './tags-page.ts';

const link = linkFrom('index.html');

it('labelList() leads from a tag to its page, and leaves out tags that have none', () => {
  const labels = [
    { name: 'a b', count: 2 },
    { name: 'x'.repeat(300), count: 1 },
  ];
  const links = String(labelList('tag', labels, link));
  expect(links.match(/<a /g)).toHaveLength(1);
  expect(links).toContain('href="./tags/a~20b/"');
});

it('labelList() leads from a keyword to a search, whatever it is', () => {
  const links = String(labelList('keyword', [{ name: '"><b>&\u202E', count: 2 }], link));
  expect(links).toContain('href="./search/?keyword=%22%3E%3Cb%3E%26%E2%80%AE"');
  expect(links).not.toMatch(/<b>|\u202E/);
});

it('tagsPage() counts in words', () => {
  expect(tagsPage(SITE, [{ name: 'web', count: 1 }])).toContain('1 tag, by number');
});
