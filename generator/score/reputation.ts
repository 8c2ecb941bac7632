/** Reputation: a publisher's standing, 0 to 100, from rates and never from volume. See `docs/scoring.md`. */
import { tryParseDay } from '../../format/statement/day.ts';
import type { Risk } from '../../format/index/record.ts';
import { wilsonLowerBound } from '../../format/index/wilson.ts';

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
export interface OwnerFacts {
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
