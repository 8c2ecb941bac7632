import { expect, it } from 'vitest';
import { FINDING_TEXTS } from '../../../format/finding/catalogue.ts';
import { SITE } from '../../../tests/site/build-view.ts';
import { findingsPages } from './findings-page.ts';

it('findingsPages() have a place for every code, which no other code has', () => {
  const { 'findings/index.html': page = '', 'findings/index.md': twin = '' } = findingsPages(SITE);
  for (const code of Object.keys(FINDING_TEXTS)) {
    expect(page.split(`<li id="${code}">`)).toHaveLength(2);
    expect(twin).toContain(`### ${code}\n`);
  }
});
