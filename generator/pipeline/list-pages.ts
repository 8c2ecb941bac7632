/** Stages the pages of owners and stack tags. */
import type { OwnerInfo } from '../../format/index/registry-info.ts';
import { ownerFolder, tagFolder } from '../../format/index/site-path.ts';
import { FEED_ENTRIES, newestFeed, type NewVersion } from '../site/atom-feed.ts';
import type { PageSite } from '../site/site.ts';
import { buildsTwin } from '../site/list-twin.ts';
import type { ListName } from '../state/site-table.ts';
import type { State } from '../state/state.ts';
import type { AddFile } from './emit.ts';
import type { BuildSummary } from '../../format/index/record.ts';
import { ownerPath } from '../../format/index/layout.ts';
import { buildList } from '../site/build/build-list.ts';
import { html, type Html } from '../site/html.ts';
import { count, countOf } from '../site/figures.ts';
import { type Link, linkFrom } from '../site/link.ts';
import { renderPage } from '../site/page.ts';

type Assets = Pick<PageSite, 'assets'>;

export function addOwnerPages(
  state: State,
  site: Assets,
  owners: readonly OwnerInfo[],
  add: AddFile,
): void {
  for (const info of owners) {
    const { owner } = info;
    const folder = ownerFolder(owner);
    const builds = state.site.best({ kind: 'owner', name: owner }, OWNER_BUILDS);
    add(`${folder}index.html`, ownerPage(site, info, builds));
    const lead = `${info.builds.length} builds, reputation ${info.reputation} of 100.`;
    const twin = `${folder}index.md`;
    add(twin, buildsTwin(twin, owner, lead, [{ title: 'Builds', builds }]));
    const path = `${folder}feed.xml`;
    const entries = newestPublished(state, FEED_ENTRIES, owner);
    const page = `${folder}index.html`;
    add(path, newestFeed(site, { name: owner, title: `Builds of ${owner}`, path, page, entries }));
  }
}

/** Pages of tags that have builds. */
export function addTagPages(
  state: State,
  site: Assets,
  lists: readonly ListName[],
  add: AddFile,
): void {
  const tagged = (kind: ListName['kind'], name: string): TaggedBuilds => {
    const list = { kind, name };
    return { builds: state.site.best(list, TAG_BUILDS), count: state.site.count(list) };
  };
  const touched = lists.filter(({ kind }) => kind === 'tag' || kind === 'brings');
  for (const name of new Set(touched.map((list) => list.name))) {
    const folder = state.site.has({ kind: 'tag', name }) ? tagFolder(name) : undefined;
    if (folder === undefined) continue;
    const found = {
      provide: tagged('provides', name),
      bring: tagged('brings', name),
      require: tagged('requires', name),
    };
    add(`${folder}index.html`, tagPage(site, folder, name, found));
    const twin = `${folder}index.md`;
    const parts = [
      { title: 'Provide it', builds: found.provide.builds },
      { title: 'Foundations with it', builds: found.bring.builds },
      { title: 'Require it', builds: found.require.builds },
    ];
    add(twin, buildsTwin(twin, name, 'A stack tag.', parts));
  }
}

/** Builds that a page lists; the document of the owner has all. */
const OWNER_BUILDS = 500;

const PARTS: Readonly<Record<string, string>> = {
  start: 'where every owner starts',
  age: 'time since the first publication',
  reports_success: 'agents reported success',
  reports_failure: 'agents reported failure',
  yanked: 'days of publication with a yanked version',
  risk: 'days of publication with a risky version',
  flags: 'versions with an upheld flag',
};

/** @param builds summaries by standing, without those of which every version is yanked */
export function ownerPage(site: Assets, info: OwnerInfo, builds: readonly BuildSummary[]): string {
  const { owner, reputation, reputation_parts } = info;
  const path = `${ownerFolder(owner)}index.html`;
  const link = linkFrom(path);
  const parts = Object.entries(reputation_parts).map(
    ([part, points]) =>
      html`<tr><td>${PARTS[part] ?? part}</td><td class="number">${points > 0 ? '+' : ''}${points}</td></tr>\n`,
  );
  const rest = info.builds.length - builds.length;
  const main = html`<main id="main">
<h1>${owner}</h1>
<p class="lead">${countOf(info.builds.length, 'build')}, reputation ${reputation} of 100.</p>
<div class="with-side"><div class="main-column"><section aria-labelledby="builds"><h2 id="builds" class="visually-hidden">Builds</h2>
${buildList(builds, link) ?? html`<p class="quiet">There is no build to install.</p>`}
${rest > 0 ? html`<p class="quiet block-gap">${countOf(rest, 'more build')} ${rest === 1 ? 'is' : 'are'} in <a href="${link(ownerPath(owner))}">the document of the owner</a>.</p>` : ''}
</section></div>
<aside class="facts" aria-label="Facts"><div><h2>Reputation</h2><table><thead><tr><th scope="col">Because of</th><th scope="col" class="number">Points</th></tr></thead><tbody>${parts}</tbody></table></div>
<div><h2>Data</h2><ul class="contents"><li><a href="${link(ownerPath(owner))}">Document of the owner</a></li><li><a href="${link(`${ownerFolder(owner)}feed.xml`)}">Feed</a></li></ul></div></aside></div>
</main>`;
  return renderPage(site, {
    path,
    kind: 'owner',
    title: owner,
    description: `The builds of ${owner}.`,
    twin: `${ownerFolder(owner)}index.md`,
    feed: { path: `${ownerFolder(owner)}feed.xml`, title: `Builds of ${owner}` },
    main,
  });
}

/** Builds that one list shows; search finds the others. */
const TAG_BUILDS = 100;

/** The best builds of a list, and how many there are. */
interface TaggedBuilds {
  readonly builds: readonly BuildSummary[];
  readonly count: number;
}

interface TaggedLists {
  /** Modules and foundations that state it in `stack.provides`. */
  readonly provide: TaggedBuilds;
  /** Foundations whose own packages are it. */
  readonly bring: TaggedBuilds;
  readonly require: TaggedBuilds;
}

/** @param folder of the page */
export function tagPage(
  site: Assets,
  folder: string,
  tag: string,
  { provide, bring, require }: TaggedLists,
): string {
  const path = `${folder}index.html`;
  const link = linkFrom(path);
  const blocks = [
    block('Foundations that start a project with it', 'bring', bring, link),
    block('Builds that add it', 'provide', provide, link),
    block('Builds for projects that have it', 'require', require, link),
  ];
  const isNone = blocks.every((one) => one === undefined);
  const main = html`<main id="main">
<h1>${tag}</h1>
<p class="lead">Builds that bring ${tag} to a project, and builds for projects that have it.</p>
<div class="block-gap">${blocks}${isNone ? html`<p class="quiet">No build does. <a href="${link('search/index.html')}">Search all builds.</a></p>` : ''}</div>
</main>`;
  return renderPage(site, {
    path,
    kind: 'tag',
    title: tag,
    description: `Builds that provide or require ${tag}.`,
    twin: `${folder}index.md`,
    main,
  });
}

/** Nothing without builds. */
function block(title: string, id: string, found: TaggedBuilds, link: Link): Html | undefined {
  const list = buildList(found.builds, link);
  if (list === undefined) return undefined;
  return html`<section class="block" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${list}${restNote(found)}
</section>
`;
}

function restNote({ builds, count: all }: TaggedBuilds): Html | undefined {
  if (all <= builds.length) return undefined;
  return html`<p class="quiet block-gap">These are the best ${builds.length} of ${count(all)}: search to find others.</p>`;
}

/** Newest first, without those that were withdrawn. */
export function newestPublished(state: State, limit: number, owner?: string): NewVersion[] {
  const gone = state.withdrawals.all(owner);
  const newest = state.site.newestVersions(limit + gone.size, owner);
  const shown = newest.filter(({ id, version }) => !gone.has(`${id}@${version}`)).slice(0, limit);
  return shown.flatMap((one) => {
    const summary = state.site.summary(one.id);
    return summary === undefined ? [] : [{ ...one, description: summary.description }];
  });
}

/** The builds that were published last, without those that nobody should install. */
export function newestBuilds(state: State, limit: number): BuildSummary[] {
  const found = new Map<string, BuildSummary>();
  for (const { id } of state.site.newestVersions(limit * 10)) {
    const summary = found.has(id) ? undefined : state.site.summary(id);
    if (summary === undefined || summary.deprecated || summary.yanked) continue;
    if (summary.risk !== 'danger' && found.size < limit) found.set(id, summary);
  }
  return [...found.values()];
}
