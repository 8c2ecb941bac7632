import { expect, test } from 'vitest';
import { buildView } from '../../../tests/site/build-view.ts';
import { linkFrom } from '../link.ts';
import { labelLinks } from './label-link.ts';

const link = linkFrom('builds/alice/web/index.html');

test('labelLinks() leads to pages that exist: those of the latest version of a build that can be installed', () => {
  const view = buildView();
  const [latest, older] = view.records as [(typeof view.records)[0], (typeof view.records)[0]];
  const label = labelLinks(view, latest, link);
  expect(String(label('keyword', ' REST Api '))).toContain('href="../../../keywords/rest~20api/"');
  expect(String(label('tag', '@a/b'))).toContain('href="../../../tags/~40a~2Fb/"');
  expect(String(label('keyword', 'x'.repeat(300)))).not.toContain('href');
  expect(String(labelLinks(view, older, link)('tag', 'a'))).not.toContain('href');
  const versions = view.head.versions.map((one) => ({ ...one, yanked: 'Broken' }));
  const yanked = { ...view, head: { ...view.head, versions } };
  expect(String(labelLinks(yanked, latest, link)('tag', 'a'))).not.toContain('href');
});
