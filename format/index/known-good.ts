/** What the rows of a compatibility matrix say about each tag: the last version known to work, the first known to fail. */
import { compareTagVersions, admitsTagVersion } from '../version/tag-version.ts';
import type { MatrixRow, MatrixStep, MeasuredVersion } from './compatibility.ts';
import type { Manifest } from '../build/manifest.ts';
import { normalizePipName } from '../version/pep440.ts';
import { compareVersions } from '../version/semver-range.ts';

/** What was found about one version of a tag. */
interface TagOutcome {
  readonly version: string;
  readonly isGood: boolean;
  /** It works with old versions of the others only. */
  readonly needsLowest: boolean;
  /** The row that decides: of a good version one that worked. */
  readonly row: MatrixRow;
}

export interface KnownGood {
  readonly tag: string;
  /** Every measured version, lowest first. */
  readonly outcomes: readonly TagOutcome[];
  /** The highest version that works. */
  readonly lastGood: string | undefined;
  readonly firstGood: string | undefined;
  /** The lowest version that fails and is higher than all that work. */
  readonly firstBad: TagOutcome | undefined;
  /** The highest version that fails and is lower than all that work. */
  readonly badBelow: TagOutcome | undefined;
}

/** One entry for each tag, sorted by name. */
export function knownGood(rows: readonly MatrixRow[]): KnownGood[] {
  const byTag = Map.groupBy(rows, ({ tag }) => tag);
  return [...byTag].sort(([a], [b]) => (a < b ? -1 : 1)).map(([tag, of]) => tagOf(tag, of));
}

/**
 * For each tag the oldest and the newest version that works. Of `python` only what is installed where it is measured is tried:
 * there the oldest counts if a lower one failed.
 */
export function measuredBounds(
  rows: readonly MatrixRow[],
): Record<string, { from?: string; to: string }> {
  const entries = knownGood(rows).flatMap(({ tag, firstGood, lastGood, badBelow }) => {
    if (firstGood === undefined || lastGood === undefined) return [];
    const isLowest = tag !== 'python' || badBelow !== undefined;
    return [[tag, { ...(isLowest ? { from: firstGood } : {}), to: lastGood }] as const];
  });
  return Object.fromEntries(entries);
}

/** The failure as a sentence: the step, and the first line of what it wrote. */
export function failureText({ step, error = [] }: MatrixRow): string {
  return step === undefined ? '' : `${STEP_NAMES[step]}: ${error[0] ?? ''}`;
}

/** What each step is called in texts. */
export const STEP_NAMES: Readonly<Record<MatrixStep, string>> = {
  add: 'adding the build',
  packages: 'installing packages',
  types: 'type check',
  load: 'loading the code',
  verify: 'Verify of the guide',
};

function tagOf(tag: string, rows: readonly MatrixRow[]): KnownGood {
  const outcomes = [...Map.groupBy(rows, ({ version }) => version)]
    .map(([version, of]): TagOutcome => {
      const good = of.filter(({ outcome }) => outcome === 'ok');
      const newest = (from: readonly MatrixRow[]): MatrixRow =>
        from.find(({ others }) => others === 'newest') ?? from[0]!;
      const isGood = good.length > 0;
      const row = newest(isGood ? good : of);
      return { version, isGood, needsLowest: isGood && row.others === 'lowest', row };
    })
    .sort((a, b) => compareTagVersions(a.version, b.version));
  const good = outcomes.filter(({ isGood }) => isGood).map(({ version }) => version);
  const [firstGood, lastGood] = [good[0], good.at(-1)];
  const bad = outcomes.filter(({ isGood }) => !isGood);
  return {
    tag,
    outcomes,
    firstGood,
    lastGood,
    firstBad: bad.find(
      ({ version }) => lastGood === undefined || compareTagVersions(version, lastGood) > 0,
    ),
    badBelow: bad.findLast(
      ({ version }) => firstGood !== undefined && compareTagVersions(version, firstGood) < 0,
    ),
  };
}

/**
 * Ranges of a version that the matrix of an earlier version had proved wrong when it was published: they admit a version
 * of a tag with which the earlier one failed. A pure function of the builds and the signals.
 */
interface UnprovenRange {
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
