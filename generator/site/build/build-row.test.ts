import { expect, it } from 'vitest';
import { buildSummary } from '../../../tests/site/build-summary.ts';
import { linkFrom } from '../link.ts';
import { buildList, resultList } from './build-row.ts';

const link = linkFrom('index.html');

it('buildList() shows facts that are there, and marks as words', () => {
  const reports = { success: 3, failure: 1, success_rate: 0.75 };
  const full = buildSummary({
    description: '<b>',
    downloads: 1,
    agent_reports: reports,
    kind: 'foundation',
    risk: 'caution',
    deprecated: true,
  });
  const list = String(buildList([full], link));
  expect(list).toContain('href="./builds/alice/web/"');
  for (const text of ['&lt;b&gt;', '1 download<', '3 of 4 reports succeeded', 'foundation']) {
    expect(list).toContain(text);
  }
  expect(list).toMatch(/risk: caution[\s\S]*deprecated/);
  const bare = String(buildList([buildSummary()], link));
  expect(bare).not.toMatch(/download|report|class="mark/);
});

it('buildList() is nothing for no builds; a search has an empty list to fill', () => {
  expect(buildList([], link)).toBeUndefined();
  expect(String(resultList([], link))).toContain('data-results');
});
