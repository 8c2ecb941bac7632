/** Examines one build folder of the history: reads it from git, judges it, and stages its tarball. */
import { examineBuild } from '../../examine/examine-build.ts';
import type { Measure, ScanEnd } from '../../examine/examine-build.ts';
import { versionFacts } from '../../examine/version-facts.ts';
import type { Finding } from '../../format/finding/finding.ts';
import { tarballPath } from '../../format/index/layout.ts';
import type { Risk } from '../../format/index/record.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { readSource } from '../git/source.ts';
import type { Candidate } from './discover.ts';
import type { Stage } from './emit.ts';
import { dependsOnHistory } from './history-checks/all.ts';

export type Examined =
  | {
      readonly ok: true;
      readonly version: string;
      readonly risk: Risk;
      /** Of the tarball. */
      readonly integrity: string;
      /** `VersionFacts` as JSON: one string is cheap to pass between processes. */
      readonly facts: string;
      readonly isNewTarball: boolean;
      /** Whether earlier publications may add findings. */
      readonly isJudgedLater: boolean;
    }
  | {
      readonly ok: false;
      /** Why the folder is not a version. */
      readonly faults: readonly Finding[];
    };

/** Reads, judges and packs a candidate, and stages its tarball. @param ended its scan is left out */
export async function examine(
  candidate: Candidate,
  reader: ObjectReader,
  stage: Stage,
  measure: Measure,
  ended?: ScanEnd,
): Promise<Examined> {
  const { owner, name, tree, time } = candidate;
  const source = await readSource(reader, tree);
  const { valid, faults } = examineBuild({ owner, name, source }, measure, ended);
  if (valid === undefined || faults.length > 0) return { ok: false, faults };
  const facts = versionFacts(valid, time);
  const isNewTarball = stage.add(tarballPath(valid.build.id, facts.version), valid.tarball.bytes);
  const { version, risk, integrity } = facts;
  const isJudgedLater = dependsOnHistory(facts);
  const json = JSON.stringify(facts);
  return { ok: true, version, risk, integrity, facts: json, isNewTarball, isJudgedLater };
}
