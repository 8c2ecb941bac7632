/** Adds the findings to the versions of a run that depend on earlier publications. */
import { compareText } from '../../../format/compare-text.ts';
import {
  finding,
  publishFinding,
  withFindings,
  type Finding,
} from '../../../format/finding/finding.ts';
import type { VersionFacts } from '../../../scan/version-facts.ts';
import type { Publication, State } from '../../state/state.ts';
import { allHistoryChecks } from './all.ts';
import type { RegistryThen } from './history-check.ts';
import { checkPublicationTime } from './publication-time.ts';

const MAX_RECENT = 8;

/**
 * @param published the versions that are new to the index and for which `dependsOnHistory` is true
 * @param versions all that are new to the index, by build
 */
export function judgeHistory(
  state: State,
  published: readonly Pick<Publication, 'id' | 'version' | 'commit' | 'seq'>[],
  versions: ReadonlyMap<string, readonly string[]>,
): void {
  const factsOf = recentFacts(state);
  // Build by build: a version is compared with the one before it, whose facts were often just read.
  const ordered = published.toSorted((a, b) => compareText(a.id, b.id) || a.seq - b.seq);
  for (const { id, version, commit, seq } of ordered) {
    const facts = factsOf(id, version);
    if (facts === undefined) continue;
    const then: RegistryThen = {
      versionsOf: (other) => state.versionsUpTo(other, seq, commit),
      factsOf,
    };
    const added = allHistoryChecks.flatMap((check) => {
      try {
        return check.run(id, facts, then);
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        return [finding('check-failed', '', { check: check.name, problem }, 'info')];
      }
    });
    addFindings(state, id, version, added);
  }
  for (const [id, numbers] of versions) {
    for (const version of numbers) {
      addFindings(state, id, version, checkPublicationTime(state, id, version));
    }
  }
}

function addFindings(state: State, id: string, version: string, added: readonly Finding[]): void {
  // Others may have been added before.
  const facts = added.length === 0 ? undefined : state.facts(id, version);
  if (facts === undefined || facts.isTakenDown === true) return;
  const findings = withFindings(facts.findings, added.map(publishFinding));
  state.setFacts(id, version, { ...facts, findings });
}

/** Reads facts from the state; the last ones are remembered as they were before history was judged. */
function recentFacts(state: State): RegistryThen['factsOf'] {
  const recent = new Map<string, VersionFacts | undefined>();
  return (id, version) => {
    const key = `${id}@${version}`;
    if (recent.has(key)) return recent.get(key);
    const known = state.facts(id, version);
    // Of one that was taken down nothing is known.
    const facts = known?.isTakenDown === true ? undefined : known;
    if (recent.size >= MAX_RECENT) recent.delete(recent.keys().next().value!);
    recent.set(key, facts);
    return facts;
  };
}
