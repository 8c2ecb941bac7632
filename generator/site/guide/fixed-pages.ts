/** The pages that depend on the software and the configuration alone. */
import { findingsPages } from './findings-page.ts';
import type { Site } from '../site.ts';
import { html, trusted } from '../html.ts';
import { linkFrom } from '../link.ts';
import { renderPage, searchForm } from '../page.ts';
import { guidePages, publishGuide, verifyGuide } from './guides.ts';

/** Path to content. */
export function fixedPages(site: Site): Readonly<Record<string, string>> {
  const pages: Record<string, string> = {
    '404.html': notFoundPage(site),
    [SOURCE_PAGE]: sourcePage(site),
    ...findingsPages(site),
  };
  for (const guide of [publishGuide(site), verifyGuide(site)]) {
    Object.assign(pages, guidePages(site, guide));
  }
  return pages;
}

/** Its path in the index; `format/index/site-path.ts` has its address. */
const SOURCE_PAGE = 'source/index.html';

export function sourcePage(site: Site): string {
  const main = html`<main id="main" class="source-page" data-source-page>
<h1>Source</h1>
<p class="lead loading">Fetching the files, and checking their digest …</p>
<noscript><div class="note"><p><strong>This page unpacks a tarball in the browser, which needs JavaScript.</strong></p>
<p>Without it, <code>stackyard info &lt;owner&gt;/&lt;name&gt;@&lt;version&gt; --files</code> prints the list of files, and with the path of a file instead of <code>--files</code>, that file. The tarball itself is at <code>builds/&lt;owner&gt;/&lt;name&gt;/&lt;version&gt;.tgz</code> below the address of this registry; its SHA-256 is in <code>heads/&lt;owner&gt;/&lt;name&gt;.json</code>.</p></div></noscript>
</main>`;
  return renderPage(site, {
    path: SOURCE_PAGE,
    kind: 'source',
    title: 'Source',
    description: `The files of every version of every build of ${site.name}, and what changed between versions.`,
    main,
  });
}

/** `404.html`, which hosts send for any address: its links begin at the root of the site. */
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
