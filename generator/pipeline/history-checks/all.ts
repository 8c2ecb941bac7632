/** The checks that every new version passes through once its place in history is known, in order. */
import type { VersionFacts } from '../../../scan/version-facts.ts';
import { capability } from './capability.ts';
import { requiresBuild } from './requires-build.ts';
import type { HistoryCheck } from './history-check.ts';

export const allHistoryChecks: readonly HistoryCheck[] = [capability, requiresBuild];

/** Whether any of them may find something in a version. Most versions need none. */
export function dependsOnHistory(facts: VersionFacts): boolean {
  return allHistoryChecks.some((check) => check.concerns(facts));
}
