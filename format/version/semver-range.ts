/** Versions and ranges in npm's dialect of semver 2.0.0, always strict: no leading `v`, no tags. */
import semver from 'semver';

/** Longer texts are refused before any parser sees them. */
export const MAX_RANGE_LENGTH = 256;

/** The same few ranges stand in most manifests, and each costs several parses. */
const PROBLEMS = new Map<string, { readonly problem: string | undefined }>();
const MAX_REMEMBERED = 1_000;

/** Whether `text` is a semver range that some version can satisfy. */
export function isRange(text: string): boolean {
  return rangeProblem(text) === undefined;
}

/** Why `text` is not a usable range, or `undefined` when it is one. */
export function rangeProblem(text: string): string | undefined {
  if (text.length > MAX_RANGE_LENGTH) return `it is longer than ${MAX_RANGE_LENGTH} characters`;
  const known = PROBLEMS.get(text);
  if (known !== undefined) return known.problem;
  const problem = findRangeProblem(text);
  if (PROBLEMS.size >= MAX_REMEMBERED) PROBLEMS.clear();
  PROBLEMS.set(text, { problem });
  return problem;
}

function findRangeProblem(text: string): string | undefined {
  if (text.trim() === '') return 'it is empty';
  const range = tryRange(text);
  if (range === undefined) return 'it is not a semver range';
  // `minVersion` returns null for a range such as ">=2 <1", and throws on some of them.
  return lowestVersion(text) === undefined ? 'no version can satisfy it' : undefined;
}

/** Whether `version` lies in `range`; a prerelease only where the range names its numbers. */
export function satisfies(version: string, range: string): boolean {
  return semver.satisfies(version, range);
}

/** Whether some version lies in both ranges. */
export function rangesIntersect(a: string, b: string): boolean {
  return semver.intersects(a, b);
}

/** Whether `all` admits every version, prereleases too, that `range` admits. */
export function isSubrange(range: string, all: string): boolean {
  return semver.subset(range, all, { includePrerelease: true });
}

/** The lowest version that `range` admits, or `undefined` when there is none. */
export function lowestVersion(range: string): string | undefined {
  try {
    return semver.minVersion(range)?.version;
  } catch {
    return undefined;
  }
}

/** Whether `version` is a prerelease such as `1.0.0-rc.1`. */
export function isPrerelease(version: string): boolean {
  return semver.prerelease(version) !== null;
}

/** A total order of versions: semver precedence, then build metadata. Negative when `a` is lower. */
export function compareVersions(a: string, b: string): number {
  const order = semver.compareBuild(a, b);
  if (order !== 0 || a === b) return order;
  return a < b ? -1 : 1;
}

/** The order of precedence: build metadata does not count. 0 for versions that neither precedes. */
export function comparePrecedence(a: string, b: string): number {
  return semver.compare(a, b);
}

/**
 * The text that two versions share exactly when neither precedes the other: build metadata does not count
 * (semver 2.0.0, section 10). Numeric identifiers above 2^53 are compared as resolvers compare them.
 */
export function precedenceOf(version: string): string {
  const [numbers = '', ...identifiers] = version.replace(/\+.*$/, '').split('-');
  const prerelease = identifiers.join('-').split('.');
  const compared = prerelease.map((one) => (/^\d+$/.test(one) ? String(Number(one)) : one));
  return prerelease[0] === '' ? numbers : `${numbers}-${compared.join('.')}`;
}

/** Whether two versions are equal except for their build metadata, such as `1.0.0` and `1.0.0+linux`. */
export function hasSamePrecedence(a: string, b: string): boolean {
  return precedenceOf(a) === precedenceOf(b);
}

function tryRange(text: string): semver.Range | undefined {
  try {
    return new semver.Range(text);
  } catch {
    return undefined;
  }
}

/**
 * Versions of equal precedence, such as `1.0.0` and `1.0.0+b1`, are one version: the one that was published
 * first. A registry publishes no second one; an old or hostile index may still list it. Pure.
 */
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
