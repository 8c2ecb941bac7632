/**
 * Reads the main line and decides what it publishes, by the rule of `git/history.ts`: the first commit of a
 * version publishes it permanently.
 */
import { checkBuildId, isBuildId, isOwner } from '../../format/build/build-id.ts';
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { finding, type Finding } from '../../format/finding/finding.ts';
import { MAX_MANIFEST_BYTES } from '../../format/build/manifest-json.ts';
import { parseNoteKey } from '../../format/log/note-key.ts';
import { tarballPath } from '../../format/index/layout.ts';
import { takenDownFacts, type VersionFacts } from '../../scan/version-facts.ts';
import { OwnerFile } from '../../format/registry/owner-file.ts';
import { takeDownOf, WHOLE_BUILD } from '../../format/registry/status.ts';
import { predecessors } from '../../format/registry/moves.ts';
import { precedenceOf } from '../../format/version/semver-range.ts';
import {
  changedBuilds,
  type Candidate,
  type Decision,
  type Discovery,
  type OwnerChange,
  type Stray,
  type Unread,
} from './discover.ts';
import { judgeHistory } from './history-checks/judge-history.ts';
import { settleTakeDowns, settleWithdrawals } from './settle-withdrawals.ts';
import type { WorkerPool } from './worker-pool.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { NO_TIME } from '../git/commits.ts';
import { readDeclaredVersion, roleOf } from '../git/history.ts';
import { LogQueue } from '../log/history-entries.ts';
import { keyInConfig } from '../log/log-files.ts';
import { GeneratorError } from '../errors.ts';
import type { Examined } from './examine.ts';
import { dependsOnHistory } from './history-checks/all.ts';
import type { State } from '../state/state.ts';

interface Collecting {
  /** What the main line changed, from old to new. */
  readonly discoveries: AsyncIterable<Discovery>;
  readonly reader: ObjectReader;
  readonly pool: WorkerPool;
  readonly state: State;
  readonly onCommit: () => void;
  /** Whether the index has a file of so many bytes. */
  readonly hasFile: (path: string, size: number) => boolean;
  /** Entries of maps that the published log has, by their place. */
  readonly maps: ReadonlyMap<number, Uint8Array>;
  /** Which results of earlier runs this version of the generator would find again. */
  readonly reuse: { readonly examined: boolean; readonly packed: boolean };
  /** Ends what earlier runs have read: what is discovered up to it, the log has decided. */
  readonly decidedUpTo: string | undefined;
  /** Whether the run reads all of the history. */
  readonly isFull: boolean;
}

/** An incremental run met a take-down: what other versions and documents have of the content only a full run forgets. */
export class TakeDownMet extends Error {}

/** What a run collected. */
export interface Collected {
  /** Ids whose documents must be made again. */
  readonly builds: Set<string>;
  /** Owners whose file or builds changed. */
  readonly owners: Set<string>;
  /** Versions that are new to the index, by build. */
  readonly versions: Map<string, string[]>;
  /** How many these are. */
  published: number;
  newTarballs: number;
  /** Versions that are withdrawn or taken down from now on. */
  readonly withdrawn: { readonly id: string; readonly version: string }[];
  /** Whether any was taken down. */
  hasTakeDown: boolean;
}

/** What the state remembers the newest key of the log by. */
const LOG_KEY = 'log-key';

/** How many manifests are read before their candidates are decided. */
const LOOK_AHEAD = 64;

/** Decides about every discovery and adds what it publishes to the state. */
export async function collect(work: Collecting): Promise<Collected> {
  const collector = new Collector(work);
  for await (const { found, version } of lookAhead(work)) {
    await collector.take(found, await version);
  }
  return collector.finish();
}

class Collector {
  readonly #work: Collecting;
  readonly #collected: Collected = {
    builds: new Set(),
    owners: new Set(),
    versions: new Map(),
    published: 0,
    newTarballs: 0,
    withdrawn: [],
    hasTakeDown: false,
  };
  readonly #inFlight = new Map<string, Promise<void>>();
  readonly #misnamed: { seq: number; candidate: Candidate }[] = [];
  readonly #judgedLater: { id: string; version: string; commit: string; seq: number }[] = [];
  readonly #log: LogQueue;
  /** Whether earlier runs have read the commit that is being read: `state.decisions` has what they decided. */
  #isDecided: boolean;
  /** Places in history that are being examined, from old to new. */
  readonly #examined = new Set<number>();
  #seq: number;
  #failure: { error: unknown } | undefined;

  constructor(work: Collecting) {
    this.#work = work;
    this.#isDecided = work.decidedUpTo !== undefined;
    this.#seq = Number(work.state.meta('seq') ?? 0);
    this.#log = new LogQueue(work.state, work.maps);
  }

  async take(discovered: Discovery, version: string | undefined): Promise<void> {
    const found = this.#located(discovered);
    this.#seq += 1;
    if (found.kind === 'commit-end') this.#work.onCommit();
    else if (found.kind === 'decided-end') this.#endDecided();
    else if (found.kind === 'stray') this.#takeStray(found);
    else if (found.kind === 'unread') this.#takeUnread(found);
    else if (found.kind === 'config') await this.#takeConfig(found);
    else if (found.kind === 'owner') await this.#takeOwner(found);
    else await this.#takeCandidate(found, version);
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async finish(): Promise<Collected> {
    await Promise.all(this.#inFlight.values());
    if (this.#failure !== undefined) throw this.#failure.error;
    this.#markMoved();
    for (const { seq, candidate } of this.#misnamed) this.#reportMisnamed(seq, candidate);
    judgeHistory(this.#work.state, this.#judgedLater, this.#collected.versions);
    this.#log.finish();
    this.#work.state.setMeta('seq', String(this.#seq));
    return this.#collected;
  }

  /**
   * `found` with the time that the log has for it: earlier versions read another one from some commits. And with the commit that the log
   * has for it, which another history has under another id. What was taken down comes from the log, at its place there: the repository may
   * have it no more.
   */
  #located(found: Discovery): Discovery {
    if (found.kind !== 'candidate' && found.kind !== 'owner' && found.kind !== 'config')
      return found;
    const { decisions } = this.#work.state;
    if (!this.#isDecided) return found;
    const time = decisions.timeOf(found.commit) ?? found.time;
    const at = decisions.isMending ? decisions.placeOf({ ...found, time }) : undefined;
    if (at !== undefined) this.#addTakenDown(at.place);
    return { ...found, time, commit: at?.commit ?? found.commit };
  }

  /** Adds what was taken down and has a place in the log up to `end`. */
  #addTakenDown(end: number): void {
    const { state } = this.#work;
    for (const entry of state.decisions.takeTakenDown(end)) {
      const { commit, published_at: time } = entry;
      this.#seq += 1;
      const event = { seq: this.#seq, commit, time };
      if (entry.type === 'refuse') {
        this.#addToLog({ ...event, kind: 'refusal', ...entry, version: entry.version });
        continue;
      }
      const { id, version, tree, integrity } = entry;
      const facts = JSON.stringify(takenDownFacts(id, entry));
      const place = { commit, tree, publishedAt: time, risk: 'ok', seq: this.#seq };
      state.addVersion({ id, version, ...place, facts });
      this.#addToLog({ ...event, kind: 'publication', id, version, tree, integrity });
      this.#collected.builds.add(id);
      this.#collected.owners.add(id.slice(0, id.indexOf('/')));
    }
  }

  #endDecided(): void {
    this.#addTakenDown(Number.POSITIVE_INFINITY);
    this.#isDecided = false;
  }

  async #takeCandidate(candidate: Candidate, version: string | undefined): Promise<void> {
    const { owner, name, tree, path } = candidate;
    const { state } = this.#work;
    const id = `${owner}/${name}`;
    if (state.decisions.isTakenDown(candidate.commit, id, path, tree)) return;
    const published = state.decisions.publication(candidate.commit, id, tree);
    if (published !== undefined) {
      await this.#inFlight.get(`${id}@${precedenceOf(published.version)}`);
      return this.#start(id, candidate, published.version, 'published');
    }
    if (!isBuildId(id)) {
      this.#misnamed.push({ seq: this.#seq, candidate });
      return;
    }
    const key = version === undefined ? `${id} ${tree}` : `${id}@${precedenceOf(version)}`;
    // The first one decides: a second candidate for the same version waits for its result.
    await this.#inFlight.get(key);
    const first = version === undefined ? undefined : state.findPublication(id, version);
    const role = version === undefined ? 'publishes-if-valid' : roleOf({ version, tree }, first);
    if (role === 'repeats' || state.hasProblem(path, tree)) return;
    if (role !== 'publishes-if-valid') {
      this.#report(this.#seq, candidate, conflictFinding(role, version ?? '', first, candidate));
      return;
    }
    const decided = this.#isDecided ? 'refused' : undefined;
    if (takeDownOf(state.ownerFile(owner), name, WHOLE_BUILD) !== undefined) {
      const faults = [finding('integrity-taken-down', '')];
      return this.#refuse(this.#seq, candidate, faults, { version, decided });
    }
    if (!candidate.isDated) {
      return this.#refuse(this.#seq, candidate, [undated(candidate)], { version, decided });
    }
    await this.#start(id, candidate, version, decided);
  }

  async #start(
    id: string,
    candidate: Candidate,
    version: string | undefined,
    decided: Decision | undefined,
  ): Promise<void> {
    await this.#work.pool.room();
    const seq = this.#seq;
    this.#examined.add(seq);
    const key =
      version === undefined ? `${id} ${candidate.tree}` : `${id}@${precedenceOf(version)}`;
    const settled = this.#examine(seq, id, { candidate, decided, version })
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .then(() => {
        this.#examined.delete(seq);
        this.#inFlight.delete(key);
      });
    this.#inFlight.set(key, settled);
  }

  async #examine(
    seq: number,
    id: string,
    {
      candidate,
      decided,
      version: declared,
    }: { candidate: Candidate; decided: Decision | undefined; version: string | undefined },
  ): Promise<void> {
    const examined = await this.#result(id, candidate, decided);
    const { commit, tree, time } = candidate;
    if (!examined.ok) {
      if (decided === 'published') throw lostVersion(id, declared ?? '', commit);
      this.#refuse(seq, candidate, examined.faults, { version: declared, decided });
      return;
    }
    const { version, risk, integrity, facts } = examined;
    this.#work.state.addVersion({ id, version, commit, tree, publishedAt: time, risk, seq, facts });
    if (examined.isJudgedLater) this.#judgedLater.push({ id, version, commit, seq });
    this.#addToLog({ kind: 'publication', seq, commit, time, id, version, tree, integrity });
    this.#collected.builds.add(id);
    this.#collected.owners.add(candidate.owner);
    const { versions } = this.#collected;
    versions.set(id, [...(versions.get(id) ?? []), version]);
    this.#collected.published += 1;
    if (examined.isNewTarball) this.#collected.newTarballs += 1;
  }

  /** Examines a candidate, or takes what an earlier run found in the same tree. */
  #result(id: string, candidate: Candidate, decided: Decision | undefined): Promise<Examined> {
    const { pool, state, reuse, hasFile } = this.#work;
    const { tree, commit } = candidate;
    const before = decided === 'refused' ? undefined : state.foundBefore(id, tree, commit);
    if (before === undefined) {
      return pool.perform({ kind: 'examine', candidate, known: { decided, packed: undefined } });
    }
    const { version, facts } = before;
    const found = JSON.parse(facts) as VersionFacts;
    // That of the state may have waivers.
    const { integrity, size, risk } = found;
    if (reuse.examined && hasFile(tarballPath(id, version), size)) {
      const isJudgedLater = dependsOnHistory(found);
      const result = { version, risk, integrity, facts, isNewTarball: false, isJudgedLater };
      return Promise.resolve({ ok: true, ...result });
    }
    const packed = reuse.packed ? { version, integrity } : undefined;
    return pool.perform({ kind: 'examine', candidate, known: { decided, packed } });
  }

  /** Reports why a folder or owner file does not count, and records it: no later rule changes that. */
  #refuse(
    seq: number,
    place: Candidate | OwnerChange,
    faults: readonly Finding[],
    { version, decided }: { version?: string | undefined; decided?: Decision | undefined } = {},
  ): void {
    const { commit, path, time } = place;
    const object = place.kind === 'candidate' ? place.tree : (place.blob ?? '');
    const before = this.#work.state.decisions.refusal(commit, path, object);
    // Older logs have no refusals: such a folder is not in the log, and stays that way.
    if (decided === undefined || before !== undefined) {
      const errors = faults.filter(({ level }) => level === 'error').map(({ code }) => code);
      const codes = before?.codes ?? [...new Set(errors)].sort();
      const named = before === undefined ? version : before.version;
      this.#addToLog({ kind: 'refusal', seq, commit, time, path, object, version: named, codes });
    }
    for (const fault of faults) this.#report(seq, place, fault);
    if (faults.length > 0) return;
    const codes = before?.codes.join(', ') ?? '';
    this.#report(seq, place, finding('integrity-refused-before', '', { codes }));
  }

  #addToLog(event: Parameters<LogQueue['add']>[0]): void {
    const [oldest = Number.POSITIVE_INFINITY] = this.#examined;
    this.#log.add(event, (seq) => seq < oldest);
  }

  async #takeOwner(change: OwnerChange): Promise<void> {
    const { owner, blob, time } = change;
    const { state, reader } = this.#work;
    // The log has ids of owners: what is none has no place in it.
    if (!isOwner(owner)) {
      return this.#report(this.#seq, change, finding('build-id-owner', '', { owner }));
    }
    if (!change.isDated) this.#report(this.#seq, change, undated(change));
    const before = state.ownerFile(owner);
    let after: OwnerFile = {};
    if (blob !== undefined) {
      // The log has what it changed: it counted, whatever the limits are now.
      const counts = state.decisions.hasOwnerChange(change.commit, owner);
      const object = await reader.read(blob, counts ? undefined : { left: MAX_MANIFEST_BYTES });
      const bytes = object?.bytes ?? new Uint8Array();
      const decided = this.#isDecided ? 'refused' : undefined;
      const isRefused = state.decisions.refusal(change.commit, change.path, blob) !== undefined;
      if (isRefused) return this.#refuse(this.#seq, change, ownerFaults(bytes), { decided });
      const faults = counts ? [] : ownerFaults(bytes);
      if (faults.length > 0) return this.#refuse(this.#seq, change, faults, { decided });
      after = JSON.parse(new TextDecoder().decode(bytes)) as OwnerFile;
    }
    const { commit } = change;
    const settled = await this.#settle(change, before, after);
    after = settled.file;
    const place = { seq: this.#seq, commit, time };
    this.#addToLog({ kind: 'owner', ...place, owner, before, after });
    for (const tombstone of settled.tombstones) {
      const { tree } = state.newestPublication(tombstone.id, tombstone.version);
      this.#addToLog({ kind: 'take-down', ...place, tombstone, tree });
    }
    state.setOwnerFile(owner, after);
    this.#collected.owners.add(owner);
    for (const id of changedBuilds(owner, before, after)) {
      state.setOwnerChangedAt(id, time);
      this.#collected.builds.add(id);
    }
  }

  /** The file with the withdrawals and take-downs that count. */
  async #settle(
    change: OwnerChange,
    before: OwnerFile,
    after: OwnerFile,
  ): Promise<Pick<ReturnType<typeof settleTakeDowns>, 'file' | 'tombstones'>> {
    const isNone = [before, after].every((one) => (one.withdrawn ?? one.taken_down) === undefined);
    if (isNone) return { file: after, tombstones: [] };
    // Whether a version was published is known once it is examined.
    await Promise.all(this.#inFlight.values());
    const { state, isFull } = this.#work;
    const settled = settleWithdrawals(state, change, before, after);
    const taken = settleTakeDowns(state, change.owner, before, settled.file);
    for (const args of [...settled.refused, ...taken.refused]) {
      this.#report(this.#seq, change, finding('owner-file-withdrawal', '', args));
    }
    this.#collected.withdrawn.push(...settled.fresh);
    if (taken.tombstones.length > 0 && !isFull) throw new TakeDownMet();
    for (const { id, version } of taken.tombstones) {
      this.#collected.hasTakeDown = true;
      for (const gone of state.forget(id, version))
        this.#collected.withdrawn.push({ id, version: gone });
    }
    return taken;
  }

  async #takeConfig({ blob, commit, time }: Extract<Discovery, { kind: 'config' }>): Promise<void> {
    const { state, reader } = this.#work;
    const object = blob === undefined ? undefined : await reader.read(blob);
    const key = keyInConfig(object?.bytes ?? new Uint8Array());
    if (key === undefined || key === state.meta(LOG_KEY)) return;
    state.setMeta(LOG_KEY, key);
    const { name } = parseNoteKey(key);
    this.#addToLog({ kind: 'key', seq: this.#seq, commit, time, name, key });
  }

  /** A move counts by the files of both owners and by what is published: the builds before those that changed. */
  #markMoved(): void {
    const { state } = this.#work;
    const files = { ownerFile: (owner: string) => state.ownerFile(owner) };
    const { builds } = this.#collected;
    for (const id of builds) for (const before of predecessors(id, files)) builds.add(before);
  }

  #takeUnread(unread: Unread): void {
    const { problem } = unread;
    this.#report(this.#seq, unread, finding('build-files-unreadable', '', { problem }));
  }

  #takeStray(stray: Stray): void {
    const codes = {
      depth: 'build-id-depth',
      symlink: 'build-id-symlink',
      submodule: 'build-id-submodule',
    } as const;
    if (stray.problem !== 'file') {
      this.#report(this.#seq, stray, finding(codes[stray.problem], ''));
    }
  }

  #reportMisnamed(seq: number, candidate: Candidate): void {
    const { owner, name, path, tree } = candidate;
    const { state } = this.#work;
    if (state.hasProblem(path, tree)) return;
    const faults = checkBuildId({ owner, name }, (id) => state.hasBuild(id));
    for (const fault of faults) this.#report(seq, candidate, fault);
  }

  #report(seq: number, place: Candidate | OwnerChange | Stray | Unread, found: Finding): void {
    const { commit, path } = place;
    const tree = place.kind === 'candidate' ? place.tree : '';
    this.#work.state.addProblem(seq, 'history', { commit, path, finding: found }, tree);
  }
}

/** What is wrong with an owner file; nothing: it counts. */
function ownerFaults(bytes: Uint8Array): Finding[] {
  try {
    parseDocument(OwnerFile, bytes, 'the file');
    return [];
  } catch (error) {
    const problem = error instanceof StackyardError ? error.message : String(error);
    return [finding('owner-file-invalid', '', { problem })];
  }
}

function undated({ commit }: Candidate | OwnerChange): Finding {
  return finding('integrity-commit-time', '', { commit, problem: NO_TIME });
}

function lostVersion(id: string, version: string, commit: string): GeneratorError {
  const problem = `${id}@${version} was published by commit ${commit}, and cannot be read any more`;
  return new GeneratorError('ERR_LOG_FORK', `Nothing was written: ${problem}`, {
    hint: 'fetch what "git fsck" names; without damage it is a defect of this version of the generator: use the one before, and report it',
  });
}

/** Why a candidate does not publish its version, although it may be a valid build. */
function conflictFinding(
  role: 'violates' | 'duplicates',
  version: string,
  first: { readonly version: string; readonly commit: string } | undefined,
  { commit: second }: Candidate,
): Finding {
  const args = { version, first: first?.commit ?? '', second };
  return role === 'violates'
    ? finding('integrity-version-changed', '', args)
    : finding('integrity-version-precedence', '', { ...args, published: first?.version ?? '' });
}

interface Ahead {
  readonly found: Discovery;
  readonly version: Promise<string | undefined>;
}

/** Discoveries with the declared version of each candidate, which is requested before it is needed. */
async function* lookAhead({ discoveries, reader }: Collecting): AsyncGenerator<Ahead> {
  const ahead: Ahead[] = [];
  for await (const found of discoveries) {
    const isCandidate = found.kind === 'candidate';
    const version = isCandidate
      ? readDeclaredVersion(reader, found.tree)
      : Promise.resolve(undefined);
    // A run that fails elsewhere closes the reader and never awaits what was read ahead.
    version.catch(() => undefined);
    ahead.push({ found, version });
    if (ahead.length > LOOK_AHEAD) yield ahead.shift()!;
  }
  yield* ahead;
}
