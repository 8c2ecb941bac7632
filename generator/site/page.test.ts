import { expect, it } from 'vitest';
import { SITE } from '../../tests/site/build-view.ts';
import { html } from './html.ts';
import { addressTags, renderPage } from './page.ts';

const PAGE: Parameters<typeof renderPage>[1] = {
  path: 'a/index.html',
  kind: 'build',
  title: '</title><script>',
  description: '"><script>',
  main: html`<main id="main"></main>`,
};

it('renderPage() escapes what publishers wrote, and allows no inline script', () => {
  const page = renderPage(SITE, PAGE);
  expect(page).toContain('<title>&lt;/title&gt;&lt;script&gt;</title>');
  expect(page).not.toContain('"><script>');
  expect(page).not.toContain('unsafe-inline');
  expect(page).toMatch(/Content-Security-Policy" content="default-src (?:'|&#39;)none/);
});

it('renderPage() names its address, or asks search engines to leave it out', () => {
  expect(renderPage(SITE, PAGE)).toContain('canonical" href="https://registry.example/base/a/">');
  const hidden = renderPage(SITE, { ...PAGE, isHidden: true });
  expect(hidden).toContain('<meta name="robots" content="noindex">');
  expect(hidden).not.toContain('canonical');
  expect(renderPage({ ...SITE, address: '' }, PAGE)).not.toContain('canonical');
});

it('renderPage() links from the root for a page that is served at any address', () => {
  const page = renderPage(SITE, { ...PAGE, path: '404.html', root: '/base/' });
  expect(page).toContain('href="/base/assets/style-0.css"');
  expect(page).not.toMatch(/(?:href|src)="\.\.?\//);
});

it('addressTags() has absolute addresses and escaped texts', () => {
  const tags = String(addressTags(SITE, { ...PAGE, title: 'A "b"' }));
  expect(tags).toContain('og:url" content="https://registry.example/base/a/"');
  expect(tags).toContain('og:image" content="https://registry.example/base/assets/preview-0.png"');
  expect(tags).toContain('content="A &quot;b&quot;"');
});
