/** The versions that were published last, with what lists and feeds show of them. */
import type { BuildSummary } from '../../format/index/catalog.ts';
import type { NewVersion } from '../site/feed/newest-feed.ts';
import type { State } from '../state/state.ts';

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
