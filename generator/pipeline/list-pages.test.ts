import { expect, it } from 'vitest';
import { buildSummary } from '../../tests/site/build-summary.ts';
import { SITE } from '../../tests/site/build-view.ts';
import { ownerPage, tagPage } from './list-pages.ts';

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

const ONE = { builds: [buildSummary()], count: 1 };
const MANY = { builds: [buildSummary()], count: 1_234 };
const NONE = { builds: [], count: 0 };

it('tagPage() parts builds that bring a tag from those that require it, and leaves out empty lists', () => {
  const lists = { provide: ONE, bring: ONE, require: MANY };
  const page = tagPage(SITE, 'tags/express/', 'express', lists);
  expect(page).toMatch(
    /start a project[\s\S]*that add it[\s\S]*that have it[\s\S]*best 1 of 1,234/,
  );
  const bare = tagPage(SITE, 'tags/x/', 'x', { provide: NONE, bring: NONE, require: ONE });
  expect(bare).not.toMatch(/No build does|that add it/);
  const none = tagPage(SITE, 'tags/x/', 'x', { provide: NONE, bring: NONE, require: NONE });
  expect(none.match(/No build does\./g)).toHaveLength(1);
});
