import { expect, it } from 'vitest';
import { buildSummary } from '../../../tests/site/build-summary.ts';
import { SITE } from '../../../tests/site/build-view.ts';
import { ownerPage } from './owner-page.ts';

const INFO = {
  owner: 'alice',
  builds: ['alice/old', 'alice/web'],
  reputation: 48,
  reputation_parts: { start: 50, flags: -2 },
};

it('ownerPage() explains the reputation, and leads to what it does not list', () => {
  const page = ownerPage(SITE, INFO, [buildSummary()]);
  expect(page).toContain('2 builds, reputation 48 of 100.');
  expect(page).toMatch(/where every owner starts<\/td><td class="number">\+50/);
  expect(page).toMatch(/upheld flag<\/td><td class="number">-2/);
  expect(page).toContain('1 more build is in');
});

it('ownerPage() states when no build can be installed', () => {
  expect(ownerPage(SITE, INFO, [])).toContain('There is no build to install.');
});
