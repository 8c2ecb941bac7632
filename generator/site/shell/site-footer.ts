/** The footer of every page: what the registry offers to people and to programs. */
import { CATALOG_PATH, REGISTRY_PATH } from '../../../format/index/layout.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Link } from '../link.ts';
import type { Site } from '../site.ts';

/** @param twin path of the page's twin in Markdown */
export function siteFooter(site: Site, link: Link, twin: string | undefined): Html {
  return html`<footer class="site-footer"><div class="bar footer-columns">
<nav aria-label="Registry"><h2>Registry</h2><ul>
<li><a href="${link('search/index.html')}">All builds</a></li>
<li><a href="${link('tags/index.html')}">Stack tags</a></li>
<li><a href="${link('advisories/index.html')}">Advisories</a></li>
${site.repository === undefined ? '' : html`<li><a href="${site.repository}">Repository</a></li>`}</ul></nav>
<nav aria-label="Guides"><h2>Guides</h2><ul>
<li><a href="${link('publish/index.html')}">Publish a build</a></li>
<li><a href="${link('run/index.html')}">Run your own registry</a></li>
<li><a href="${link('verify/index.html')}">Verify this registry</a></li>
<li><a href="${link('findings/index.html')}">Findings</a></li>
</ul></nav>
<nav aria-label="Data"><h2>Data</h2><ul>
<li><a href="${link(REGISTRY_PATH)}">registry.json</a></li>
<li><a href="${link(CATALOG_PATH)}">catalog.json</a></li>
<li><a href="${link('llms.txt')}">llms.txt</a></li>
<li><a href="${link('feed.xml')}">Feed</a></li>
${twin === undefined ? '' : html`<li><a href="${link(twin)}">This page as Markdown</a></li>`}</ul></nav>
</div></footer>`;
}
