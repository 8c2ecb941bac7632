/**
 * The way from git history to an index, in six stages:
 *
 *     discover -> validate -> check -> pack -> record -> emit
 *
 * Validating, checking and packing depend on the tree of one build alone and run in worker threads. Nothing
 * in the index changes before all stages but the last have succeeded.
 */
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { type ClientPackage, withAddress } from '../client-package/read-client-package.ts';
import { originOfRegistry, type RegistryConfig } from '../../format/registry/registry-config.ts';
import { countedFrom, loadConfig, requireBuilds } from '../config.ts';
import { commitTime, newestCommit } from '../git/commits.ts';
import { ObjectReader } from '../git/object-reader.ts';
import { countCommits, isOnMainLine, openRepository, type Repository } from '../git/repository.ts';
import { sourceDigest } from '../source-digest.ts';
import { beginPublishing, endPublishing, lastRun } from '../state/run-marks.ts';
import { State } from '../state/state.ts';
import { collectWaivers } from '../waivers.ts';
import { lockIndex } from '../state/index-lock.ts';
import { FilesElsewhere, stateFile } from '../state/files-elsewhere.ts';
import { readKeptLogs } from './kept-log.ts';
import {
  readDecisions,
  readFromFolder,
  type ReadPublished,
  requireAllPublished,
} from '../log/published-log.ts';
import { logInfo, recordLog } from '../log/record-log.ts';
import type { NoteSigner } from '../../format/log/note-key.ts';
import { collectAdvisories, collectAged } from './advisories.ts';
import { collect, TakeDownMet } from './collect.ts';
import { discover, statedTakeDowns } from './discover.ts';
import { prepareOut, readPublished, Stage } from './emit.ts';
import { type LoadedSite, loadSite } from './write-pages.ts';
import { takeDump } from './package-facts.ts';
import { removeOutdated } from './outdated-files.ts';
import type { Progress } from './progress.ts';
import { StageClock, stageSeconds } from './stage-clock.ts';
import { collectSignals, recordChanges } from './record-changes.ts';
import { type Report, reportOf, withFiles } from './report.ts';
import { WorkerPool } from './worker-pool.ts';

type Collecting = Parameters<typeof collect>[0];

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
  /** The client that the index serves; without it, the index has none. */
  readonly client?: ClientPackage | Promise<ClientPackage | undefined> | undefined;
  /** `false` leaves pages out; else the field `site` of the configuration decides. */
  readonly pages?: boolean;
  /** Who signs the log. */
  readonly signers?: readonly NoteSigner[];
  /** Allows no signer though the configuration names a key, for an index that no user gets: clients refuse it. */
  readonly unsigned?: boolean;
  /** Where the index is published: its log must continue, as that of the one at `out`. */
  readonly published?: ReadPublished | undefined;
  /** An index that this one is compared with: the log has the maps of its log, and need not continue it. */
  readonly comparedWith?: ReadPublished | undefined;
  /** Folder of an OSV dump, for the packages that builds bring. */
  readonly osv?: string | undefined;
  /** The clock of this machine, which no byte of the index depends on. */
  readonly clock?: () => Date;
}

/**
 * Brings the index at `out` up to the newest commit of the repository. What one owner or commit did wrong is a problem of the report.
 * @throws {GeneratorError}
 */
export async function generate(options: GenerateOptions): Promise<Report> {
  const opened = await openRepository(resolve(options.repo));
  const out = resolve(options.out);
  prepareOut(out);
  const unlock = lockIndex(out);
  try {
    return await generateLocked(options, opened, out).catch((error: unknown) => {
      if (!(error instanceof TakeDownMet)) throw error;
      return generateLocked(options, opened, out, true);
    });
  } finally {
    unlock();
  }
}

async function generateLocked(
  options: GenerateOptions,
  opened: Repository,
  out: string,
  isRepeated = false,
): Promise<Report> {
  // Another run may have ended after the first look.
  const isNew = prepareOut(out);
  const held = {
    stage: new Stage(out),
    state: State.open(options.state ?? stateFile(out)),
    reader: new ObjectReader(opened.folder),
  };
  try {
    const work = await openRun(options, { opened, out, isNew, isRepeated }, held);
    return await run(work).finally(() => work.pool.close());
  } finally {
    held.state.close();
    held.reader.close();
    held.stage.clear();
  }
}

/** What the stages of one run share. */
async function openRun(
  options: GenerateOptions,
  place: { opened: Repository; out: string; isNew: boolean; isRepeated: boolean },
  { stage, state, reader }: { stage: Stage; state: State; reader: ObjectReader },
) {
  const { opened, out, isNew } = place;
  const loaded = await loadConfig(opened, reader);
  const repository = await countedFrom(opened, loaded.config);
  const { progress, client, signers = [], published, osv } = options;
  const { clock = () => new Date() } = options;
  const info = logInfo(loaded.config, signers, options.unsigned !== true);
  const site =
    options.pages === false
      ? undefined
      : await loadSite(loaded.config, { hasClient: client !== undefined, logKey: info.key });
  const identity = identityOf(loaded.config, site, info.key);
  const isKnown = (commit: string): Promise<boolean> => isOnMainLine(repository, commit);
  const newest = await lastRun(state, identity, readPublished(out), isKnown);
  const isFull = options.full === true;
  // `undefined` in a full run.
  const last = isFull || place.isRepeated ? undefined : newest;
  const reuse = reusable(state, isFull);
  if (last === undefined) {
    state.reset();
    await requireBuilds(repository, reader, loaded);
  }
  stage.clear();
  const threads = options.threads ?? availableParallelism();
  const workplace = { repository: repository.folder, out, site: site?.site };
  const pool = new WorkerPool(workplace, threads);
  const logs = [
    readFromFolder(out),
    ...readKeptLogs(reader),
    ...(published === undefined ? [] : [published]),
  ];
  const compared = options.comparedWith === undefined ? [] : [options.comparedWith];
  const decided = await readDecisions([...logs, ...compared], state.decisions, state.log.size(), {
    isKnown,
    newestAt: (isTime) => newestCommit(repository, reader, isTime),
    stated: () => statedTakeDowns(reader, repository.head, loaded.config),
  });
  const log = { signers, dropped: loaded.config.log.dropped, published: logs };
  // A full run over the same commit, with the same software and settings, changes nothing.
  const isComparing =
    isFull && newest?.head === repository.head && FilesElsewhere.read(out) === undefined;
  const given = { progress, client, site, osv, clock, info, log, decided, reuse, isComparing };
  return { ...given, repository, out, isNew, stage, reader, state, loaded, identity, last, pool };
}

/** Whatever else makes documents: the same of all, and only what a commit changed must be made again. */
function identityOf(
  { shadcn, base_url, from, root }: RegistryConfig,
  site: LoadedSite | undefined,
  key: string | undefined,
): string {
  // Other settings reach only documents that every run writes, and pages by the digest of the site.
  const settings = { from, root, ...(shadcn ? { base_url } : {}) };
  const sources = sourceDigest('generator/pipeline/pipeline.ts', 'generator/pipeline/worker.ts');
  return `${sources} ${JSON.stringify(settings)} ${site?.digest ?? 'no site'} ${key ?? 'unsigned'}`;
}

/** Which results of earlier runs are those of this software. */
function reusable(state: State, isFull: boolean): Collecting['reuse'] {
  const isSame = (name: keyof typeof KEPT_RESULTS): boolean =>
    !isFull && state.meta(name) === digestOf(name);
  return { examined: isSame('examine'), packed: isSame('pack') };
}

/** The sources of results that the state keeps, by the name under which it remembers their digest. */
const KEPT_RESULTS = { examine: 'generator/pipeline/examine.ts', pack: 'scan/pack.ts' };

function digestOf(name: keyof typeof KEPT_RESULTS): string {
  return sourceDigest(KEPT_RESULTS[name]);
}

type Run = Awaited<ReturnType<typeof openRun>>;

async function run(work: Run): Promise<Report> {
  const { repository, out, stage, reader, state, pool, loaded, last, progress, site, decided } =
    work;
  const since = last?.head;
  const clock = new StageClock();
  const now = await commitTime(repository, reader, repository.head);
  progress?.begin('reading commits', await countCommits(repository, since ?? repository.from));

  // 1. Discover: build folders and owner files that the main line changed, from old to new.
  const { maps, commit: decidedUpTo } = decided;
  const discoveries = discover(repository, reader, since, decidedUpTo);

  // 2. Validate, 3. check, 4. pack each folder that may be a new version (`examine.ts`, in the pool).
  const onCommit = (): void => progress?.advance();
  const changes = await collect({
    discoveries,
    reader,
    pool,
    state,
    onCommit,
    maps,
    decidedUpTo,
    isFull: last === undefined,
    reuse: work.reuse,
    hasFile: (path, size) => statSync(join(out, path), { throwIfNoEntry: false })?.size === size,
  });
  if (decided.commit !== undefined) requireAllPublished(state.decisions, state.withdrawals.all());
  const matrices = await collectSignals(repository, reader, state, since, changes, loaded.config);
  const unwaived = await collectWaivers(repository, reader, state, since, changes);
  const advisories = await collectAdvisories(repository, reader, state, since, changes);
  const unusable = await takeDump(state, work.osv, changes.builds);
  if (last !== undefined) collectAged(state, last.time, now, changes.owners);

  const collecting = clock.mark();

  // 5. Record: the documents of what changed, prepared beside the index.
  if (work.client instanceof Promise) progress?.begin('building the client');
  const client = withAddress(await work.client, loaded.config.base_url);
  progress?.begin('writing documents');
  const log = work.info;
  const shown = { config: loaded.config, client, commit: repository.head, now, log };
  const isFull = last === undefined;
  const { published: logs } = work.log;
  const recording = { state, stage, pool, advisories, site, isFull, progress, ...shown };
  const recorded = await recordChanges({ ...recording, published: logs }, changes);
  const { published } = changes;
  const isUnsigned = log.key === undefined && originOfRegistry(loaded.config) !== undefined;
  const report = reportOf(state, loaded.config, {
    head: repository.head,
    time: now,
    now: work.clock(),
    isFull,
    published,
    isUnsigned,
    unusable,
  });
  const place = { commit: repository.head, published_at: now };
  const grown = await recordLog(state, log, work.log, place, recorded.add);

  const record = clock.mark().all;

  // 6. Emit: rename everything into place.
  progress?.begin('publishing the index');
  for (const name of ['examine', 'pack'] as const) state.setMeta(name, digestOf(name));
  beginPublishing(state, work.identity, { oid: repository.head, time: now }, recorded.registry);
  const paths = [...recorded.outdated, ...grown.outdated];
  for (const path of paths) stage.drop(path);
  const differences = work.isComparing ? stage.staged() : [];
  stage.publish();
  if (isFull) FilesElsewhere.remove(out);
  const assets = site === undefined ? undefined : new Set(site.files.map(({ path }) => path));
  const served = { client: client?.version, assets, hasItems: loaded.config.shadcn };
  const { oldPages, pages } = recorded;
  const isTakeDown = changes.hasTakeDown;
  const outdated = { paths, oldPages, advisories: advisories.gone, matrices, unwaived, isTakeDown };
  const removed = work.isNew ? 0 : removeOutdated(out, state, served, isFull, outdated);
  endPublishing(state);
  if (isTakeDown) state.erase();
  const stages = stageSeconds(collecting, pool.steps(), { record, emit: clock.mark().all });
  const isNewLog = log.key !== undefined && !grown.isContinued;
  return withFiles(
    { ...report, isNewLog, differences, stages, ...(site === undefined ? {} : { pages }) },
    state,
    served,
    {
      written: recorded.written() + changes.newTarballs,
      removed,
    },
  );
}
