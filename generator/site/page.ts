/** The frame of every page, and the places that the browser module uses. Of the settings it shows the address alone. */
import { html, type Html } from './html.ts';
import { type Link, linkFrom, rootFrom } from './link.ts';
import { PAGE_POLICY } from './headers.ts';
import type { PageSite } from './site.ts';
import { CATALOG_PATH, REGISTRY_PATH } from '../../format/index/layout.ts';
import { REGISTRY_STYLE } from '../../format/index/site-path.ts';

interface Page {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** What the browser module does here. */
  readonly kind: string;
  /** The twin in Markdown, if there is one. */
  readonly twin?: string | undefined;
  /** Whether search engines shall leave the page out. */
  readonly isHidden?: boolean;
  /** A feed of this page, if there is one. */
  readonly feed?: { readonly path: string; readonly title: string } | undefined;
  /** More elements for the head. */
  readonly head?: Html | undefined;
  /** Whether the header has no search form, because the page has one. */
  readonly hasSearch?: boolean;
  /** A place outside of the folders of the site, which is served for any address: links are absolute. */
  readonly root?: string;
  readonly main: Html;
}

/** What the frame shows; without an address, no links that need one. */
type Frame = Pick<PageSite, 'assets'> & Partial<Pick<PageSite, 'address'>>;

/** The page as HTML. */
export function renderPage(site: Frame, page: Page): string {
  const { path, title, description, main } = page;
  const root = page.root ?? rootFrom(path);
  const link: Link =
    page.root === undefined ? linkFrom(path) : (to) => root + linkFrom(path)(to).slice(2);
  return html`<!doctype html>
<html lang="en" data-root="${root}" data-page="${page.kind}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY}">
<title>${title}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<script src="${link(site.assets.early)}"></script>
<link rel="preload" href="${link(site.assets.font)}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${link(site.assets.style)}">
<link rel="stylesheet" href="${link(REGISTRY_STYLE)}">
<link rel="icon" href="${link(site.assets.icon)}" type="image/svg+xml">
<script type="module" src="${link(site.assets.module)}"></script>
${headLinks(page, link)}${addressTags(site, page)}${page.head}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${siteHeader(link, page.hasSearch !== true)}
${main}
${siteFooter(link, page.twin)}
<p class="visually-hidden" role="status" id="announce"></p>
</body>
</html>
`.toString();
}

function headLinks({ twin, feed, isHidden }: Page, link: Link): Html {
  return html`${twin === undefined ? '' : html`<link rel="alternate" type="text/markdown" href="${link(twin)}" title="Markdown">\n`}${feed === undefined ? '' : html`<link rel="alternate" type="application/atom+xml" href="${link(feed.path)}" title="${feed.title}">\n`}<link rel="describedby" type="text/plain" href="${link('llms.txt')}">
${isHidden === true ? html`<meta name="robots" content="noindex">\n` : ''}`;
}

/** @param hasSearch whether it has the search form; a page has one at most */
function siteHeader(link: Link, hasSearch: boolean): Html {
  return html`<header class="site-header"><div class="bar">
<a class="brand" href="${link('index.html')}"><svg class="brand-sign" viewBox="0 0 32 32" width="22" height="22" aria-hidden="true"><path d="M5 6h22v5H5zm0 7.5h14v5H5zM5 21h22v5H5z"/></svg><span class="brand-name"><span class="visually-hidden"> Home</span></span></a>
${hasSearch ? searchForm(link) : html`<span class="bar-space"></span>`}
<nav class="site-nav" aria-label="Main"><a href="${link('search/index.html')}">Browse</a><a href="${link('publish/index.html')}">Publish</a><a href="${link('verify/index.html')}">Verify</a></nav>
</div></header>`;
}

/** @param twin path of the page's twin in Markdown */
function siteFooter(link: Link, twin: string | undefined): Html {
  return html`<footer class="site-footer"><div class="bar footer-columns">
<nav aria-label="Registry"><h2>Registry</h2><ul>
<li><a href="${link('search/index.html')}">All builds</a></li>
<li><a href="${link('tags/index.html')}">Stack tags</a></li>
<li><a href="${link('advisories/index.html')}">Advisories</a></li>
<li><a href="${link('publish/index.html')}#4-publish">Repository</a></li>
</ul></nav>
<nav aria-label="Guides"><h2>Guides</h2><ul>
<li><a href="${link('publish/index.html')}">Publish a build</a></li>
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

/** What search engines and previews read; nothing without an address. */
export function addressTags({ assets, address = '' }: Frame, page: Page): Html | undefined {
  if (address === '') return undefined;
  const url = `${address}/${linkFrom('')(page.path).slice(2)}`;
  return html`${page.isHidden === true ? '' : html`<link rel="canonical" href="${url}">\n`}<meta property="og:type" content="website">
<meta property="og:title" content="${page.title}">
<meta property="og:description" content="${page.description}">
<meta property="og:url" content="${url}">
<meta name="twitter:card" content="summary_large_image">
<meta property="og:image" content="${address}/${assets.preview}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="">
`;
}

/** @param filters further controls of the form */
export function searchForm(link: Link, filters?: Html): Html {
  const isLarge = filters !== undefined;
  return html`<form role="search" class="search${isLarge ? ' search-large' : ''}" data-search action="${link('search/index.html')}" method="get">
<div class="search-line"><label class="visually-hidden" for="q">Search builds</label><input id="q" type="search" name="q" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="Search builds" data-search-input><kbd class="search-key" aria-hidden="true">/</kbd><button type="submit">Search</button></div>
${filters}</form>`;
}
