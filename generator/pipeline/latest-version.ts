/** Which version of a build is shown and installed when nobody names one. Pure. */
import { isPrerelease } from '../../format/version/semver-range.ts';

/**
 * The highest stable version that is not yanked; without one the highest prerelease that is not
 * yanked; with all yanked the highest of all.
 * @param versions highest first, at least one
 */
export function latestVersion(
  versions: readonly string[],
  isYanked: (v: string) => boolean,
): string {
  const offered = versions.filter((v) => !isYanked(v));
  return offered.find((v) => !isPrerelease(v)) ?? offered[0] ?? versions[0]!;
}
