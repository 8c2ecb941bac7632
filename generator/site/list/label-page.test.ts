import { expect, it } from 'vitest';
import { buildSummary } from '../../../tests/site/build-summary.ts';
import { SITE } from '../../../tests/site/build-view.ts';
import { keywordPage, tagPage } from './label-page.ts';

const ONE = { builds: [buildSummary()], count: 1 };
const MANY = { builds: [buildSummary()], count: 1_234 };

it('tagPage() parts builds that provide a tag from those that require it', () => {
  const page = tagPage(SITE, 'tags/express/', 'express', { provide: ONE, require: MANY });
  expect(page).toMatch(/Provide it[\s\S]*Require it[\s\S]*best 1 of 1,234/);
  const none = { builds: [], count: 0 };
  const bare = tagPage(SITE, 'tags/x/', 'x', { provide: none, require: none });
  expect(bare.match(/No build does\./g)).toHaveLength(2);
});

it('keywordPage() shows hostile keywords as text, and cuts long ones', () => {
  const page = keywordPage(SITE, 'keywords/x/', `<b>\u202E${'x'.repeat(300)}`, ONE);
  expect(page).toContain('&lt;b&gt;[U+202E]');
  expect(page).not.toContain('\u202E');
  expect(page).not.toContain('x'.repeat(120));
});
