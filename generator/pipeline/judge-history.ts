/** Adds the findings to the versions of a run that depend on earlier publications. */
import type { PublishedFinding } from '../../format/finding/finding.ts';
import { finding, publishFinding } from '../../format/finding/finding.ts';
import { allHistoryChecks } from './history-checks/all.ts';
import type { RegistryThen } from './history-checks/history-check.ts';
import type { VersionFacts } from '../../examine/version-facts.ts';
import type { Publication, State } from '../state/state.ts';

/** @param published the versions that are new to the index */
export function judgeHistory(
  state: State,
  published: readonly Pick<Publication, 'id' | 'version' | 'commit' | 'seq'>[],
): void {
  for (const { id, version, commit, seq } of published) {
    const facts = state.facts(id, version);
    if (facts === undefined) continue;
    const then: RegistryThen = {
      versionsOf: (other) => state.versionsUpTo(other, seq, commit),
      factsOf: (other, one) => state.facts(other, one),
    };
    const added = allHistoryChecks.flatMap((check) => {
      try {
        return check.run(id, facts, then);
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        return [finding('check-failed', '', { check: check.name, problem }, 'info')];
      }
    });
    if (added.length > 0)
      state.setFacts(id, version, withFindings(facts, added.map(publishFinding)));
  }
}

/** Adds findings in their published order: errors first, then by file, code, message. */
function withFindings(facts: VersionFacts, added: readonly PublishedFinding[]): VersionFacts {
  const rank = { error: 0, warn: 1, info: 2 };
  const key = (f: PublishedFinding): string =>
    [rank[f.level], f.file, f.code, f.message].join('\u0000');
  const all = [...facts.findings, ...added].map((f) => ({ f, k: key(f) }));
  all.sort((a, b) => (a.k < b.k ? -1 : a.k > b.k ? 1 : 0));
  return { ...facts, findings: all.map(({ f }) => f) };
}
