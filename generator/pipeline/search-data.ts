/** The files of the search, which the site of a registry reads: brought up to the builds whose summaries were made again. */
import {
  FREQUENT_WORDS_PATH,
  SEARCH_MANIFEST_PATH,
  leafPath,
  nodePath,
  orderPath,
  searchBuildPath,
} from '../../format/index/search-path.ts';
import { searchBuildOf } from '../site/search/search-terms.ts';
import { updateSearch } from '../site/search/update-search.ts';
import type { State } from '../state/state.ts';
import type { AddFile } from './emit.ts';

/**
 * Stages the files that changed.
 * @param ids builds whose summaries were made again
 * @returns paths of files that are no longer part of the index
 */
export function writeSearchData(state: State, ids: ReadonlySet<string>, add: AddFile): string[] {
  const known = [...ids].filter((id) => state.search.build(id) !== undefined).sort();
  const created = [...ids].filter((id) => state.search.build(id) === undefined);
  const order = new Map(created.map((id) => [id, firstPlace(state, id)]));
  created.sort((a, b) => order.get(a)! - order.get(b)!);
  const builds = [...known, ...created].map((id) => searchBuildOf(state.search.summary(id)));
  return updateSearch(state.search, builds, add);
}

/** The paths of all files of the search, for a run that removes what is no part of the index. */
export function searchPaths({ search }: State): Set<string> {
  return new Set([
    SEARCH_MANIFEST_PATH,
    FREQUENT_WORDS_PATH,
    ...search.leaves().map(({ name }) => leafPath(name)),
    ...search.nodes().map(nodePath),
    ...search.pages().map(orderPath),
    ...Array.from({ length: search.count() }, (_, number) => searchBuildPath(number)),
  ]);
}

/** The first entry of a build in the log, which never changes; so the number of a build does not either. */
function firstPlace(state: State, id: string): number {
  return Math.min(...state.log.placesOf(id).map(({ index }) => index));
}
