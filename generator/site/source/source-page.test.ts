import { expect, it } from 'vitest';
import { SITE } from '../../../tests/site/build-view.ts';
import { sourcePage } from './source-page.ts';

it('sourcePage() is a frame that states how to read files without JavaScript', () => {
  const page = sourcePage(SITE);
  expect(page).toContain('data-source-page');
  const [, noscript = ''] = /<noscript>([^]*?)<\/noscript>/.exec(page) ?? [];
  expect(noscript).toContain('stackyard info &lt;owner&gt;/&lt;name&gt;@&lt;version&gt; --files');
  expect(noscript).toContain('builds/&lt;owner&gt;/&lt;name&gt;/&lt;version&gt;.tgz');
  expect(page).not.toContain('index.md');
});
