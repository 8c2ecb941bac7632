/** What was measured of a build: by tag the versions with which it works and fails. */
import { z } from 'zod';
import type { PackageRecord } from '../../format/index/record.ts';
import { oneLine } from '../terminal/printable.ts';
import { span, type StyledText } from '../terminal/styled-text.ts';
import { Compatibility } from '../../format/index/compatibility.ts';
import { compatibilityPath } from '../../format/index/layout.ts';
import { failureText, knownGood, rangesOf, type KnownGood } from '../../format/index/known-good.ts';
import { optional, type Registry } from '../registry/registry.ts';

const Failure = z.looseObject({
  version: z.string(),
  step: z.string(),
  error: z.array(z.string()).describe('The first lines of what the step wrote.'),
});
type Failure = z.infer<typeof Failure>;

/** What was measured about one tag, as `--json` prints it. */
export const MeasuredRangeOutput = z.looseObject({
  tag: z.string(),
  range: z.string(),
  last_good: z.string().optional().describe('The highest version that works.'),
  first_bad: Failure.optional().describe('The lowest version that fails above it.'),
  bad_below: Failure.optional().describe('The highest version that fails below those that work.'),
  versions: z.array(
    z.looseObject({
      version: z.string(),
      outcome: z.enum(['ok', 'failed']),
      others: z.enum(['newest', 'lowest']).describe('Which versions of the others were used.'),
      date: z.string(),
    }),
  ),
});
export type MeasuredRange = z.infer<typeof MeasuredRangeOutput>;

/** Empty where nothing was measured. */
export async function measuredRanges(
  registry: Registry,
  { id, version, manifest }: PackageRecord,
): Promise<MeasuredRange[]> {
  const path = compatibilityPath(id);
  const found = await optional(() => registry.about(Compatibility, path, id, 'compatibility'));
  const results = found?.versions.find((one) => one.version === version)?.results ?? [];
  const ranges = rangesOf(manifest);
  return knownGood(results).map((one) => rangeOf(one, ranges[one.tag] ?? ''));
}

/** One line for each tag. */
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
    last_good: lastGood,
    first_bad: firstBad && failureOf(firstBad),
    bad_below: badBelow && failureOf(badBelow),
    versions: outcomes.map(({ version, row: { outcome, others, date } }) => {
      return { version, outcome, others, date };
    }),
  };
}

function failureOf({ version, row }: KnownGood['outcomes'][number]): Failure {
  const [step = ''] = failureText(row).split(': ');
  return { version, step, error: [...(row.error ?? [])] };
}
