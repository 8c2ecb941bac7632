/** What search knows of a build, and what a result shows. */
import type { BuildSummary } from '../../../format/index/catalog.ts';

/** The summary without the score of its owner, which changes with every other build of theirs. */
export type SearchBuild = Omit<BuildSummary, 'reputation'>;

/** The part of a summary that search shows. */
export function searchBuildOf({ reputation: _reputation, ...build }: BuildSummary): SearchBuild {
  return build;
}
