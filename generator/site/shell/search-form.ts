/** The search form. Without JavaScript it leads to the page that lists tags and keywords. */
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Link } from '../link.ts';

/** @param filters further controls of the form */
export function searchForm(link: Link, filters?: Html): Html {
  const isLarge = filters !== undefined;
  return html`<form role="search" class="search${isLarge ? ' search-large' : ''}" data-search action="${link('search/index.html')}" method="get">
<div class="search-line"><label class="visually-hidden" for="q">Search builds</label><input id="q" type="search" name="q" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="Search builds" data-search-input><kbd class="search-key" aria-hidden="true">/</kbd><button type="submit">Search</button></div>
<p class="visually-hidden" role="status" data-search-status></p>${filters}
</form>`;
}
