/** Reputation: the score of a build in its use and reports, and how much each report weighs. */
import type { Risk } from '../format/index/record.ts';
import { wilsonLowerBound } from '../format/index/ranking.ts';
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
  /** When it arrived, by the registry's or the service's clock: never what the account claims. */
  readonly at: string;
  readonly day: number;
  /** Of a report that a CI run signed. */
  readonly ci?: CiRun | undefined;
}

/** The ids of a CI run at its issuer: who owns the repository, and who started the run. */
interface CiRun {
  readonly issuer: string;
  readonly owner: string;
  readonly actor: string;
}

interface ReportCounts {
  readonly success: number;
  readonly failure: number;
}

/** How the reports of a kind of account count. */
interface Rule {
  /** From its first report on, an account is new for so long. */
  readonly newDays: number;
  /** Accounts whose first reports are in the same span of this many days are one cohort. */
  readonly cohortDays: number;
  /** So much do the established accounts of one cohort count for one build at most. */
  readonly maxCohortWeight: number;
}

const ACCOUNT_RULE: Rule = { newDays: 30, cohortDays: 7, maxCohortWeight: 1 };
/** Below a half, so that one cohort of repositories alone is rounded to nothing. */
const CI_RULE: Rule = { newDays: 90, cohortDays: 28, maxCohortWeight: 0.4 };

/** An account that reports on builds of fewer owners stays new (a registry may have fewer owners). */
const ESTABLISHED_OWNERS = 2;
/** Repositories and new accounts together count so much for a build on which no established account has reported. */
const CHEAP_WEIGHT = 1;
/** And on others such a share of what the established accounts count. */
const CHEAP_SHARE = 0.2;

type Weights = readonly [success: number, failure: number];

interface AccountFacts {
  first: number;
  readonly owners: Set<string>;
}

/** The reports of a build by established accounts of one cohort. */
interface Cohort {
  readonly rule: Rule;
  readonly first: number;
  readonly weights: [success: number, failure: number];
}

/**
 * The counted reports of each build. Time is that of the newest report: nothing depends on a clock.
 * @param owners how many owners the registry has
 */
export function countReports(
  reports: readonly AcceptedReport[],
  owners: number,
): Map<string, ReportCounts> {
  const facts = partyFacts(reports);
  const newest = reports.reduce((day, report) => Math.max(day, report.day), -Infinity);
  const neededOwners = Math.min(ESTABLISHED_OWNERS, owners);
  const counted = new Map<string, ReportCounts>();
  for (const [build, latest] of latestReports(reports)) {
    const cohorts = new Map<string, Cohort>();
    const fresh: [success: number, failure: number] = [0, 0];
    for (const report of latest.values()) {
      const { rule, first, hasOwners } = standing(report, facts, neededOwners);
      const isEstablished = newest - first >= rule.newDays && hasOwners;
      const cohort = isEstablished ? cohortOf(cohorts, rule, first) : undefined;
      (cohort?.weights ?? fresh)[report.isSuccess ? 0 : 1] += 1;
    }
    const sorted = [...cohorts.values()].sort(
      (a, b) => a.rule.cohortDays - b.rule.cohortDays || a.first - b.first,
    );
    counted.set(build, addUp(sorted, fresh));
  }
  return counted;
}

function cohortOf(cohorts: Map<string, Cohort>, rule: Rule, day: number): Cohort {
  const first = Math.floor(day / rule.cohortDays);
  const key = `${rule.cohortDays} ${first}`;
  const cohort = cohorts.get(key) ?? { rule, first, weights: [0, 0] };
  cohorts.set(key, cohort);
  return cohort;
}

/**
 * Who stands behind a report. A person makes repositories, and organisations to hold them, without limit, so
 * a repository is as old as the first one of its owner and of the person who starts its runs.
 */
function partiesOf({ account, ci }: AcceptedReport): string[] {
  if (ci === undefined) return [account];
  return [`owner ${ci.issuer} ${ci.owner}`, `actor ${ci.issuer} ${ci.actor}`];
}

function standing(
  report: AcceptedReport,
  facts: ReadonlyMap<string, AccountFacts>,
  neededOwners: number,
): { rule: Rule; first: number; hasOwners: boolean } {
  const parties = partiesOf(report).map((party) => facts.get(party)!);
  return {
    rule: report.ci === undefined ? ACCOUNT_RULE : CI_RULE,
    first: Math.min(...parties.map(({ first }) => first)),
    hasOwners: parties.every(({ owners }) => owners.size >= neededOwners),
  };
}

function partyFacts(reports: readonly AcceptedReport[]): Map<string, AccountFacts> {
  const all = new Map<string, AccountFacts>();
  for (const report of reports) {
    for (const party of partiesOf(report)) {
      const facts = all.get(party) ?? { first: report.day, owners: new Set() };
      facts.first = Math.min(facts.first, report.day);
      facts.owners.add(report.build.slice(0, report.build.indexOf('/')));
      all.set(party, facts);
    }
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

/**
 * Accounts count by their cohorts. What costs nothing, repositories and then new accounts, shares one small limit: no
 * number of them and no patience raises it.
 */
function addUp(cohorts: readonly Cohort[], fresh: Weights): ReportCounts {
  const ofAccounts = sumOf(cohorts.filter(({ rule }) => rule === ACCOUNT_RULE).map(limited));
  const established = ofAccounts[0] + ofAccounts[1];
  const limit = established > 0 ? CHEAP_SHARE * established : CHEAP_WEIGHT;
  const byCi = atMost(sumOf(cohorts.filter(({ rule }) => rule === CI_RULE).map(limited)), limit);
  // Few established repositories must not hide what new accounts report.
  const byNew = atMost(fresh, limit - byCi[0] - byCi[1]);
  const [success, failure] = sumOf([ofAccounts, byCi, byNew]);
  return { success: Math.round(success), failure: Math.round(failure) };
}

function limited({ rule, weights }: Cohort): Weights {
  return atMost(weights, rule.maxCohortWeight);
}

/** `weights` in proportion, together no more than `limit`. */
function atMost([success, failure]: Weights, limit: number): Weights {
  const scale = limit / Math.max(limit, success + failure, Number.MIN_VALUE);
  return [success * scale, failure * scale];
}

function sumOf(all: readonly Weights[]): Weights {
  return all.reduce<Weights>(([a, b], [success, failure]) => [a + success, b + failure], [0, 0]);
}
