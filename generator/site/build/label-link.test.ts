import { expect, test } from 'vitest';
import { buildView } from '../../../tests/site/build-view.ts';
import { linkFrom } from '../link.ts';
import { labelLinks } from './label-link.ts';

const link = linkFrom('builds/alice/web/index.html');

test('labelLinks() leads to pages of tags and searches for keywords, while the build can be installed', () => {
  const view = buildView();
  const label = labelLinks(view, link);
  expect(String(label('keyword', ' REST Api '))).toContain(
    'href="../../../search/?keyword=rest+api"',
  );
  expect(String(label('tag', '@a/b'))).toContain('href="../../../tags/~40a~2Fb/"');
  expect(String(label('tag', 'x'.repeat(300)))).not.toContain('href');
  const versions = view.head.versions.map((one) => ({ ...one, yanked: 'Broken' }));
  const yanked = { ...view, head: { ...view.head, versions } };
  expect(String(labelLinks(yanked, link)('tag', 'a'))).not.toContain('href');
});
