import { expect, test } from 'vitest';
import { buildView } from '../../../tests/site/build-view.ts';
import { linkFrom } from '../link.ts';
import { versionsPanel } from './versions.ts';

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
    return { ...first!, version: `1.0.${at}`, yanked: '<script>\u202E' };
  });
  const text = String(versionsPanel({ ...view, head: { ...view.head, versions } }, link));
  expect(text).toContain('&lt;script&gt;[U+202E]');
  expect(text).not.toContain('<script');
  expect(text.match(/<tr>/g)!.length).toBeLessThanOrEqual(201);
  expect(text).toContain('And 100 more');
});
