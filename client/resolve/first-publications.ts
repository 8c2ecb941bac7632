/**
 * Versions of equal precedence, such as `1.0.0` and `1.0.0+b1`, are one version: the one that was published
 * first. A registry publishes no second one; an old or hostile index may still list it. Pure.
 */
import { compareVersions, precedenceOf } from '../../format/version/semver-range.ts';

interface Published {
  readonly version: string;
  /** RFC 3339 in UTC with milliseconds, so that text order is time order. */
  readonly published_at: string;
}

/** The versions of one build without those that repeat an earlier published one, in the same order. */
export function firstPublications<Version extends Published>(
  versions: readonly Version[],
): Version[] {
  const firsts = new Map<string, Version>();
  for (const version of versions) {
    const key = precedenceOf(version.version);
    const other = firsts.get(key);
    if (other === undefined || isEarlier(version, other)) firsts.set(key, version);
  }
  return versions.filter((version) => firsts.get(precedenceOf(version.version)) === version);
}

function isEarlier(a: Published, b: Published): boolean {
  if (a.published_at !== b.published_at) return a.published_at < b.published_at;
  return compareVersions(a.version, b.version) < 0;
}
