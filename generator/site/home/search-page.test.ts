import { expect, it } from 'vitest';
import { buildSummary } from '../../../tests/site/build-summary.ts';
import { SITE } from '../../../tests/site/build-view.ts';
import { searchPage } from './search-page.ts';

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
