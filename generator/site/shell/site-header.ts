/** The header of every page: the name of the registry, search, the main links, the switch of colours. */
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Link } from '../link.ts';
import type { Site } from '../site.ts';
import { searchForm } from './search-form.ts';

/** @param hasSearch whether it has the search form; a page has one at most */
export function siteHeader(site: Site, link: Link, hasSearch: boolean): Html {
  return html`<header class="site-header"><div class="bar">
<a class="brand" href="${link('index.html')}"><svg class="brand-sign" viewBox="0 0 32 32" width="22" height="22" aria-hidden="true"><path d="M5 6h22v5H5zm0 7.5h14v5H5zM5 21h22v5H5z"/></svg><span>${site.name}</span></a>
${hasSearch ? searchForm(link) : html`<span class="bar-space"></span>`}
<nav class="site-nav" aria-label="Main"><a href="${link('search/index.html')}">Browse</a><a href="${link('publish/index.html')}">Publish</a><a href="${link('verify/index.html')}">Verify</a></nav>
<button type="button" class="theme" data-theme-switch hidden aria-label="Theme: system"><span class="theme-icon" aria-hidden="true"></span></button>
</div></header>`;
}
