/** Examines one build folder of the history: reads it from git, judges it, and stages its tarball. */
import { examineBuild } from '../../examine/examine-build.ts';
import type { Source } from '../../examine/source.ts';
import type { TimedWork } from '../../examine/within-time.ts';
import type { ExaminedBuild, Measure, ScanEnd } from '../../examine/examine-build.ts';
import { versionFacts } from '../../examine/version-facts.ts';
import type { Finding } from '../../format/finding/finding.ts';
import { tarballPath } from '../../format/index/layout.ts';
import type { Risk } from '../../format/index/record.ts';
import { readSource } from '../git/source.ts';
import type { Candidate } from './discover.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import type { Stage } from './emit.ts';
import type { TreeNote } from './examined-trees.ts';
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

/** How a build is examined where a defect of its scan would end the run, or hold it up. */
interface FirstAttempt {
  readonly note: TreeNote;
  /** Absent where another thread ends this one when it takes too long. */
  readonly timed?: TimedWork;
}

export interface ExamineTools {
  readonly reader: ObjectReader;
  readonly stage: Stage;
  readonly measure: Measure;
  /** Absent in a process of its own. */
  readonly first?: FirstAttempt | undefined;
}

/** Bytes of a build that is examined in the process of the run: it can take neither much memory nor, within the bounds, much time. */
const MAX_PLAIN_BYTES = 1_000_000;

/**
 * Reads, judges and packs a candidate, and stages its tarball.
 *
 * @param ended its scan is left out
 * @returns `undefined` for a build that must be examined in a process of its own
 */
export async function examine(
  { owner, name, tree, time }: Candidate,
  { reader, stage, measure, first }: ExamineTools,
  ended?: ScanEnd,
): Promise<Examined | undefined> {
  const source = await readSource(reader, tree);
  const work = (): ExaminedBuild => examineBuild({ owner, name, source }, measure, ended);
  const examined = first === undefined ? work() : await attempt(work, tree, source, first);
  if (examined === undefined) return undefined;
  const { valid, faults } = examined;
  if (valid === undefined || faults.length > 0) return { ok: false, faults };
  const facts = versionFacts(valid, time);
  const isNewTarball = stage.add(tarballPath(valid.build.id, facts.version), valid.tarball.bytes);
  const { version, risk, integrity } = facts;
  const isJudgedLater = dependsOnHistory(facts);
  const json = JSON.stringify(facts);
  return { ok: true, version, risk, integrity, facts: json, isNewTarball, isJudgedLater };
}

async function attempt(
  work: () => ExaminedBuild,
  tree: string,
  source: Source,
  { note, timed }: FirstAttempt,
): Promise<ExaminedBuild | undefined> {
  if (!isPlain(source)) return undefined;
  const noted = (): ExaminedBuild => {
    note.write(tree);
    return work();
  };
  return timed === undefined ? noted() : timed.perform(noted);
}

function isPlain({ files }: Source): boolean {
  let bytes = 0;
  for (const { size } of files) bytes += size;
  return bytes <= MAX_PLAIN_BYTES;
}
