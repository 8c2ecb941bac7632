/** The frame of every page: head, skip link, header, footer, and the places that the browser module uses. */
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { PAGE_POLICY } from '../content-policy.ts';
import { linkFrom, rootFrom } from '../link.ts';
import type { Link } from '../link.ts';
import { publicUrl } from '../site.ts';
import type { Site } from '../site.ts';
import { siteFooter } from './site-footer.ts';
import { siteHeader } from './site-header.ts';
import { socialTags } from './social-tags.ts';
import type { Previewed } from './social-tags.ts';

/** `title` is without the name of the registry; `canonical` is the page that search engines shall show instead. */
export interface Page extends Previewed {
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

/** The page as HTML. */
export function renderPage(site: Site, page: Page): string {
  const { path, title, description, main } = page;
  const root = page.root ?? rootFrom(path);
  const link: Link =
    page.root === undefined ? linkFrom(path) : (to) => root + linkFrom(path)(to).slice(2);
  const isHome = page.kind === 'home';
  return html`<!doctype html>
<html lang="en" data-root="${root}" data-page="${page.kind}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY}">
<title>${isHome ? site.name : `${title} · ${site.name}`}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<script src="${link(site.assets.theme)}"></script>
<link rel="preload" href="${link(site.assets.font)}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${link(site.assets.style)}">
<link rel="icon" href="${link(site.assets.icon)}" type="image/svg+xml">
<script type="module" src="${link(site.assets.module)}"></script>
${headLinks(site, page, link)}${socialTags(site, page)}${page.head}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${siteHeader(site, link, page.hasSearch !== true)}
${main}
${siteFooter(site, link, page.twin)}
<p class="visually-hidden" role="status" id="announce"></p>
${keysDialog()}
</body>
</html>
`.toString();
}

function headLinks(site: Site, page: Page, link: Link): Html {
  const { twin, feed, isHidden } = page;
  const canonical = publicUrl(site, linkFrom('')(page.canonical ?? page.path).slice(2));
  return html`${twin === undefined ? '' : html`<link rel="alternate" type="text/markdown" href="${link(twin)}" title="Markdown">\n`}${feed === undefined ? '' : html`<link rel="alternate" type="application/atom+xml" href="${link(feed.path)}" title="${feed.title}">\n`}<link rel="describedby" type="text/plain" href="${link('llms.txt')}">
<link rel="search" type="application/opensearchdescription+xml" href="${link('opensearch.xml')}" title="${site.name}">
${isHidden === true ? html`<meta name="robots" content="noindex">\n` : ''}${canonical === undefined || isHidden === true ? '' : html`<link rel="canonical" href="${canonical}">\n`}`;
}

function keysDialog(): Html {
  return html`<dialog id="keys" class="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2>
<dl><div><dt><kbd>/</kbd></dt><dd>Search</dd></div><div><dt><kbd>↑</kbd> <kbd>↓</kbd></dt><dd>Choose a result</dd></div><div><dt><kbd>y</kbd></dt><dd>Permanent address of this page</dd></div><div><dt><kbd>?</kbd></dt><dd>Show this list</dd></div></dl>
<form method="dialog"><button type="submit">Close</button></form></dialog>`;
}
