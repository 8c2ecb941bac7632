/** `404.html`, which hosts send for any address: its links begin at the root of the site. */
import { html } from '../html.ts';
import { linkFrom } from '../link.ts';
import { renderPage } from '../shell/page.ts';
import { searchForm } from '../shell/search-form.ts';
import { trusted } from '../html.ts';
import type { Site } from '../site.ts';

export function notFoundPage(site: Site): string {
  const root = site.address === '' ? '/' : new URL(`${site.address}/`).pathname;
  const relative = linkFrom('404.html');
  const link = (to: string): string => root + relative(to).slice(2);
  const main = html`<main id="main">
<h1>There is no such page</h1>
<p class="lead">The address may have a mistake, or the version does not exist or was withdrawn. The page of a build lists its versions.</p>
${searchForm(link, trusted(''))}
<p class="block-gap"><a href="${link('index.html')}">Home</a> · <a href="${link('search/index.html')}">All builds</a> · <a href="${link('tags/index.html')}">Stack tags</a></p>
</main>`;
  return renderPage(site, {
    path: '404.html',
    kind: '404',
    title: 'Not found',
    description: 'There is no such page.',
    isHidden: true,
    hasSearch: true,
    root,
    main,
  });
}
