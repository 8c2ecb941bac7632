/** Examines one build folder of the history: reads it from git, judges it, and stages its tarball. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  examineBuild,
  type ExaminedBuild,
  type Measure,
  type ScanEnd,
} from '../../scan/examine-build.ts';
import type { Source } from '../../scan/source.ts';
import type { TimedWork } from '../../scan/within-time.ts';
import type { Tarball } from '../../scan/pack.ts';
import { versionFacts, type VersionFacts } from '../../scan/version-facts.ts';
import { formatIntegrity } from '../../format/archive/integrity.ts';
import type { Finding } from '../../format/finding/finding.ts';
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

/** What earlier runs know of a candidate. */
export interface KnownBefore {
  readonly decided: Decision | undefined;
  /** What packing it gives; the index may have the tarball. */
  readonly packed: Pick<VersionFacts, 'version' | 'integrity'> | undefined;
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
 * Reads, judges and packs a candidate, and stages its tarball. What an earlier run decided stays decided: of a version
 * today's rules give the findings, and of a refused folder the faults, which may be none.
 *
 * @param known what earlier runs know of it
 * @param ended its scan is left out
 * @returns `undefined` for a build that must be examined in a process of its own
 */
export async function examine(
  { owner, name, tree, time }: Candidate,
  { decided, packed: known }: KnownBefore,
  { reader, stage, measure, first }: ExamineTools,
  ended?: ScanEnd,
): Promise<Examined | undefined> {
  const isPublished = decided === 'published';
  const source = await readSource(reader, tree, isPublished);
  const build = { owner, name, source, isPublished };
  const packed = known && packedBefore(stage, `${owner}/${name}`, known);
  const work = (): ExaminedBuild => examineBuild(build, measure, ended, packed);
  const examined = first === undefined ? work() : await attempt(work, tree, source, first);
  if (examined === undefined) return undefined;
  const { valid, faults } = examined;
  if (valid === undefined || (faults.length > 0 && !isPublished)) return { ok: false, faults };
  if (decided === 'refused') return { ok: false, faults: [] };
  const facts = versionFacts(valid, time);
  const isNewTarball = stage.add(tarballPath(valid.build.id, facts.version), valid.tarball.bytes);
  const { version, risk, integrity } = facts;
  const isJudgedLater = dependsOnHistory(facts);
  const json = JSON.stringify(facts);
  return { ok: true, version, risk, integrity, facts: json, isNewTarball, isJudgedLater };
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

// Notes, beside the index, which trees are being examined in the process of the run itself. A run that a defect of a native parser
// or too little memory ended leaves the file; the next one examines these trees in processes of their own.
//
//     4b825dc642cb6eb9a060e54bf8d69288fbee4904
//     9fd1f1a0c7d9b5a6b5f8ea1d9e3b1c0d7e6f5a4b

/** Characters of a line at most: trees may have SHA-256 names. */
const LINE = 65;

/** For the index at `out`. */
function notesFile(out: string): string {
  return join(dirname(out), `.${basename(out)}.examining`);
}

/** The trees in whose examination a run ended. */
export function unfinishedTrees(out: string): Set<string> {
  try {
    return new Set(
      readFileSync(notesFile(out), 'latin1')
        .split(/\s+/)
        .filter((line) => line !== ''),
    );
  } catch {
    return new Set();
  }
}

/** Replaces the notes; without trees there is no file. */
export function keepTrees(out: string, trees: readonly string[]): void {
  const file = notesFile(out);
  if (trees.length === 0) rmSync(file, { force: true });
  else writeFileSync(file, trees.map((tree) => `${tree.padEnd(LINE - 1)}\n`).join(''));
}

/** The line of one thread. */
export class TreeNote {
  readonly #out: string;
  readonly #line: number;
  #file: number | undefined;

  constructor(out: string, line: number) {
    this.#out = out;
    this.#line = line;
  }

  /** `tree` is examined next. */
  write(tree: string): void {
    this.#file ??= openSync(notesFile(this.#out), constants.O_WRONLY | constants.O_CREAT);
    writeSync(this.#file, `${tree.padEnd(LINE - 1)}\n`, this.#line * LINE, 'latin1');
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
