import { expect, it } from 'vitest';
import { SITE } from '../../../tests/site/build-view.ts';
import { sourcePage, notFoundPage, fixedPages } from './fixed-pages.ts';

it('sourcePage() is a frame that states how to read files without JavaScript', () => {
  const page = sourcePage(SITE);
  expect(page).toContain('data-source-page');
  const [, noscript = ''] = /<noscript>([^]*?)<\/noscript>/.exec(page) ?? [];
  expect(noscript).toContain('stackyard info &lt;owner&gt;/&lt;name&gt;@&lt;version&gt; --files');
  expect(noscript).toContain('builds/&lt;owner&gt;/&lt;name&gt;/&lt;version&gt;.tgz');
  expect(page).not.toContain('index.md');
});

it.each([
  ['https://registry.example/base', '/base/'],
  ['https://registry.example', '/'],
  ['', '/'],
])('notFoundPage() of a registry at "%s" has links from %s', (address, root) => {
  const page = notFoundPage({ ...SITE, address });
  expect(page).toContain(`href="${root}search/"`);
  expect(page).toContain('noindex');
  expect(page).not.toMatch(/(?:href|src|action)="\.\.?\//);
});

it('fixedPages() have guides with contents, and twins without HTML', () => {
  const pages = fixedPages(SITE);
  for (const section of ['publish', 'verify']) {
    const page = pages[`${section}/index.html`]!;
    const anchors = [...page.matchAll(/<li><a(?: class="deeper")? href="#([^"]+)">/g)];
    expect(anchors.length).toBeGreaterThan(2);
    for (const [, id] of anchors) expect(page).toContain(`id="${id}"`);
    expect(pages[`${section}/index.md`]).not.toMatch(/<(?:p|div|span|a) /);
  }
});

it('fixedPages() name the address of the registry, or leave it to the browser', () => {
  const known = fixedPages(SITE)['verify/index.html']!;
  expect(known).toContain('https://registry.example/base/log/checkpoint');
  const unknown = fixedPages({ ...SITE, address: '' })['verify/index.html']!;
  expect(unknown).toContain('data-registry');
  expect(unknown).not.toContain('registry.invalid');
});

it('fixedPages() name the repository and the form "Appeal", where all pages lead', () => {
  const repository = 'https://code.example/registry';
  const page = fixedPages({ ...SITE, repository, appeals: `${repository}/new?template=a.yml` })[
    'publish/index.html'
  ]!;
  expect(page).toMatch(/id="4-publish"[^]*href="https:\/\/code\.example\/registry"[^]*id="appeal"/);
  expect(page).toMatch(
    /href="https:\/\/code\.example\/registry\/new\?template=a\.yml"[^>]*>Appeal</,
  );
});
