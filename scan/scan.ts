/** Runs the rules over a build. A rule that throws becomes a finding, because the build was not checked completely. */
import { finding, type Finding } from '../format/finding/finding.ts';
import { addUp } from './risk.ts';
import type { Rule } from './rule.ts';
import type { ScannedBuild } from './scanned-file.ts';

/**
 * The findings of all `rules` for `build`, in the order of the rules, with the levels that they justify together.
 *
 * @param beside findings about other parts of the same build
 */
export function scan(
  build: ScannedBuild,
  rules: readonly Rule[],
  beside: readonly Finding[] = [],
): Finding[] {
  return addUp([...findingsOf(build, rules), ...beside]);
}

/** The findings of each rule by itself. */
export function findingsOf(build: ScannedBuild, rules: readonly Rule[]): Finding[] {
  return rules.flatMap((rule) => {
    try {
      return rule.run(build);
    } catch (error) {
      return [checkFailed(rule.name, error)];
    }
  });
}

/** The finding for a check that threw `error`. */
export function checkFailed(check: string, error: unknown): Finding {
  const problem = error instanceof Error ? error.message : String(error);
  return finding('check-failed', '', { check, problem });
}
