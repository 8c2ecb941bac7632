import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDay } from '../../format/statement/day.ts';
import { reputationOf } from './reputation.ts';
import type { OwnedBuild, OwnedVersion } from './reputation.ts';

const TODAY = 20_700;
const NOW = `${formatDay(TODAY)}T12:00:00.000Z`;

function version(daysAgo: number, changes: Partial<OwnedVersion> = {}): OwnedVersion {
  const published_at = `${formatDay(TODAY - daysAgo)}T10:00:00.000Z`;
  return { published_at, risk: 'ok', isYanked: false, ...changes };
}

function score(versions: OwnedVersion[], builds: Partial<OwnedBuild>[] = [{}]): number {
  const whole = builds.map((b) => ({ success: 0, failure: 0, upheld: 0, ...b }));
  return reputationOf({ versions, builds: whole }, NOW).score;
}

const anyVersion = fc
  .record({
    daysAgo: fc.nat(1500),
    risk: fc.constantFrom('ok' as const, 'caution' as const, 'danger' as const),
    isYanked: fc.boolean(),
  })
  .map(({ daysAgo, ...rest }) => version(daysAgo, rest));
const anyBuild = fc.record({ success: fc.nat(300), failure: fc.nat(300), upheld: fc.nat(4) });
const facts = fc.record({
  versions: fc.array(anyVersion, { minLength: 1, maxLength: 20 }),
  builds: fc.array(anyBuild, { minLength: 1, maxLength: 6 }),
});

describe('reputationOf()', () => {
  it('starts new owners at 50', () => {
    expect(score([version(0)])).toBe(50);
  });

  it.each([
    ['90 days raise', [version(90)], [{}], 54],
    ['a year raises', [version(365)], [{}], 57],
    ['two years raise, and more do not', [version(3000)], [{}], 60],
    ['good reports raise', [version(0)], [{ success: 100 }], 89],
    ['bad reports lower', [version(0)], [{ failure: 100 }], 21],
    ['a yank lowers', [version(2), version(1, { isYanked: true })], [{}], 47],
    ['danger lowers', [version(0, { risk: 'danger' })], [{}], 46],
    ['caution lowers half', [version(0, { risk: 'caution' })], [{}], 48],
    ['upheld flags lower, up to a point', [version(0)], [{ upheld: 9 }], 5],
    ['a good build does not hide a bad one', [version(0)], [{ success: 100 }, { failure: 99 }], 60],
  ])('%s', (_, versions, builds, expected) => {
    expect(score(versions, builds)).toBe(expected);
  });

  it('stays within 0 and 100, and its parts add up to it', () => {
    fc.assert(
      fc.property(facts, (f) => {
        const { score: total, parts } = reputationOf(f, NOW);
        const sum = Object.values(parts).reduce((a, b) => a + b, 0);
        expect(total).toBe(Math.round(Math.min(100, Math.max(0, sum))));
      }),
    );
  });

  it('never rises by publishing more: later versions, good or bad, and builds without reports', () => {
    const more = fc.array(anyVersion, { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(facts, more, (f, added) => {
        // Nobody publishes in the past: what is added comes after all that there is.
        const newest =
          f.versions
            .map((v) => v.published_at)
            .sort()
            .at(-1) ?? '';
        const later = added.filter((v) => v.published_at >= newest);
        const versions = [...f.versions, ...later];
        const builds = [...f.builds, { success: 0, failure: 0, upheld: 0 }];
        expect(reputationOf({ versions, builds }, NOW).score).toBeLessThanOrEqual(
          reputationOf(f, NOW).score,
        );
      }),
    );
  });

  it('depends on what is known and not on its order', () => {
    fc.assert(
      fc.property(facts, (f) => {
        const turned = { versions: f.versions.toReversed(), builds: f.builds.toReversed() };
        expect(reputationOf(turned, NOW)).toEqual(reputationOf(f, NOW));
      }),
    );
  });

  it('bulk does not thin out a mishap', () => {
    const bad = version(0, { isYanked: true });
    const empties = Array.from({ length: 1_000 }, () => version(1));
    expect(score([...empties, bad])).toBe(score([version(1), bad]));
  });
});
