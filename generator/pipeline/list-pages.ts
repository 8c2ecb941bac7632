/** Stages the pages of owners, tags and keywords. */
import type { OwnerInfo } from '../../format/index/registry-info.ts';
import { labelFolder, ownerFolder } from '../../format/index/site-path.ts';
import { newestFeed } from '../site/feed/newest-feed.ts';
import { FEED_ENTRIES } from '../site/feed/atom-feed.ts';
import { LABEL_BUILDS, keywordPage, tagPage } from '../site/list/label-page.ts';
import type { LabelledBuilds } from '../site/list/label-page.ts';
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

/** Pages of labels that have builds. */
export function addLabelPages(
  state: State,
  site: Site,
  lists: readonly ListName[],
  add: AddFile,
): void {
  for (const { kind, name } of lists) {
    if ((kind !== 'tag' && kind !== 'keyword') || !state.site.has({ kind, name })) continue;
    const folder = labelFolder(kind, name);
    if (folder === undefined) continue;
    const twin = `${folder}index.md`;
    if (kind === 'keyword') {
      const found = labelled(state, { kind, name });
      add(`${folder}index.html`, keywordPage(site, folder, name, found));
      add(twin, buildsTwin(twin, name, 'A keyword.', [{ title: 'Builds', builds: found.builds }]));
      continue;
    }
    const provide = labelled(state, { kind: 'provides', name });
    const require = labelled(state, { kind: 'requires', name });
    add(`${folder}index.html`, tagPage(site, folder, name, { provide, require }));
    const parts = [
      { title: 'Provide it', builds: provide.builds },
      { title: 'Require it', builds: require.builds },
    ];
    add(twin, buildsTwin(twin, name, 'A stack tag.', parts));
  }
}

function labelled(state: State, list: ListName): LabelledBuilds {
  return { builds: state.site.best(list, LABEL_BUILDS), count: state.site.count(list) };
}
