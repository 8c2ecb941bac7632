/**
 * A check that needs to know what was published before: a pure function of a version and of the registry as it
 * was then, so that an incremental run and a full run report the same.
 */
import type { Finding } from '../../../format/finding/finding.ts';
import type { VersionFacts } from '../../../scan/version-facts.ts';

/** The registry just after the commit of a publication: with everything that this commit publishes. */
export interface RegistryThen {
  /** The versions that a build had, in any order; empty for a build that did not exist. */
  readonly versionsOf: (id: string) => readonly string[];
  /** What was published as that version. */
  readonly factsOf: (id: string, version: string) => VersionFacts | undefined;
}

export interface HistoryCheck {
  /** The name of its file; its findings' codes begin with it. */
  readonly name: string;
  /** False where `run` finds nothing, whatever was published before: then it is not called. */
  readonly concerns: (facts: VersionFacts) => boolean;
  /** Findings of these do not change risk or quality: those are fixed before. */
  readonly run: (id: string, facts: VersionFacts, then: RegistryThen) => Finding[];
}
