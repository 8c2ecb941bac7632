import { expect, test, it } from 'vitest';
import { buildView } from '../../../tests/site/build-view.ts';
import { linkFrom } from '../link.ts';
import { versionsPanel } from './versions-panel.ts';
import { buildList, resultList } from './build-list.ts';
import { buildSummary } from '../../../tests/site/build-summary.ts';

const link = linkFrom('builds/alice/web/index.html');

test('versionsPanel() links the changes of all versions but the first', () => {
  const text = String(versionsPanel(buildView(), link));
  expect(text.match(/against=/g)).toHaveLength(1);
  expect(text).toContain('version=1.1.0&amp;against=1.0.0"');
  expect(text.match(/mark-latest/g)).toHaveLength(1);
});

test('versionsPanel() escapes the reason of a yank, and has a bound', () => {
  const view = buildView();
  const [first] = view.head.versions;
  const versions = Array.from({ length: 300 }, (_, at) => {
    return {
      ...first!,
      version: `1.0.${at}`,
      status: { is: 'yanked' as const, reason: '<script>\u202E' },
    };
  });
  const text = String(versionsPanel({ ...view, head: { ...view.head, versions } }, link));
  expect(text).toContain('&lt;script&gt;[U+202E]');
  expect(text).not.toContain('<script');
  expect(text.match(/<tr>/g)!.length).toBeLessThanOrEqual(201);
  expect(text).toContain('And 100 more');
});

const buildRowLink = linkFrom('index.html');

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
  const list = String(buildList([full], buildRowLink));
  expect(list).toContain('href="./builds/alice/web/"');
  for (const text of ['&lt;b&gt;', '1 download<', '3 of 4 reports succeeded', 'foundation']) {
    expect(list).toContain(text);
  }
  expect(list).toMatch(/risk: caution[\s\S]*deprecated/);
  const bare = String(buildList([buildSummary()], buildRowLink));
  expect(bare).not.toMatch(/download|report|class="mark/);
});

it('buildList() is nothing for no builds; a search has an empty list to fill', () => {
  expect(buildList([], buildRowLink)).toBeUndefined();
  expect(String(resultList([], buildRowLink))).toContain('data-results');
});
