/** Examines one build folder of the history: reads it from git, judges it, and stages its tarball. */
import { createHash } from 'node:crypto';
import {
  examineBuild,
  type ExaminedBuild,
  type Measure,
  type ScanEnd,
} from '../../scan/examine-build.ts';
import type { Tarball } from '../../scan/pack.ts';
import { versionFacts, type VersionFacts } from '../../scan/version-facts.ts';
import { formatIntegrity } from '../../format/archive/integrity.ts';
import { finding, type Finding } from '../../format/finding/finding.ts';
import { tarballPath } from '../../format/index/layout.ts';
import type { Risk } from '../../format/index/record.ts';
import { readSource } from '../git/source.ts';
import type { Candidate, Decision } from './discover.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import type { Stage } from './emit.ts';
import { dependsOnHistory } from './history-checks/all.ts';

export type Examined =
  | {
      readonly ok: true;
      readonly version: string;
      readonly risk: Risk;
      /** Of the tarball. */
      readonly integrity: string;
      /** `VersionFacts` as JSON: one string is cheap to pass between threads. */
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

/** What earlier runs know of a candidate. */
export interface KnownBefore {
  readonly decided: Decision | undefined;
  /** What packing it gives; the index may have the tarball. */
  readonly packed: Pick<VersionFacts, 'version' | 'integrity'> | undefined;
}

interface ExamineTools {
  readonly reader: ObjectReader;
  readonly stage: Stage;
  readonly measure: Measure;
}

/**
 * Reads, judges and packs a candidate, and stages its tarball. What an earlier run decided stays decided: of a version
 * today's rules give the findings, and of a refused folder the faults, which may be none.
 *
 * @param known what earlier runs know of it
 * @param ended its scan is left out
 */
export async function examine(
  { owner, name, tree, time }: Candidate,
  { decided, packed: known }: KnownBefore,
  { reader, stage, measure }: ExamineTools,
  ended?: ScanEnd,
): Promise<Examined> {
  const isPublished = decided === 'published';
  const source = await readSource(reader, tree, { isPublished });
  const build = { owner, name, source, isPublished };
  const packed = known && packedBefore(stage, `${owner}/${name}`, known);
  const { valid, faults } = tryExamine(
    () => examineBuild(build, measure, ended, packed),
    isPublished,
  );
  const isLost = (source.unreadable ?? []).length > 0;
  if (valid === undefined || isLost || (faults.length > 0 && !isPublished)) {
    return { ok: false, faults };
  }
  if (decided === 'refused') return { ok: false, faults: [] };
  const facts = versionFacts(valid, time);
  const isNewTarball = stage.add(tarballPath(valid.build.id, facts.version), valid.tarball.bytes);
  const { version, risk, integrity } = facts;
  const isJudgedLater = dependsOnHistory(facts);
  const json = JSON.stringify(facts);
  return { ok: true, version, risk, integrity, facts: json, isNewTarball, isJudgedLater };
}

/** A defect that a folder meets is a fault of that folder. What was published stays published: there, it ends the run. */
function tryExamine(
  work: () => ExaminedBuild,
  isPublished: boolean,
): Pick<ExaminedBuild, 'valid' | 'faults'> {
  try {
    return work();
  } catch (error) {
    if (isPublished) throw error;
    const args = {
      check: 'examine',
      problem: error instanceof Error ? error.message : String(error),
    };
    return { valid: undefined, faults: [finding('check-failed', '', args, 'error')] };
  }
}

/** The tarball in the index, where it is the one that packing would give. */
function packedBefore(
  stage: Stage,
  id: string,
  { version, integrity }: NonNullable<KnownBefore['packed']>,
): Tarball | undefined {
  const bytes = stage.published(tarballPath(id, version));
  if (bytes === undefined) return undefined;
  const digest = createHash('sha256').update(bytes).digest();
  return formatIntegrity(digest) === integrity ? { bytes, integrity } : undefined;
}
