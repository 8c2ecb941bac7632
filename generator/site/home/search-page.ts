/** The search page. Without JavaScript it lists the best builds, and leads on through tags and keywords. */
import type { BuildSummary } from '../../../format/index/catalog.ts';
import { resultList } from '../build/build-row.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { linkFrom } from '../link.ts';
import type { Link } from '../link.ts';
import { labelList } from '../list/label-list.ts';
import type { LabelCount } from '../list/label-list.ts';
import { renderPage } from '../shell/page.ts';
import { searchForm } from '../shell/search-form.ts';
import type { Site } from '../site.ts';

/** Builds that are listed before a search. */
export const SEARCH_BUILDS = 20;
/** Tags and keywords that are listed. */
export const SEARCH_LABELS = 60;

export interface SearchStart {
  readonly best: readonly BuildSummary[];
  readonly tags: readonly LabelCount[];
  readonly keywords: readonly LabelCount[];
}

export function searchPage(site: Site, { best, tags, keywords }: SearchStart): string {
  const path = 'search/index.html';
  const link = linkFrom(path);
  const main = html`<main id="main" data-search-page>
<h1>Search</h1>
${searchForm(link, filters(tags))}
${PROJECT_FIT}
<p class="quiet block-gap" role="status" data-result-count>The best builds</p>
${resultList(best, link)}
<p data-no-results hidden>No build matches. Try a tag or a keyword below.</p>
${best.length === 0 ? html`<p class="quiet">Nothing is published yet.</p>` : ''}
<div class="columns">${labels('tag', 'Stack tags', tags, link)}${labels('keyword', 'Keywords', keywords, link)}</div>
</main>`;
  return renderPage(site, {
    path,
    kind: 'search',
    title: 'Search',
    description: `Search the builds of ${site.name}.`,
    twin: 'search/index.md',
    hasSearch: true,
    main,
  });
}

/** Without JavaScript nothing can be read: the style sheet hides it then. */
export const PROJECT_FIT = html`<details class="fit" data-fit><summary>Fits my project</summary>
<p>Drop <code>package.json</code>, <code>pyproject.toml</code> or <code>requirements.txt</code> on this page, choose the file, or paste its text. It is read in your browser and sent nowhere.</p>
<p><label>File of the project <input type="file" accept=".json,.toml,.txt" multiple></label></p>
<p><label for="fit-text">Or its text</label><textarea id="fit-text" rows="5" spellcheck="false" autocapitalize="off"></textarea></p>
<p role="status"></p><button type="button" hidden>Show all builds again</button></details>`;

function filters(tags: readonly LabelCount[]): Html {
  const kinds = [
    ['', 'All'],
    ['module', 'Modules'],
    ['foundation', 'Foundations'],
  ] as const;
  return html`
<div class="filters">
<fieldset><legend class="visually-hidden">Kind</legend>${kinds.map(([value, text]) => html`<label><input type="radio" name="kind" value="${value}"${value === '' ? html` checked` : ''}>${text}</label>`)}</fieldset>
<label>Stack <select name="tag"><option value="">any</option>${tags.map(({ name }) => html`<option value="${name}">${name}</option>`)}</select></label>
<label>Risk <select name="risk"><option value="">any</option><option value="ok">ok</option><option value="caution">caution</option></select></label>
</div>`;
}

function labels(
  kind: 'tag' | 'keyword',
  title: string,
  all: readonly LabelCount[],
  link: Link,
): Html | undefined {
  if (all.length === 0) return undefined;
  const id = `${kind}s`;
  return html`<section class="block" aria-labelledby="${id}"><div class="block-head"><h2 id="${id}">${title}</h2>${kind === 'tag' ? html`<a href="${link('tags/index.html')}">All</a>` : ''}</div>${labelList(kind, all, link)}</section>`;
}
