/** Runs the checks over a build. A check that throws has not cleared it: that is a finding too. */
import type { Finding } from '../format/finding/finding.ts';
import { finding } from '../format/finding/finding.ts';
import type { Check, CheckedBuild } from './rule.ts';

/** The findings of all `checks` about `build`. */
export function check(build: CheckedBuild, checks: readonly Check[]): Finding[] {
  return checks.flatMap((one) => {
    try {
      return one.run(build);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return [finding('check-failed', '', { check: one.name, problem })];
    }
  });
}
