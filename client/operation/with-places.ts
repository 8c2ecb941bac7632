/** Marks local builds with the place that they come from. */
import type { FetchedBuild } from '../plan/plan.ts';

/** @param places folder, tarball or address of a local build, by id */
export function withPlaces(
  builds: readonly FetchedBuild[],
  places: ReadonlyMap<string, string> | undefined,
): FetchedBuild[] {
  return builds.map((build) => {
    const source = places?.get(build.id);
    return source === undefined ? build : { ...build, source };
  });
}
