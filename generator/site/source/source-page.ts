/** The page that shows the files of every version: a frame, which the browser module fills. */
import { html } from '../html.ts';
import { renderPage } from '../shell/page.ts';
import type { Site } from '../site.ts';

/** Its path in the index; `format/index/source-address.ts` has its address. */
export const SOURCE_PAGE = 'source/index.html';

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
