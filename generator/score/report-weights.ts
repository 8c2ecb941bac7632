/**
 * How many reports count. Accounts cost nothing, so a crowd of them must not: an account counts once a
 * build, accounts that appeared together count together, and new ones hardly. Repositories, which sign by their
 * CI runs, cost even less. Reasons and numbers are in `docs/scoring.md`, what it withstands in `bench/ring.ts`.
 */

/** A report that passed every check. */
export interface AcceptedReport {
  readonly id: string;
  readonly account: string;
  readonly build: string;
  readonly isSuccess: boolean;
  /** When it arrived, by the registry's or the service's clock: never what the account claims. */
  readonly at: string;
  /** The day of `at`. */
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

export interface ReportCounts {
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

/** A success and a failure weight. */
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
  const ofAccounts = sum(cohorts.filter(({ rule }) => rule === ACCOUNT_RULE).map(limited));
  const established = ofAccounts[0] + ofAccounts[1];
  const limit = established > 0 ? CHEAP_SHARE * established : CHEAP_WEIGHT;
  const byCi = atMost(sum(cohorts.filter(({ rule }) => rule === CI_RULE).map(limited)), limit);
  // Few established repositories must not hide what new accounts report.
  const byNew = atMost(fresh, limit - byCi[0] - byCi[1]);
  const [success, failure] = sum([ofAccounts, byCi, byNew]);
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

function sum(all: readonly Weights[]): Weights {
  return all.reduce<Weights>(([a, b], [success, failure]) => [a + success, b + failure], [0, 0]);
}
