/**
 * Tests whether a ring of accounts of one person can rank a build above an honest one, with the weights
 * (`generator/score/report-weights.ts`) and the ranking (`format/index/ranking.ts`) of the registry.
 *
 *     npm run bench:ring
 *
 * The honest build has reports of accounts that were created over a year, most of them good. The ring reports
 * successes of its own build and failures of the honest one. Prints, for each size and each preparation, the
 * weighted counts and which build is first; exits with status 1 when the build of a ring of new accounts is, or of repositories.
 */
import { countReports } from '../generator/reputation.ts';
import type { Ranked } from '../format/index/ranking.ts';
import { rankBuilds, reportBalance } from '../format/index/ranking.ts';
import { formatDay } from '../format/statement/day.ts';

type AcceptedReport = Parameters<typeof countReports>[0][number];

const TODAY = 20_777;
const HONEST = 'honest/build';
const RING = 'ring/build';
const OWNERS = 50;
const SIZES = [10, 30, 100, 300, 1_000, 3_000, 10_000];
const HONEST_SIZES = [2, 5, 10, 20, 40, 100];

/**
 * How a ring prepares: weeks over which its accounts appear, how long ago the last did, and for how many owners.
 * Its accounts are repositories that sign by their CI runs if `ci` is there: all of one person, or each of another.
 */
interface Preparation {
  readonly name: string;
  readonly ci?: 'one person' | 'many people';
  readonly weeks: number;
  readonly age: number;
  readonly owners: number;
}

const NEW: readonly Preparation[] = [
  { name: 'made today', weeks: 0, age: 0, owners: 1 },
  { name: 'made today, reports on 10 owners', weeks: 0, age: 0, owners: 10 },
  { name: 'made over 4 weeks', weeks: 4, age: 0, owners: 10 },
];
const AGED: readonly Preparation[] = [
  { name: 'aged 60 days, one target', weeks: 0, age: 60, owners: 1 },
  { name: 'aged 60 days, reports on 10 owners', weeks: 0, age: 60, owners: 10 },
];

const CI_NEW: readonly Preparation[] = [
  { name: 'repositories made today', ci: 'many people', weeks: 0, age: 0, owners: 10 },
  { name: 'repositories made over 40 weeks', ci: 'one person', weeks: 40, age: 100, owners: 10 },
  { name: 'repositories aged 60 days', ci: 'many people', weeks: 0, age: 60, owners: 10 },
  { name: 'repositories aged 120 days', ci: 'many people', weeks: 0, age: 120, owners: 10 },
  { name: 'repositories made over a year', ci: 'many people', weeks: 52, age: 100, owners: 2 },
  { name: 'repositories made over ten years', ci: 'many people', weeks: 520, age: 100, owners: 2 },
];
const RING_OF_REPOSITORIES = 1_000;

main();

function main(): void {
  console.log(
    `Honest build: 40 accounts over a year, 95 % good. Wins of the ring are marked with "!".\n`,
  );
  let isLifted = false;
  for (const preparation of NEW) {
    for (const size of SIZES) isLifted = show(preparation, size, 40) || isLifted;
  }
  for (const preparation of AGED) for (const size of SIZES) show(preparation, size, 40);
  console.log('\nNew rings of 10,000 against smaller honest builds:');
  for (const honest of HONEST_SIZES) isLifted = show(NEW[1]!, 10_000, honest) || isLifted;
  console.log(
    '\nWhere it stops holding: weeks over which a ring of 10,000 must make its accounts,',
  );
  console.log('more than a month ahead, each with reports on two owners, to stand above');
  for (const honest of HONEST_SIZES) {
    const weeks = weeksNeeded(honest);
    console.log(`  an honest build with ${String(honest).padStart(3)} accounts: ${weeks}`);
  }
  console.log(`\nRings of ${RING_OF_REPOSITORIES} repositories that sign by their CI runs:`);
  for (const preparation of CI_NEW) {
    for (const honest of HONEST_SIZES) {
      isLifted = show(preparation, RING_OF_REPOSITORIES, honest) || isLifted;
    }
  }
  if (isLifted) process.exitCode = 1;
}

/** Prints one case; returns whether the ring's build is first. */
function show(preparation: Preparation, size: number, honest: number): boolean {
  const { ring, other, isFirst } = simulate(preparation, size, honest);
  const counts = [ring, other].map(
    (b) => `${b.agent_reports.success}/${b.agent_reports.failure} (${reportBalance(b).toFixed(2)})`,
  );
  console.log(
    `${isFirst ? '!' : ' '} ${preparation.name.padEnd(36)} ${String(size).padStart(6)} accounts, ` +
      `${String(honest).padStart(3)} honest: ring ${counts[0]}, honest ${counts[1]}`,
  );
  return isFirst;
}

function weeksNeeded(honest: number): string {
  for (let weeks = 1; weeks <= 520; weeks += 1) {
    const preparation = { name: '', weeks, age: 40, owners: 2 };
    if (simulate(preparation, 10_000, honest).isFirst) return `${weeks} weeks`;
  }
  return 'more than ten years';
}

function simulate(
  preparation: Preparation,
  size: number,
  honest: number,
): { ring: Ranked; other: Ranked; isFirst: boolean } {
  const reports = [...honestReports(honest), ...ringReports(preparation, size)];
  const counts = countReports(reports, OWNERS);
  const summary = (id: string): Ranked => {
    const { success, failure } = counts.get(id) ?? { success: 0, failure: 0 };
    return {
      id,
      kind: 'module',
      description: 'The same text',
      keywords: ['same'],
      requires: {},
      provides: [],
      risk: 'ok',
      quality: 90,
      downloads: 1_000,
      agent_reports: { success, failure, success_rate: 0 },
      deprecated: false,
      yanked: false,
    };
  };
  const [ring, other] = [summary(RING), summary(HONEST)];
  return { ring, other, isFirst: rankBuilds('same', [ring, other])[0] === ring };
}

/** Accounts created one after another over a year, each with other builds too; every 20th reports a failure. */
function honestReports(count: number): AcceptedReport[] {
  return Array.from({ length: count }, (_, n) => {
    const account = `host:${1_000_000 + n}`;
    const first = TODAY - 365 + Math.floor((n * 320) / count);
    return [
      report(account, 'library/a', first, true),
      report(account, 'other/b', first + 10, true),
      report(account, HONEST, first + 20, n % 20 !== 19),
    ];
  }).flat();
}

function ringReports({ ci, weeks, age, owners }: Preparation, size: number): AcceptedReport[] {
  return Array.from({ length: size }, (_, n): AcceptedReport[] => {
    const account = ci === undefined ? `host:${2_000_000 + n}` : `ci:ci.example:${n + 1}`;
    const person = ci === 'one person' ? '1' : String(n + 1);
    const run = ci && { issuer: 'ci.example', owner: person, actor: person };
    const first = TODAY - age - 7 * (weeks === 0 ? 0 : n % weeks);
    const others = Array.from({ length: owners - 1 }, (_unused, at) =>
      report(account, `owner-${at}/build`, first, true),
    );
    const about = [report(account, RING, TODAY, true), report(account, HONEST, TODAY, false)];
    return [...others, ...about].map((one) => ({ ...one, ci: run }));
  })
    .flat()
    .concat(age === 0 ? [] : [report('host:3000000', 'library/a', TODAY, true)]);
}

function report(account: string, build: string, day: number, isSuccess: boolean): AcceptedReport {
  const at = `${formatDay(day)}T12:00:00.000Z`;
  return { id: `${account} ${build} ${day}`, account, build, isSuccess, at, day };
}
