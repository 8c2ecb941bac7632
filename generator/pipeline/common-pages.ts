/** Stages the pages that a site has once: some in every run, the others with a new configuration or software. */
import type { BuildSummary } from '../../format/index/record.ts';
import {
  advisoryFolder,
  buildFolder,
  ownerFolder,
  sitemapPath,
} from '../../format/index/site-path.ts';
import { ownerHash } from '../../format/registry/repository-layout.ts';
import { atomFeed, FEED_ENTRIES, newestFeed } from '../site/atom-feed.ts';
import { HOME_LIST, HOME_TAGS, homeLists, homePage } from '../site/home-page.ts';
import { type LabelCount, labelList, MAX_LABELS } from '../site/labels.ts';
import { tagsPage, tagsTwin } from '../site/tags-page.ts';
import type { Site } from '../site/site.ts';
import { buildsTwin } from '../site/list-twin.ts';
import type { ListName } from '../state/site-table.ts';
import type { State } from '../state/state.ts';
import type { AddFile } from './emit.ts';
import { newestBuilds, newestPublished } from './list-pages.ts';
import { type Advisory, buildsOf, tryParseTime } from '../../format/advisory/advisory.ts';
import { compareText } from '../../format/compare-text.ts';
import { escapeMarkup, html, type Html } from '../site/html.ts';
import { countOf } from '../site/figures.ts';
import { type Link, linkFrom } from '../site/link.ts';
import { plain } from '../site/visible-text.ts';
import { clientCommands } from '../site/build/install-command.ts';
import { resultList } from '../site/build/build-list.ts';
import { renderPage, searchForm } from '../site/page.ts';
import { renovatePreset } from '../site/renovate-preset.ts';

interface Changed {
  readonly ids: ReadonlySet<string>;
  readonly isFull: boolean;
  /** Whether what these pages show of the configuration is new. */
  readonly isNewSite: boolean;
}

export async function addCommonPages(
  state: State,
  site: Site,
  changed: Changed,
  add: AddFile,
): Promise<void> {
  const counts = state.counts();
  const newest = newestBuilds(state, HOME_LIST);
  const shown = (list: ListName): BuildSummary[] =>
    state.site.best(list, HOME_LIST).filter((one) => !one.deprecated && one.risk !== 'danger');
  const provided = state.site.names('provides', HOME_TAGS).map(({ name }) => {
    const builds = shown({ kind: 'provides', name });
    return { tag: name, builds: builds.filter(({ kind }) => kind === 'module') };
  });
  const foundations = shown({ kind: 'kind', name: 'foundation' });
  const proven = state.site.proven(HOME_LIST);
  const best = state.site.best({ kind: 'all', name: '' }, SEARCH_BUILDS);
  const tags = state.site.names('tag', MAX_LABELS);
  const keywords = state.site.names('keyword', SEARCH_LABELS);
  const home = {
    ...counts,
    newest,
    proven,
    foundations,
    provided,
    tags: tags.slice(0, HOME_TAGS),
  };
  add('index.html', homePage(site, home));
  const lists = homeLists(home);
  const parts = [
    { title: 'Proven by agents', builds: lists.proven },
    { title: 'Foundations, to start a project', builds: lists.foundations },
    ...lists.provided.map(({ tag, builds }) => ({ title: `Modules that add ${tag}`, builds })),
    { title: 'Newest', builds: lists.newest },
  ];
  const lead = `A registry with ${counts.builds} builds; llms.txt describes it.`;
  add('index.md', buildsTwin('index.md', site.name, lead, parts));
  const top = {
    best,
    tags: tags.slice(0, SEARCH_LABELS),
    keywords,
  };
  add('search/index.html', searchPage(site, top));
  const bestPart = [{ title: 'Best builds', builds: best }];
  add(
    'search/index.md',
    buildsTwin('search/index.md', 'Search', 'catalog.json has all builds.', bestPart),
  );
  add('tags/index.html', tagsPage(site, tags));
  add('tags/index.md', tagsTwin('tags/index.md', tags));
  const entries = newestPublished(state, FEED_ENTRIES);
  const title = `Newest in ${site.name}`;
  add(
    'feed.xml',
    newestFeed(site, { name: '', title, path: 'feed.xml', page: 'index.html', entries }),
  );
  add(ADVISORY_FEED, advisoryFeed(site, state.advisories.all()));
  add('llms.txt', llmsText(site, counts));
  addSitemaps(state, site, changed, add);
  if (!changed.isNewSite) return;
  add('robots.txt', robotsText(site));
  add('opensearch.xml', openSearch(site));
  const preset = renovatePreset(site);
  if (preset !== undefined) add('renovate.json', preset);
  // Loaded late: it needs a parser of Markdown, which short runs of this thread do not.
  const { fixedPages } = await import('../site/guide/fixed-pages.ts');
  for (const [path, page] of Object.entries(fixedPages(site))) add(path, page);
}

/** Sitemaps need the public address. A publication changes the file with its owner. */
function addSitemaps(state: State, site: Site, { ids, isFull }: Changed, add: AddFile): void {
  if (site.address === '') return;
  const hashes = state.site.ownerHashes();
  add('sitemap.xml', sitemapIndex(site, hashes));
  const touched = new Set([...ids].map((id) => ownerHash(id.slice(0, id.indexOf('/')))));
  for (const hash of hashes) {
    if (!isFull && !touched.has(hash)) continue;
    add(sitemapPath(hash), sitemap(site, state.site.summariesUnder(hash)));
  }
}

/** The feed of the advisories of a registry: those that changed last. */
const ADVISORY_FEED = 'advisories.xml';

/** @param advisories all of them */
export function advisoryFeed(
  site: Pick<Site, 'name' | 'assets'>,
  advisories: readonly Advisory[],
): string {
  const timeOf = ({ modified }: Advisory): number => tryParseTime(modified) ?? 0;
  const newest = advisories
    .toSorted((a, b) => timeOf(b) - timeOf(a) || compareText(a.id, b.id))
    .slice(0, FEED_ENTRIES);
  return atomFeed(site, {
    name: 'advisories',
    title: `Advisories of ${site.name}`,
    path: ADVISORY_FEED,
    page: 'advisories/index.html',
    entries: newest.map((advisory) => {
      const { id, modified, withdrawn, summary } = advisory;
      const builds = buildsOf(advisory);
      return {
        name: `advisories/${id}`,
        title: `${id}: ${builds.join(', ')}${withdrawn === undefined ? '' : ' (withdrawn)'}`,
        summary,
        page: `${advisoryFolder(id)}index.html`,
        time: modified,
        author: builds[0]?.split('/')[0] ?? '',
      };
    }),
  });
}

/** The text that agents find first. */
export function llmsText(
  site: Site,
  counts: { readonly builds: number; readonly versions: number },
): string {
  const [command = ''] = Object.values(clientCommands(site, 'add <owner>/<name>'));
  return `# ${plain(site.name)}

> A registry of builds: checked code that is added to a project and owned by it. It has ${countOf(counts.builds, 'build')} in ${countOf(counts.versions, 'version')}. Every page has a twin in Markdown: index.md beside index.html.

To add a build to a project: \`${command}\`. To find one: \`stackyard search <words>\`, or catalog.json. Read the integration guide of a build before and after its installation: it is in its page.

## Pages

- [Newest builds](index.md): what was published last
- [Stack tags](tags/index.md): builds by what they provide and require
- [Advisories](advisories/index.md): known faults of published versions
- [Publish a build](publish/index.md): from a folder to a version
- [Verify this registry](verify/index.md): the transparency log and how to check it
- [Findings](findings/index.md): what checks report, why, and what to do

## Data

- [registry.json](registry.json): the registry
- [catalog.json](catalog.json): summaries of all builds, in shards
- builds/<owner>/<name>/index.md: one build; builds/<owner>/<name>.json has its record
- [JSON Schema of the manifest](schema/manifest.schema.json): the fields of stackyard.json
- [feed.xml](feed.xml): the newest versions
`;
}

export function robotsText(site: Site): string {
  const sitemap = site.address === '' ? '' : `Sitemap: ${site.address}/sitemap.xml\n`;
  return `User-agent: *\nAllow: /\n${sitemap}`;
}

/** The description of the search for browsers; without an address it has none, which they refuse. */
export function openSearch(site: Site): string {
  const name = escapeMarkup(plain(site.name).slice(0, 16));
  const base = escapeMarkup(site.address);
  return `<?xml version="1.0" encoding="utf-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${name}</ShortName>
<Description>Builds of ${escapeMarkup(plain(site.name))}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Url type="text/html" template="${base}/search/?q={searchTerms}"/>
</OpenSearchDescription>
`;
}

/** The list of sitemaps. @param hashes `ownerHash()` of each owner, once */
export function sitemapIndex({ address }: Site, hashes: readonly string[]): string {
  const maps = hashes.map(
    (hash) => `<sitemap><loc>${escapeMarkup(`${address}/${sitemapPath(hash)}`)}</loc></sitemap>\n`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${maps.join('')}</sitemapindex>\n`;
}

/** The pages of the owners with one `ownerHash()`, and of their builds. */
export function sitemap(
  { address }: Site,
  builds: readonly { readonly id: string; readonly updated_at: string }[],
): string {
  const owners = [...new Set(builds.map(({ id }) => id.slice(0, id.indexOf('/'))))];
  const url = (path: string, time?: string): string =>
    `<url><loc>${escapeMarkup(`${address}/${path}`)}</loc>${time === undefined ? '' : `<lastmod>${time.slice(0, 10)}</lastmod>`}</url>\n`;
  const urls = [
    ...owners.map((owner) => url(ownerFolder(owner))),
    ...builds.map(({ id, updated_at }) => url(buildFolder(id), updated_at)),
  ];
  return `<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('')}</urlset>\n`;
}

const SEARCH_BUILDS = 20;
/** Tags and keywords that are listed. */
const SEARCH_LABELS = 60;

interface SearchStart {
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
