/**
 * The way from git history to an index:
 *
 *     discover -> validate -> check -> pack -> record -> emit
 *
 * Discovering decides what is published (`collect.ts`); validating, checking and packing depend on a
 * build's tree alone and run side by side (`examine.ts`); records are made for what changed
 * (`documents.ts`); nothing in the index changes before all of that has gone well.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { IndexPath } from '../../format/index/layout.ts';
import { collectAged } from './aging.ts';
import { writeCatalog } from './catalog-shards.ts';
import { collect } from './collect.ts';
import { collectSignals } from './signals.ts';
import { loadConfig } from '../config.ts';
import type { LoadedConfig } from '../config.ts';
import { writeDocuments } from './documents.ts';
import { GeneratorError } from '../errors.ts';
import { openCrew } from './worker-pool.ts';
import type { Crew } from './worker-pool.ts';
import { FIXED_DOCUMENTS, writeFixedDocuments } from './fixed-documents.ts';
import { ObjectReader } from '../git/object-reader.ts';
import {
  commitTime,
  countCommits,
  isOnMainLine,
  objectAt,
  openRepository,
} from '../git/repository.ts';
import type { Repository } from '../git/repository.ts';
import type { Progress } from './progress.ts';
import { sortProblems } from './report.ts';
import type { Report } from './report.ts';
import { Stage, isIndexFolder, readPublished, removeFile, removeStale } from './emit.ts';
import { State } from '../state/state.ts';
import { generatorVersion } from '../state/fingerprint.ts';

export interface GenerateOptions {
  /** Folder of the git repository. */
  readonly repo: string;
  /** Folder of the index. */
  readonly out: string;
  /** Ignore the state of earlier runs. */
  readonly full?: boolean;
  /** State file; by default `.<name of out>.state.sqlite` beside the index. */
  readonly state?: string;
  /** Threads for examining; by default one per core. */
  readonly threads?: number;
  readonly progress?: Progress;
}

/**
 * Brings the index at `out` up to the repository's newest commit. When a violation of immutability
 * stands, nothing in the index changes.
 * @throws {GeneratorError}
 */
export async function generate(options: GenerateOptions): Promise<Report> {
  const repository = await openRepository(resolve(options.repo));
  const out = resolve(options.out);
  prepareOut(out);
  const stage = new Stage(out);
  const reader = new ObjectReader(repository.folder);
  const state = State.open(options.state ?? join(dirname(out), `.${basename(out)}.state.sqlite`));
  try {
    const loaded = await loadConfig(repository, reader);
    const identity = `${generatorVersion()} ${loaded.blob}`;
    const isResumed = options.full !== true && (await canResume(state, identity, repository, out));
    if (!isResumed) state.reset();
    const since = isResumed ? state.meta('head') : undefined;
    if (since === undefined) await requireBuilds(repository, loaded);
    stage.clear();
    const work = { options, repository, out, stage, reader, state, loaded, identity, since };
    const crew = openCrew(
      { repository: repository.folder, out },
      options.threads ?? availableParallelism(),
    );
    return await run({ ...work, crew }).finally(() => crew.close());
  } finally {
    state.close();
    reader.close();
    stage.clear();
  }
}

interface Run {
  readonly options: GenerateOptions;
  readonly repository: Repository;
  readonly out: string;
  readonly stage: Stage;
  readonly crew: Crew;
  readonly reader: ObjectReader;
  readonly state: State;
  readonly loaded: LoadedConfig;
  readonly identity: string;
  readonly since: string | undefined;
}

async function run(work: Run): Promise<Report> {
  const { options, repository, out, stage, reader, state, loaded, since } = work;
  const { progress } = options;
  let written = 0;
  const add = (path: string, content: string): void => {
    if (stage.add(path, content)) written += 1;
  };
  if (progress !== undefined) progress.begin(await countCommits(repository, since));
  const onCommit = (): void => progress?.advance();
  const collected = await collect({ repository, reader, crew: work.crew, state, since, onCommit });
  await collectSignals(repository, reader, state, since, collected);
  const now = await commitTime(repository);
  collectAged(state, since === undefined ? undefined : state.meta('time'), now, collected.owners);
  const { ids, documents } = await writeDocuments(state, collected, now, work.crew, add);
  const oldShards = writeCatalog(state, ids, add);
  const registry = writeFixedDocuments(state, loaded.config, repository.head, add);
  const problems = sortProblems(state.problems(), loaded.config.acknowledged);
  const { builds, versions, owners, shards } = state.counts();
  const isViolated = problems.failing.some((p) => p.finding.code === 'integrity-version-changed');
  const report = {
    isFull: since === undefined,
    isViolated,
    head: repository.head,
    builds,
    versions,
    published: collected.published,
    problems,
  };
  if (isViolated) return { ...report, written: 0, unchanged: 0, removed: 0 };

  // From here to the end a crash leaves the index between two states of this run: the flag makes the
  // next run a full one.
  state.setMeta('head', repository.head);
  state.setMeta('time', now);
  state.setMeta('identity', work.identity);
  state.setMeta('registry', digest(registry));
  state.setMeta('dirty', 'yes');
  state.commit();
  stage.publish();
  let removed = 0;
  if (since === undefined) removed = removeStale(out, isCurrent(state));
  else for (const path of oldShards) removed += removeFile(out, path) ? 1 : 0;
  state.setMeta('dirty', 'no');
  const total = 3 * versions + 2 * builds + owners + shards + FIXED_DOCUMENTS + 1;
  written += documents + collected.newTarballs;
  return { ...report, written, unchanged: total - written, removed };
}

/** Whether the state describes the index at `out` and the history goes on from where it ended. */
async function canResume(
  state: State,
  identity: string,
  repository: Repository,
  out: string,
): Promise<boolean> {
  const head = state.meta('head');
  const published = readPublished(out);
  return (
    head !== undefined &&
    published !== undefined &&
    state.meta('identity') === identity &&
    state.meta('dirty') === 'no' &&
    state.meta('registry') === digest(published) &&
    (await isOnMainLine(repository, head))
  );
}

function isCurrent(state: State): (path: IndexPath) => boolean {
  const shards = new Set(state.shards().map((s) => s.sha256));
  return (path) => {
    switch (path.kind) {
      case 'record':
      case 'head':
        return state.hasBuild(path.id);
      case 'version-record':
      case 'capabilities':
      case 'tarball':
        return state.findVersion(path.id, path.version) !== undefined;
      case 'owner':
        return state.buildsOf(path.owner).length > 0;
      case 'shard':
        return shards.has(path.sha256);
      default:
        return true;
    }
  };
}

async function requireBuilds(repository: Repository, { blob }: LoadedConfig): Promise<void> {
  if (blob !== '' || (await objectAt(repository, 'builds')) !== undefined) return;
  if ((await countCommits(repository)) > 0) return;
  throw new GeneratorError(
    'ERR_NO_BUILDS',
    `Cannot read "${repository.folder}": it has no builds/ folder at its root`,
    { hint: 'commit a build under builds/<owner>/<name>/, or give another folder with --repo' },
  );
}

function prepareOut(out: string): void {
  if (!isIndexFolder(out)) {
    throw new GeneratorError(
      'ERR_OUT_FOLDER',
      `Cannot write to "${out}": it holds files that are not an index`,
      { hint: 'give an empty folder, or one that "generate" made, with --out' },
    );
  }
  mkdirSync(out, { recursive: true });
}

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
