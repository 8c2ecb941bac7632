import { expect, it } from 'vitest';
import { buildSummary } from '../../../tests/site/build-summary.ts';
import { SITE } from '../../../tests/site/build-view.ts';
import { homePage } from './home-page.ts';

const EMPTY = {
  builds: 0,
  versions: 0,
  newest: [],
  proven: [],
  foundations: [],
  best: [],
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

it('homePage() of a registry without foundations has its best builds in their place', () => {
  const page = homePage(SITE, { ...EMPTY, best: [buildSummary()] });
  expect(page).toMatch(/<h2 id="best">Best<\/h2>[\s\S]*alice\/web/);
  expect(page).toContain('add alice/web');
});

it('homePage() explains where proof comes from until there is some', () => {
  expect(homePage(SITE, EMPTY)).toContain('stackyard report');
  const proven = homePage(SITE, { ...EMPTY, proven: [buildSummary()] });
  expect(proven).toContain('Proven by agents');
  expect(proven).not.toContain('stackyard report');
});
