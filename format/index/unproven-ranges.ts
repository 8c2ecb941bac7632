/**
 * Ranges of a version that the matrix of an earlier version had proved wrong when it was published: they admit a version
 * of a tag with which the earlier one failed. A pure function of the builds and the signals.
 */
import type { Manifest } from '../build/manifest.ts';
import { normalizePipName } from '../version/pep440.ts';
import { compareVersions } from '../version/semver-range.ts';
import { admitsTagVersion } from '../version/tag-version.ts';
import type { MeasuredVersion } from './compatibility.ts';
import type { TagOutcome } from './known-good.ts';
import { failureText, knownGood } from './known-good.ts';

export interface UnprovenRange {
  readonly tag: string;
  readonly range: string;
  /** The highest version that it admits and that failed. */
  readonly admitted: string;
  /** The earlier version of the build that failed with it. */
  readonly measured: string;
  /** The failed step, and the first line of what it wrote. */
  readonly failure: string;
}

/**
 * @param version the version to judge, which need not be measured
 * @param publishedAt its time of publication: what was first measured on a later day does not count; `undefined` while it
 *     is not published
 * @param matrix every measured version of the build
 */
export function unprovenRanges(
  version: string,
  manifest: Manifest,
  publishedAt: string | undefined,
  matrix: readonly MeasuredVersion[],
): UnprovenRange[] {
  const previous = matrix
    .filter((one) => compareVersions(one.version, version) < 0)
    .sort((a, b) => compareVersions(b.version, a.version))
    .find(({ results }) => results.length > 0);
  if (previous === undefined) return [];
  const own = knownGood(matrix.find((one) => one.version === version)?.results ?? []);
  const day = publishedAt?.slice(0, 10);
  const known = previous.results.filter(({ since }) => day === undefined || since <= day);
  const ranges = rangesOf(manifest);
  return knownGood(known).flatMap(({ tag, outcomes }) => {
    const range = ranges[tag];
    if (range === undefined) return [];
    const good = own.find((one) => one.tag === tag)?.outcomes.filter(({ isGood }) => isGood) ?? [];
    const isProved = (bad: TagOutcome): boolean => good.some((one) => one.version === bad.version);
    const bad = outcomes.findLast(
      (one) => !one.isGood && admitsTagVersion(range, one.version) && !isProved(one),
    );
    if (bad === undefined) return [];
    const failure = failureText(bad.row);
    return [{ tag, range, admitted: bad.version, measured: previous.version, failure }];
  });
}

/** The ranges that a matrix measures: of the stack tags and of the packages, under the names that its rows have. */
export function rangesOf({ stack, dependencies }: Manifest): Readonly<Record<string, string>> {
  const pip = Object.entries(dependencies?.pip ?? {});
  const normalized = Object.fromEntries(
    pip.map(([name, range]) => [normalizePipName(name), range]),
  );
  return { ...normalized, ...dependencies?.npm, ...stack?.requires };
}
