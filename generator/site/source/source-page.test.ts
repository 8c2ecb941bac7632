import { expect, it } from 'vitest';
import { SITE } from '../../../tests/site/build-view.ts';
import { sourcePage } from './source-page.ts';

it('sourcePage() is a frame that states how to read files without JavaScript', () => {
  const page = sourcePage(SITE);
  expect(page).toContain('data-source-page');
  const [, noscript = ''] = /<noscript>([^]*?)<\/noscript>/.exec(page) ?? [];
  expect(noscript).toContain('stackyard view &lt;owner&gt;/&lt;name&gt;@&lt;version&gt;');
  expect(noscript).toContain('builds/&lt;owner&gt;/&lt;name&gt;/&lt;version&gt;.tgz');
  expect(page).not.toContain('index.md');
});
