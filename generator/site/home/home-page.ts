/** The home page: what this is, one command, search, and the builds that people come for. */
import type { BuildSummary } from '../../../format/index/catalog.ts';
import { SITE_HOME } from '../../../format/index/site-path.ts';
import { buildList } from '../build/build-row.ts';
import { actionOf, commandTabs } from '../build/install-command.ts';
import { countOf } from '../figures.ts';
import { html, trusted } from '../html.ts';
import type { Html } from '../html.ts';
import { linkFrom } from '../link.ts';
import { labelLinks } from '../list/label-list.ts';
import type { LabelCount } from '../list/label-list.ts';
import { renderPage } from '../shell/page.ts';
import { searchForm } from '../shell/search-form.ts';
import type { Site } from '../site.ts';

/** Builds in each list. */
export const HOME_LIST = 6;
/** Tags that are shown. */
export const HOME_TAGS = 24;

export interface Home {
  readonly builds: number;
  readonly versions: number;
  /** What was published or changed last. */
  readonly newest: readonly BuildSummary[];
  /** By the evidence of reports. */
  readonly proven: readonly BuildSummary[];
  /** Foundations by standing. */
  readonly foundations: readonly BuildSummary[];
  /** All kinds by standing, for a registry without foundations. */
  readonly best: readonly BuildSummary[];
  readonly tags: readonly LabelCount[];
}

export function homePage(site: Site, home: Home): string {
  const link = linkFrom(SITE_HOME);
  const foundations =
    block('Start a project', 'foundations', buildList(home.foundations, link)) ??
    block('Best', 'best', buildList(home.best, link));
  const newest = block(
    'Newest',
    'newest',
    buildList(home.newest, link) ??
      html`<p class="quiet">Nothing is published yet. <a href="${link('publish/index.html')}">Publish the first build.</a></p>`,
  );
  const main = html`<main id="main">
<h1>Code that you add to your project and own</h1>
<p class="lead">${site.name} is a registry of builds: sets of files that solve one task, with a guide that people and coding agents follow. Each is checked before it is published, and a published version never changes.</p>
${searchForm(link, trusted(''))}
<div class="block-gap">${commandBlock(site, home)}</div>
${picture(link(site.assets.picture))}
<div class="columns">
${home.proven.length === 0 ? html`${foundations}${newest}` : html`${foundations}${block('Proven by agents', 'proven', buildList(home.proven, link))}`}
</div>
${home.proven.length === 0 ? html`<p class="quiet block-gap">Agents report whether a build worked, and what they prove stands here. No reports were counted yet: <code>stackyard report</code> sends the first.</p>` : html`<div class="block-gap">${newest}</div>`}
${
  home.tags.length === 0
    ? ''
    : html`<section class="block block-gap" aria-labelledby="stack"><div class="block-head"><h2 id="stack">By stack</h2><a href="${link('tags/index.html')}">All tags</a></div>${labelLinks('tag', home.tags, link)}</section>`
}
<p class="quiet block-gap">${countOf(home.builds, 'build')}, ${countOf(home.versions, 'version')}.</p>
</main>`;
  return renderPage(site, {
    path: SITE_HOME,
    kind: 'home',
    title: site.name,
    description: `${site.name}: a registry of builds, checked code that you add to your project and own.`,
    twin: 'index.md',
    feed: { path: 'feed.xml', title: `Newest in ${site.name}` },
    hasSearch: true,
    main,
  });
}

/** The text in the picture can be selected where it is opened by itself. */
function picture(path: string): Html {
  return html`<figure class="picture block-gap"><a href="${path}"><img src="${path}" width="695" height="328" loading="lazy" alt="A terminal: “stackyard add stackyard/sqlite” lists files that it adds below src/sqlite, its changes of package.json and .env.example, and what to do next."></a>
<figcaption class="quiet">What a build changes is a plan first: all of it is written, or nothing.</figcaption></figure>`;
}

/** One command that works as it is, with the best foundation. */
function commandBlock(site: Site, { foundations, best, newest }: Home): Html {
  const example = foundations[0] ??
    best[0] ??
    newest[0] ?? { id: '<owner>/<name>', kind: 'module' as const };
  const what = example.kind === 'foundation' ? 'Start a project' : 'Add a build to a project';
  return html`<p class="command-label">${what} with one command</p>
${commandTabs(site, actionOf(example), 'start')}`;
}

function block(title: string, id: string, list: Html | undefined): Html | undefined {
  if (list === undefined) return undefined;
  return html`<section class="block" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${list}</section>`;
}
