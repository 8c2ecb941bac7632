/** The home page: what this is, one command, search, and the builds that people come for. */
import type { BuildSummary } from '../../format/index/record.ts';
import { SITE_HOME } from '../../format/index/site-path.ts';
import { buildList } from './build/build-list.ts';
import { actionOf, commandTabs } from './build/install-command.ts';
import { html, type Html, trusted } from './html.ts';
import { countOf } from './figures.ts';
import { type Link, linkFrom } from './link.ts';
import { labelAddress, labelList, type LabelCount } from './labels.ts';
import { renderPage, searchForm } from './page.ts';
import type { Site } from './site.ts';

/** Builds in each list. */
export const HOME_LIST = 6;
/** Tags that are shown. */
export const HOME_TAGS = 24;
/** Tags under which modules are shown. */
const MAX_GROUPS = 6;

/** The best modules that provide a tag. */
interface ProvidedTag {
  readonly tag: string;
  readonly builds: readonly BuildSummary[];
}

interface Home {
  readonly builds: number;
  readonly versions: number;
  /** What was published or changed last. */
  readonly newest: readonly BuildSummary[];
  /** By the evidence of reports. */
  readonly proven: readonly BuildSummary[];
  /** Foundations by standing. */
  readonly foundations: readonly BuildSummary[];
  /** Modules by what they add to a project, the tags of most builds first. */
  readonly provided: readonly ProvidedTag[];
  readonly tags: readonly LabelCount[];
}

/** What the lists of the page have: no build twice, and no list without builds. */
export function homeLists(home: Omit<Home, 'builds' | 'versions' | 'tags'>): {
  readonly foundations: readonly BuildSummary[];
  readonly provided: readonly ProvidedTag[];
  readonly proven: readonly BuildSummary[];
  readonly newest: readonly BuildSummary[];
} {
  const listed = new Set<string>();
  const fresh = (builds: readonly BuildSummary[]): BuildSummary[] => {
    const shown = builds.filter(({ id }) => !listed.has(id)).slice(0, HOME_LIST);
    for (const { id } of shown) listed.add(id);
    return shown;
  };
  const proven = fresh(home.proven);
  const foundations = fresh(home.foundations);
  const provided: ProvidedTag[] = [];
  for (const { tag, builds } of home.provided) {
    const shown = provided.length < MAX_GROUPS ? fresh(builds) : [];
    if (shown.length > 0) provided.push({ tag, builds: shown });
  }
  return { foundations, provided, proven, newest: fresh(home.newest) };
}

export function homePage(site: Site, home: Home): string {
  const link = linkFrom(SITE_HOME);
  const { foundations, provided, proven, newest } = homeLists(home);
  const isEmpty = home.builds === 0;
  const main = html`<main id="main">
<h1>Code that you add to your project and own</h1>
<p class="lead">${site.name} is a registry of builds: sets of files that solve one task, with a guide that people and coding agents follow. Each is checked before it is published, and a published version never changes.</p>
${searchForm(link, trusted(''))}
<div class="block-gap">${commandBlock(site, home)}</div>
${isEmpty ? html`<p class="quiet block-gap">Nothing is published yet. <a href="${link('publish/index.html')}">Publish the first build.</a></p>` : ''}
${picture(link(site.assets.picture))}
<div class="columns">
${block('Proven by agents', 'proven', buildList(proven, link))}${block('Start a project', 'foundations', buildList(foundations, link))}${block('Add to a project', 'modules', groups(provided, link))}${block('Newest', 'newest', buildList(newest, link))}
</div>
${
  home.tags.length === 0
    ? ''
    : html`<section class="block block-gap" aria-labelledby="stack"><div class="block-head"><h2 id="stack">By stack</h2><a href="${link('tags/index.html')}">All tags</a></div>${labelList('tag', home.tags, link)}</section>`
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
    head: html`<link rel="search" type="application/opensearchdescription+xml" href="${link('opensearch.xml')}" title="${site.name}">\n`,
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
function commandBlock(site: Site, { foundations, provided, newest }: Home): Html {
  const example = foundations[0] ??
    provided[0]?.builds[0] ??
    newest[0] ?? { id: '<owner>/<name>', kind: 'module' as const };
  const what = example.kind === 'foundation' ? 'Start a project' : 'Add a build to a project';
  return html`<p class="command-label">${what} with one command</p>
${commandTabs(site, actionOf(example), 'start')}`;
}

/** Modules under the tag that they add. */
function groups(provided: readonly ProvidedTag[], link: Link): Html | undefined {
  if (provided.length === 0) return undefined;
  return html`${provided.map(({ tag, builds }) => {
    const address = labelAddress('tag', tag, link);
    const name = address === undefined ? html`${tag}` : html`<a href="${address}">${tag}</a>`;
    return html`<h3 class="group">${name}</h3>${buildList(builds, link)}`;
  })}`;
}

function block(title: string, id: string, list: Html | undefined): Html | undefined {
  if (list === undefined) return undefined;
  return html`<section class="block" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${list}</section>`;
}
