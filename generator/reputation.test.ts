import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDay } from '../format/statement/day.ts';
import { countReports, reputationOf } from './reputation.ts';
import type { OwnedBuild, OwnedVersion } from './reputation.ts';

type AcceptedReport = Parameters<typeof countReports>[0][number];

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

function report(account: string, build: string, daysAgo: number, isSuccess = true): AcceptedReport {
  const day = TODAY - daysAgo;
  const at = `${formatDay(day)}T10:00:00.000Z`;
  return { id: `${account} ${build} ${day} ${isSuccess}`, account, build, isSuccess, at, day };
}

/** Two reports that make an account established: long ago, on builds of other owners. */
function past(account: string, daysAgo: number): AcceptedReport[] {
  return [report(account, 'x/a', daysAgo), report(account, 'y/a', daysAgo)];
}

function countOf(reports: AcceptedReport[], build = 'a/b', owners = 9) {
  return countReports(reports, owners).get(build);
}

describe('countReports()', () => {
  it('counts new accounts together once', () => {
    const crowd = Array.from({ length: 10_000 }, (_, n) => report(`host:${n}`, 'a/b', 0));
    expect(countOf(crowd)).toEqual({ success: 1, failure: 0 });
  });

  it('counts an established account as one, however often it reports', () => {
    const often = Array.from({ length: 50 }, (_, n) => report('host:1', 'a/b', n));
    expect(countOf([...past('host:1', 60), ...often])).toEqual({ success: 1, failure: 0 });
  });

  it('lets new accounts add a fifth to what the established ones say', () => {
    const established = Array.from({ length: 10 }, (_, n) => [
      ...past(`host:${n}`, 40 + 7 * n),
      report(`host:${n}`, 'a/b', 1),
    ]).flat();
    const crowd = Array.from({ length: 10_000 }, (_, n) => report(`host:9${n}`, 'a/b', 0, false));
    expect(countOf([...established, ...crowd])).toEqual({ success: 10, failure: 2 });
  });

  it('takes the newest report of an account', () => {
    const ended = [report('host:1', 'a/b', 2, true), report('host:1', 'a/b', 1, false)];
    expect(countOf([...past('host:1', 60), ...ended])).toEqual({ success: 0, failure: 1 });
  });

  it('counts a cohort once, by the outcome of most of its reports', () => {
    const cohort = Array.from({ length: 500 }, (_, n) => [
      ...past(`host:${n}`, 60),
      report(`host:${n}`, 'a/b', 1, n % 3 !== 0),
    ]).flat();
    expect(countOf(cohort)).toEqual({ success: 1, failure: 0 });
  });

  it('counts accounts of many cohorts one by one', () => {
    const many = Array.from({ length: 20 }, (_, n) => [
      ...past(`host:${n}`, 40 + 7 * n),
      report(`host:${n}`, 'a/b', 1),
    ]).flat();
    expect(countOf(many)).toEqual({ success: 20, failure: 0 });
  });

  it('asks for builds of two owners, unless the registry has one', () => {
    const loyal = Array.from({ length: 4 }, (_, n) => report(`host:${n}`, 'a/b', 40 + 7 * n));
    const late = report('host:9', 'a/b', 0, false);
    expect(countOf([...loyal, late])).toEqual({ success: 1, failure: 0 });
    expect(countOf([...loyal, late], 'a/b', 1)).toEqual({ success: 4, failure: 1 });
  });

  it('does not depend on the order of reports, nor on reports that come twice', () => {
    const some = fc.record({
      account: fc.integer({ min: 1, max: 12 }).map((n) => `host:${n}`),
      build: fc.constantFrom('a/b', 'a/c', 'b/c', 'c/d'),
      daysAgo: fc.nat(120),
      isSuccess: fc.boolean(),
    });
    const reports = fc.array(
      some.map((r) => report(r.account, r.build, r.daysAgo, r.isSuccess)),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(reports, fc.nat(60), (all, at) => {
        const turned = [...all.slice(at), ...all, ...all.slice(0, at)].reverse();
        const sorted = (counts: ReturnType<typeof countReports>) =>
          [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
        expect(sorted(countReports(turned, 4))).toEqual(sorted(countReports(all, 4)));
      }),
    );
  });
});
