/**
 * How many reports count. Accounts cost nothing, so a crowd of them must not: an account counts once a
 * build, accounts that appeared together count together, and new ones hardly. Reasons and numbers are in
 * `docs/scoring.md`, what it withstands in `bench/ring.ts`.
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
}

export interface ReportCounts {
  readonly success: number;
  readonly failure: number;
}

/** From its first report on, an account is new for so long. */
const NEW_ACCOUNT_DAYS = 30;
/** An account that reports on builds of fewer owners stays new (a registry may have fewer owners). */
const ESTABLISHED_OWNERS = 2;
/** Accounts whose first reports are in the same span of this many days are one cohort. */
const COHORT_DAYS = 7;
/** So much do the established accounts of one cohort count for one build at most. */
const MAX_COHORT_WEIGHT = 1;
/** New accounts together count so much for a build on which no established one has reported. */
const NEW_ACCOUNTS_WEIGHT = 1;
/** And on others such a share of what the established ones count. */
const NEW_ACCOUNTS_SHARE = 0.2;

/** A success and a failure weight. */
type Weights = [success: number, failure: number];

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
  const accounts = accountFacts(reports);
  const newest = reports.reduce((day, report) => Math.max(day, report.day), -Infinity);
  const neededOwners = Math.min(ESTABLISHED_OWNERS, owners);
  const isEstablished = (facts: AccountFacts): boolean =>
    newest - facts.first >= NEW_ACCOUNT_DAYS && facts.owners.size >= neededOwners;
  const counted = new Map<string, ReportCounts>();
  for (const [build, latest] of latestReports(reports)) {
    const cohorts = new Map<number, Weights>();
    const fresh: Weights = [0, 0];
    for (const { account, isSuccess } of latest.values()) {
      const facts = accounts.get(account)!;
      const cohort = Math.floor(facts.first / COHORT_DAYS);
      const weights = isEstablished(facts) ? (cohorts.get(cohort) ?? [0, 0]) : fresh;
      weights[isSuccess ? 0 : 1] += 1;
      if (weights !== fresh) cohorts.set(cohort, weights);
    }
    counted.set(
      build,
      addUp(
        [...cohorts].sort(([a], [b]) => a - b).map(([, w]) => w),
        fresh,
      ),
    );
  }
  return counted;
}

function accountFacts(reports: readonly AcceptedReport[]): Map<string, AccountFacts> {
  const accounts = new Map<string, AccountFacts>();
  for (const { account, day, build } of reports) {
    const facts = accounts.get(account) ?? { first: day, owners: new Set() };
    facts.first = Math.min(facts.first, day);
    facts.owners.add(build.slice(0, build.indexOf('/')));
    accounts.set(account, facts);
  }
  return accounts;
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

function addUp(cohorts: readonly Weights[], fresh: Weights): ReportCounts {
  let [success, failure] = [0, 0];
  const add = (weights: Weights, limit: number): void => {
    const scale = Math.min(1, limit / Math.max(1, weights[0] + weights[1]));
    success += weights[0] * scale;
    failure += weights[1] * scale;
  };
  for (const weights of cohorts) add(weights, MAX_COHORT_WEIGHT);
  const established = success + failure;
  add(fresh, established > 0 ? NEW_ACCOUNTS_SHARE * established : NEW_ACCOUNTS_WEIGHT);
  return { success: Math.round(success), failure: Math.round(failure) };
}
