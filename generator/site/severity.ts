/** How severe an advisory is, in words, and which versions mend it. */
import { compareVersions } from '../../format/version/semver-range.ts';
import type { Advisory } from '../../format/advisory/advisory.ts';

type Severity = 'none' | 'low' | 'medium' | 'high' | 'critical';

/** Weights of the base metrics of CVSS 3.1, section 7.4. */
const WEIGHTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
};
const PRIVILEGES = {
  U: { N: 0.85, L: 0.62, H: 0.27 },
  C: { N: 0.85, L: 0.68, H: 0.5 },
} as const;

/**
 * The base score of a CVSS 3.0 or 3.1 vector with the eight base metrics, from 0 to 10 with one decimal.
 * @see https://www.first.org/cvss/v3.1/specification-document section 7.1
 */
export function cvss3Score(vector: string): number {
  const metrics = Object.fromEntries(vector.split('/').map((one) => one.split(':')));
  const weight = (name: string): number => WEIGHTS[name]?.[metrics[name] ?? ''] ?? 0;
  const isChanged = metrics['S'] === 'C';
  const missed = 1 - (1 - weight('C')) * (1 - weight('I')) * (1 - weight('A'));
  const impact = isChanged ? 7.52 * (missed - 0.029) - 3.25 * (missed - 0.02) ** 15 : 6.42 * missed;
  if (impact <= 0) return 0;
  const privileges = PRIVILEGES[isChanged ? 'C' : 'U'][metrics['PR'] as 'N' | 'L' | 'H'];
  const exploitability = 8.22 * weight('AV') * weight('AC') * privileges * weight('UI');
  const score = (isChanged ? 1.08 : 1) * (impact + exploitability);
  return roundUp(Math.min(score, 10));
}

/** To one decimal, without the errors of floating point (appendix A of the specification). */
function roundUp(score: number): number {
  const whole = Math.round(score * 100_000);
  return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10;
}

/** By its CVSS 3 vector; `undefined` for an advisory without one. */
export function severityOf({ severity = [] }: Pick<Advisory, 'severity'>): Severity | undefined {
  const vector = severity.find(({ type }) => type === 'CVSS_V3')?.score;
  if (vector === undefined) return undefined;
  const score = cvss3Score(vector);
  if (score === 0) return 'none';
  if (score < 4) return 'low';
  if (score < 7) return 'medium';
  return score < 9 ? 'high' : 'critical';
}

/** The lowest version of `build` above `version` that an advisory names as fixed. */
export function fixedVersion(
  build: string,
  version: string,
  { affected }: Pick<Advisory, 'affected'>,
): string | undefined {
  return affected
    .filter((one) => one.database_specific.build === build)
    .flatMap(({ ranges = [] }) => ranges.flatMap(({ events }) => events))
    .flatMap(({ fixed }) =>
      fixed !== undefined && compareVersions(fixed, version) > 0 ? fixed : [],
    )
    .sort(compareVersions)[0];
}
