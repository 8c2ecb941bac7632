/** What the rows of a compatibility matrix say about each tag: the last version known to work, the first known to fail. */
import { compareTagVersions } from '../version/tag-version.ts';
import type { MatrixRow, MatrixStep } from './compatibility.ts';

/** What was found about one version of a tag. */
export interface TagOutcome {
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
  /** The lowest version that works. */
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
