/** Reputation: the score of a build in its use and reports, and how much each report weighs. */
import type { Risk } from '../format/index/record.ts';
import { wilsonLowerBound } from '../format/index/wilson.ts';
import { tryParseDay } from '../format/statement/day.ts';

/** A published version of an owner. */
export interface OwnedVersion {
  readonly published_at: string;
  readonly risk: Risk;
  readonly isYanked: boolean;
}

/** Counted reports and upheld flags of one build. */
export interface OwnedBuild {
  readonly success: number;
  readonly failure: number;
  /** Versions with an upheld flag. */
  readonly upheld: number;
}

/** What is known of an owner, over all builds. */
interface OwnerFacts {
  /** At least one, in any order. */
  readonly versions: readonly OwnedVersion[];
  readonly builds: readonly OwnedBuild[];
}

export interface Reputation {
  readonly score: number;
  /** Points by part; they add up to the score before it is cut to 0..100 and rounded. */
  readonly parts: Readonly<Record<string, number>>;
}

/** Points for age: after so many days from the first publication on. */
export const AGE_STEPS: readonly (readonly [days: number, points: number])[] = [
  [90, 4],
  [365, 7],
  [730, 10],
];
const NEUTRAL = 50;
const REPORTS = { success: 40, failure: -30 };
const YANKED = -15;
const RISK = -15;
/** Every owner begins with so many good days, so that the first mishap is not all that is known. */
const GOOD_DAYS = 3;
const UPHELD = { each: -15, most: -45 };

/**
 * New owners start at 50. Publishing more, by itself, never raises a score.
 * @param now the newest commit's time: never the clock, or the same commit would give other bytes
 */
export function reputationOf(facts: OwnerFacts, now: string): Reputation {
  const { builds, versions } = facts;
  const parts = {
    start: NEUTRAL,
    age: agePoints(versions, now),
    reports_success: round(REPORTS.success * successBound(builds)),
    reports_failure: round(REPORTS.failure * failureBound(builds)),
    yanked: round(YANKED * shareOfDays(versions, (v) => (v.isYanked ? 1 : 0))),
    risk: round(RISK * shareOfDays(versions, riskWeight)),
    flags: Math.max(UPHELD.most, round(UPHELD.each * sum(builds.map((b) => b.upheld)))),
  };
  return { score: Math.round(Math.min(100, Math.max(0, sum(Object.values(parts))))), parts };
}

function agePoints(versions: readonly OwnedVersion[], now: string): number {
  const days = versions.map((v) => dayOf(v.published_at));
  const age = dayOf(now) - Math.min(...days);
  return AGE_STEPS.reduce((points, [needed, given]) => (age >= needed ? given : points), 0);
}

/** Of the build with the most counted reports, so that builds without any change nothing. */
function successBound(builds: readonly OwnedBuild[]): number {
  let [best, most] = [0, 0];
  for (const { success, failure } of builds) {
    const bound = wilsonLowerBound(success, success + failure);
    if (success + failure < most) continue;
    best = success + failure === most ? Math.min(best, bound) : bound;
    most = success + failure;
  }
  return best;
}

/** Of the build that fails most surely: a good build does not hide a bad one. */
function failureBound(builds: readonly OwnedBuild[]): number {
  const bounds = builds.map((b) => wilsonLowerBound(b.failure, b.success + b.failure));
  return Math.max(0, ...bounds);
}

/**
 * The share of bad days among the days on which the owner published, at its highest over time. A day
 * counts once however much was published on it, and days that follow do not lower what was: so no number
 * of empty versions thins it out. `GOOD_DAYS` soften the first ones.
 */
function shareOfDays(
  versions: readonly OwnedVersion[],
  badness: (version: OwnedVersion) => number,
): number {
  const days = new Map<number, number>();
  for (const version of versions) {
    const day = dayOf(version.published_at);
    days.set(day, Math.max(days.get(day) ?? 0, badness(version)));
  }
  let [highest, bad, counted] = [0, 0, GOOD_DAYS];
  for (const day of [...days.keys()].sort((a, b) => a - b)) {
    bad += days.get(day) ?? 0;
    counted += 1;
    highest = Math.max(highest, bad / counted);
  }
  return highest;
}

function riskWeight({ risk }: OwnedVersion): number {
  if (risk === 'danger') return 1;
  return risk === 'caution' ? 0.5 : 0;
}

function dayOf(time: string): number {
  return tryParseDay(time) ?? 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}

function round(points: number): number {
  // `+ 0` turns -0 into 0, which JSON would otherwise write as 0 and a reader compare as -0.
  return Math.round(points * 100) / 100 + 0;
}

/** A report that passed every check. */
interface AcceptedReport {
  readonly id: string;
  readonly account: string;
  readonly build: string;
  readonly isSuccess: boolean;
  /** When it arrived, by the registry's clock: never what the account claims. */
  readonly at: string;
  readonly day: number;
}

interface ReportCounts {
  readonly success: number;
  readonly failure: number;
}

/** From its first report on, an account is new for so many days. */
const NEW_DAYS = 30;
/** Accounts whose first reports are in the same span of this many days are one cohort. */
const COHORT_DAYS = 7;
/** So much do the established accounts of one cohort count for one build at most. */
const MAX_COHORT_WEIGHT = 1;

/** An account that reports on builds of fewer owners stays new (a registry may have fewer owners). */
const ESTABLISHED_OWNERS = 2;
/** New accounts together count so much for a build on which no established account has reported. */
const CHEAP_WEIGHT = 1;
/** And on others such a share of what the established accounts count. */
const CHEAP_SHARE = 0.2;

type Weights = readonly [success: number, failure: number];

interface AccountFacts {
  first: number;
  readonly owners: Set<string>;
}

/**
 * The counted reports of each build. Time is that of the newest report: nothing depends on a clock.
 * @param owners how many owners the registry has
 */
export function countReports(
  reports: readonly AcceptedReport[],
  owners: number,
): Map<string, ReportCounts> {
  const facts = accountFacts(reports);
  const newest = reports.reduce((day, report) => Math.max(day, report.day), -Infinity);
  const neededOwners = Math.min(ESTABLISHED_OWNERS, owners);
  const counted = new Map<string, ReportCounts>();
  for (const [build, latest] of latestReports(reports)) {
    // The established accounts, by cohort; the order of the numbers makes sums the same in each run.
    const cohorts = new Map<number, [success: number, failure: number]>();
    const fresh: [success: number, failure: number] = [0, 0];
    for (const { account, isSuccess } of latest.values()) {
      const { first, owners: reportedOn } = facts.get(account)!;
      const isEstablished = newest - first >= NEW_DAYS && reportedOn.size >= neededOwners;
      const cohort = Math.floor(first / COHORT_DAYS);
      const weights = isEstablished ? (cohorts.get(cohort) ?? [0, 0]) : fresh;
      if (isEstablished) cohorts.set(cohort, weights);
      weights[isSuccess ? 0 : 1] += 1;
    }
    const sorted = [...cohorts].sort(([a], [b]) => a - b).map(([, weights]) => weights);
    counted.set(build, addUp(sorted, fresh));
  }
  return counted;
}

function accountFacts(reports: readonly AcceptedReport[]): Map<string, AccountFacts> {
  const all = new Map<string, AccountFacts>();
  for (const { account, day, build } of reports) {
    const facts = all.get(account) ?? { first: day, owners: new Set() };
    facts.first = Math.min(facts.first, day);
    facts.owners.add(build.slice(0, build.indexOf('/')));
    all.set(account, facts);
  }
  return all;
}

/** Build to account to its newest report on any version: a repeated attempt counts with its last result. */
function latestReports(
  reports: readonly AcceptedReport[],
): Map<string, Map<string, AcceptedReport>> {
  const builds = new Map<string, Map<string, AcceptedReport>>();
  for (const report of reports) {
    const latest = builds.get(report.build) ?? new Map<string, AcceptedReport>();
    const known = latest.get(report.account);
    if (known === undefined || isLater(report, known)) latest.set(report.account, report);
    builds.set(report.build, latest);
  }
  return builds;
}

function isLater(a: AcceptedReport, b: AcceptedReport): boolean {
  return a.at === b.at ? a.id > b.id : a.at > b.at;
}

/** Accounts count by their cohorts. New accounts cost nothing: no number of them raises their share. */
function addUp(cohorts: readonly Weights[], fresh: Weights): ReportCounts {
  const established = sumOf(cohorts.map((weights) => atMost(weights, MAX_COHORT_WEIGHT)));
  const total = established[0] + established[1];
  const limit = total > 0 ? CHEAP_SHARE * total : CHEAP_WEIGHT;
  const [success, failure] = sumOf([established, atMost(fresh, limit)]);
  return { success: Math.round(success), failure: Math.round(failure) };
}

/** `weights` in proportion, together no more than `limit`. */
function atMost([success, failure]: Weights, limit: number): Weights {
  const scale = limit / Math.max(limit, success + failure, Number.MIN_VALUE);
  return [success * scale, failure * scale];
}

function sumOf(all: readonly Weights[]): Weights {
  return all.reduce<Weights>(([a, b], [success, failure]) => [a + success, b + failure], [0, 0]);
}
