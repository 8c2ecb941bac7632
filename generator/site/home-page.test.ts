import { expect, it } from 'vitest';
import type { BuildSummary } from '../../format/index/record.ts';
import { buildSummary } from '../../tests/site/build-summary.ts';
import { SITE } from '../../tests/site/build-view.ts';
import { homeLists, homePage } from './home-page.ts';

const EMPTY = {
  builds: 0,
  versions: 0,
  newest: [],
  proven: [],
  foundations: [],
  provided: [],
  tags: [],
};

it('homePage() of an empty registry leads to the guide for publishers', () => {
  const page = homePage(SITE, EMPTY);
  expect(page).toContain('Publish the first build.');
  expect(page).toContain('&lt;owner&gt;/&lt;name&gt;');
});

it('homePage() has one command, with the best foundation', () => {
  const start = buildSummary({ id: 'bob/start', kind: 'foundation' });
  const page = homePage(SITE, { ...EMPTY, foundations: [start], newest: [buildSummary()] });
  expect(page).toContain('new bob/start my-app');
  expect(homePage(SITE, { ...EMPTY, newest: [buildSummary()] })).toContain('add alice/web');
});

it('homePage() of a registry without foundations begins with a module', () => {
  const provided = [{ tag: 'web', builds: [buildSummary()] }];
  const page = homePage(SITE, { ...EMPTY, builds: 1, provided });
  expect(page).toMatch(/Add to a project<\/h2><h3 class="group"><a href="\.\/tags\/web\/">web</);
  expect(page).toContain('add alice/web');
  expect(page).not.toContain('Start a project</h2>');
});

it('homeLists() lists no build twice, and no list without builds', () => {
  const [a, b, c, d] = ['a/a', 'b/b', 'c/c', 'd/d'].map((id) => buildSummary({ id })) as [
    BuildSummary,
    BuildSummary,
    BuildSummary,
    BuildSummary,
  ];
  const provided = [
    { tag: 'auth', builds: [b, c] },
    { tag: 'jwt', builds: [c, b] },
    { tag: 'db', builds: [c, d] },
  ];
  const lists = homeLists({ foundations: [a], provided, proven: [b], newest: [d, c, b, a] });
  expect(lists).toEqual({
    proven: [b],
    foundations: [a],
    provided: [
      { tag: 'auth', builds: [c] },
      { tag: 'db', builds: [d] },
    ],
    newest: [],
  });
});
