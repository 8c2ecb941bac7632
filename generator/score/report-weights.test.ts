import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDay } from '../../format/statement/day.ts';
import { countReports } from './report-weights.ts';
import type { AcceptedReport } from './report-weights.ts';

const TODAY = 20_700;

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

  describe('of CI runs', () => {
    const run = (n: number, daysAgo: number, isSuccess = true, build = 'a/b'): AcceptedReport => ({
      ...report(`ci:git.example:${n}`, build, daysAgo, isSuccess),
      ci: { issuer: 'git.example', owner: String(n), actor: String(n) },
    });
    const established = (n: number, daysAgo: number, isSuccess = true): AcceptedReport[] => [
      run(n, daysAgo, true, 'x/a'),
      run(n, daysAgo, true, 'y/a'),
      run(n, 1, isSuccess),
    ];
    const people = Array.from({ length: 10 }, (_, n) => [
      ...past(`host:${n}`, 40 + 7 * n),
      report(`host:${n}`, 'a/b', 1),
    ]).flat();

    it('counts new repositories together with new accounts', () => {
      const crowd = Array.from({ length: 1000 }, (_, n) => run(n, 0));
      const accounts = Array.from({ length: 1000 }, (_, n) => report(`host:${n}`, 'a/b', 0));
      expect(countOf([...crowd, ...accounts])).toEqual({ success: 1, failure: 0 });
    });

    it('counts 1,000 repositories that appeared together as less than a half', () => {
      const crowd = Array.from({ length: 1000 }, (_, n) => established(n, 120, false)).flat();
      expect(countOf(crowd)).toEqual({ success: 0, failure: 0 });
      expect(countOf([...people, ...crowd])).toEqual({ success: 10, failure: 0 });
    });

    const over = (isSuccess: boolean): AcceptedReport[] =>
      Array.from({ length: 1000 }, (_, n) => established(n, 100 + 28 * (n % 90), isSuccess)).flat();

    it('counts repositories that appeared over time, however many, as one', () => {
      const few = Array.from({ length: 3 }, (_, n) => established(n, 100 + 28 * n)).flat();
      expect(countOf(few)).toEqual({ success: 1, failure: 0 });
      expect(countOf(over(true))).toEqual({ success: 1, failure: 0 });
    });

    it('lets them add, with new accounts, a fifth to what established accounts report', () => {
      const crowd = Array.from({ length: 1000 }, (_, n) => report(`host:9${n}`, 'a/b', 0, false));
      expect(countOf([...people, ...over(false)])).toEqual({ success: 10, failure: 2 });
      expect(countOf([...people, ...over(false), ...crowd])).toEqual({ success: 10, failure: 2 });
      // One account alone: a fifth of its report is rounded to nothing.
      expect(countOf([...people.slice(0, 3), ...over(false)])).toEqual({ success: 1, failure: 0 });
    });

    it('takes repositories of one owner, or that one person runs, for one', () => {
      const of = (who: 'owner' | 'actor') =>
        Array.from({ length: 10 }, (_, n) => established(n, 100 + 28 * n))
          .flat()
          .map((one) => ({ ...one, ci: { ...one.ci!, [who]: '1' } }));
      expect(countOf(of('owner'))).toEqual({ success: 0, failure: 0 });
      expect(countOf(of('actor'))).toEqual({ success: 0, failure: 0 });
    });

    it('does not let few repositories hide what new accounts report', () => {
      const accounts = [report('host:1', 'a/b', 0)];
      expect(countOf([...accounts, ...established(1, 120)])).toEqual({ success: 1, failure: 0 });
    });
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
