/** Stages the pages that a site has once: those that show the newest in every run, the others in a full one. */
import type { BuildSummary } from '../../format/index/catalog.ts';
import { sitemapPath } from '../../format/index/site-path.ts';
import { ownerHash } from '../../format/registry/repository-layout.ts';
import { ADVISORY_FEED, advisoryFeed } from '../site/feed/advisory-feed.ts';
import { FEED_ENTRIES } from '../site/feed/atom-feed.ts';
import { newestFeed } from '../site/feed/newest-feed.ts';
import {
  llmsText,
  openSearch,
  robotsText,
  sitemap,
  sitemapIndex,
} from '../site/feed/site-files.ts';
import { HOME_LIST, HOME_TAGS, homeLists, homePage } from '../site/home/home-page.ts';
import { SEARCH_BUILDS, SEARCH_LABELS, searchPage } from '../site/home/search-page.ts';
import { MAX_LABELS, tagsPage } from '../site/list/label-list.ts';
import type { Site } from '../site/site.ts';
import { buildsTwin, tagsTwin } from '../site/twin/list-twin.ts';
import type { ListName } from '../state/site-table.ts';
import type { State } from '../state/state.ts';
import type { AddFile } from './emit.ts';
import { newestBuilds, newestPublished } from './newest-published.ts';

interface Changed {
  readonly ids: ReadonlySet<string>;
  readonly isFull: boolean;
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
  if (!changed.isFull) return;
  add('robots.txt', robotsText(site));
  add('opensearch.xml', openSearch(site));
  // Loaded late: it needs a parser of Markdown, which short runs of this thread do not.
  const { fixedPages } = await import('../site/guide/fixed-pages.ts');
  for (const [path, page] of Object.entries(fixedPages(site))) add(path, page);
}

/** Sitemaps need the public address. A publication changes the one with its owner. */
function addSitemaps(state: State, site: Site, { ids, isFull }: Changed, add: AddFile): void {
  if (site.address === '') return;
  const hashes = state.site.ownerHashes();
  add('sitemap.xml', sitemapIndex(site, hashes));
  const touched = new Set([...ids].map((id) => ownerHash(id.slice(0, id.indexOf('/')))));
  for (const hash of hashes) {
    if (!isFull && !touched.has(hash)) continue;
    add(sitemapPath(hash), sitemap(site, state.site.updatedUnder(hash)));
  }
}
