/** Reputation: a publisher's standing, 0 to 100, from rates and never from volume. See `docs/scoring.md`. */

/** What is known of an owner, over all builds. */
export interface OwnerFacts {
  readonly versions: number;
  readonly yanked: number;
  /** Versions whose risk is not `ok`. */
  readonly risky: number;
  readonly success: number;
  readonly failure: number;
  /** Open moderation flags. */
  readonly flags: number;
}

export interface Reputation {
  readonly score: number;
  /** Points by part; they add up to the score before it is cut to 0..100 and rounded. */
  readonly parts: Readonly<Record<string, number>>;
}

const NEUTRAL = 50;
const Z = 1.96;

/** New owners start at 50; good reports raise, bad reports, yanks, risk and flags lower. */
export function reputationOf(facts: OwnerFacts): Reputation {
  const reports = facts.success + facts.failure;
  const share = (count: number): number => (facts.versions === 0 ? 0 : count / facts.versions);
  const parts = {
    start: NEUTRAL,
    reports_success: round(50 * wilsonLowerBound(facts.success, reports)),
    reports_failure: round(-50 * wilsonLowerBound(facts.failure, reports)),
    yanked: round(-20 * share(facts.yanked)),
    risk: round(-20 * share(facts.risky)),
    flags: round(Math.max(-30, -10 * facts.flags)),
  };
  const sum = Object.values(parts).reduce((total, part) => total + part, 0);
  return { score: Math.round(Math.min(100, Math.max(0, sum))), parts };
}

/**
 * The lower end of the 95 % interval of a rate (E. B. Wilson, 1927): few reports count for little.
 * 0 without reports.
 */
export function wilsonLowerBound(successes: number, reports: number): number {
  if (reports === 0) return 0;
  const rate = successes / reports;
  const z2 = Z * Z;
  const centre = rate + z2 / (2 * reports);
  const spread = Z * Math.sqrt((rate * (1 - rate)) / reports + z2 / (4 * reports * reports));
  return Math.max(0, (centre - spread) / (1 + z2 / reports));
}

function round(points: number): number {
  // `+ 0` turns -0 into 0, which JSON would otherwise write as 0 and a reader compare as -0.
  return Math.round(points * 100) / 100 + 0;
}
