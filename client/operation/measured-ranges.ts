/** What a registry has measured about the ranges of a version, for people and for programs. */
import type { Compatibility } from '../../format/index/compatibility.ts';
import { failureText, knownGood } from '../../format/index/known-good.ts';
import type { KnownGood, TagOutcome } from '../../format/index/known-good.ts';
import type { PackageRecord } from '../../format/index/record.ts';
import { rangesOf } from '../../format/index/unproven-ranges.ts';
import { ClientError } from '../errors.ts';
import { readCompatibility } from '../registry/read-compatibility.ts';
import type { Registry } from '../registry/registry.ts';
import { oneLine } from '../terminal/printable.ts';
import type { StyledText } from '../terminal/styled-text.ts';
import { span } from '../terminal/styled-text.ts';

/** What was measured about one tag, as `--json` prints it. */
export interface MeasuredRange {
  readonly tag: string;
  readonly range: string;
  readonly last_good?: string;
  readonly first_bad?: Failure;
  /** The highest version that failed below those that work. */
  readonly bad_below?: Failure;
  readonly versions: readonly {
    readonly version: string;
    readonly outcome: 'ok' | 'failed';
    readonly others: 'newest' | 'lowest';
    readonly date: string;
  }[];
}

interface Failure {
  readonly version: string;
  readonly step: string;
  readonly error: readonly string[];
}

/** Empty where nothing was measured, and where that is not known: it never keeps a record from being shown. */
export async function measuredRanges(
  registry: Registry,
  { id, version, manifest }: PackageRecord,
): Promise<MeasuredRange[]> {
  let found: Compatibility | undefined;
  try {
    found = await readCompatibility(registry, id);
  } catch (error) {
    if (!(error instanceof ClientError) || error.code === 'ERR_LOG') throw error;
  }
  const results = found?.versions.find((one) => one.version === version)?.results ?? [];
  const ranges = rangesOf(manifest);
  return knownGood(results).map((one) => rangeOf(one, ranges[one.tag] ?? ''));
}

/** A line for each tag. */
export function measuredLines(measured: readonly MeasuredRange[]): StyledText[] {
  const width = Math.max(0, ...measured.map(({ tag }) => tag.length));
  return measured.map(({ tag, last_good, first_bad, bad_below, versions }): StyledText => {
    const good = versions.filter(({ outcome }) => outcome === 'ok').map(({ version }) => version);
    const oldest = good.length > 1 ? `, oldest ${good[0]}` : '';
    const bad = [
      ['first known bad', first_bad],
      ['known bad below', bad_below],
    ] as const;
    const failures = bad.flatMap(([name, failure]) => {
      if (failure === undefined) return [];
      const text = `${failure.version} (${failure.step}: ${failure.error[0] ?? ''})`;
      return [`; ${name} `, span('bad', oneLine(text))];
    });
    const label = span('faint', tag.padEnd(width + 2));
    return [
      '  ',
      label,
      'last known good ',
      span('number', last_good ?? 'none'),
      oldest,
      ...failures,
    ];
  });
}

function rangeOf(one: KnownGood, range: string): MeasuredRange {
  const { tag, lastGood, firstBad, badBelow, outcomes } = one;
  return {
    tag,
    range,
    ...(lastGood === undefined ? {} : { last_good: lastGood }),
    ...(firstBad === undefined ? {} : { first_bad: failureOf(firstBad) }),
    ...(badBelow === undefined ? {} : { bad_below: failureOf(badBelow) }),
    versions: outcomes.map(({ version, row: { outcome, others, date } }) => {
      return { version, outcome, others, date };
    }),
  };
}

function failureOf({ version, row }: TagOutcome): Failure {
  const [step = ''] = failureText(row).split(': ');
  return { version, step, error: row.error ?? [] };
}
