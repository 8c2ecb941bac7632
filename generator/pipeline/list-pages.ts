/** Stages the pages of owners and stack tags. */
import type { OwnerInfo } from '../../format/index/registry-info.ts';
import { ownerFolder, tagFolder } from '../../format/index/site-path.ts';
import { newestFeed } from '../site/feed/newest-feed.ts';
import { FEED_ENTRIES } from '../site/feed/atom-feed.ts';
import { TAG_BUILDS, tagPage } from '../site/list/tag-page.ts';
import type { TaggedBuilds } from '../site/list/tag-page.ts';
import { OWNER_BUILDS, ownerPage } from '../site/list/owner-page.ts';
import type { Site } from '../site/site.ts';
import { buildsTwin } from '../site/twin/list-twin.ts';
import type { ListName } from '../state/site-table.ts';
import type { State } from '../state/state.ts';
import type { AddFile } from './emit.ts';
import { newestPublished } from './newest-published.ts';

export function addOwnerPages(
  state: State,
  site: Site,
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
  site: Site,
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
