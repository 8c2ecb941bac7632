/** The lower end of a rate that few observations show: how reports and reputations become a number. */

/** The normal quantile of a 95 % interval. */
const Z = 1.96;

/**
 * The lower end of the 95 % interval of a rate by the Wilson score (E. B. Wilson, 1927): few observations count for little. 0 without any.
 * @example
 * wilsonLowerBound(3, 3).toFixed(2); // '0.44'
 */
export function wilsonLowerBound(successes: number, observations: number): number {
  // Exactly 0 despite rounding: equal builds must rank as equal.
  if (observations === 0 || successes === 0) return 0;
  const rate = successes / observations;
  const z2 = Z * Z;
  const centre = rate + z2 / (2 * observations);
  const variance = (rate * (1 - rate)) / observations + z2 / (4 * observations * observations);
  return Math.max(0, (centre - Z * Math.sqrt(variance)) / (1 + z2 / observations));
}
