/**
 * The gate: judges what merging a pull request would change in the registry. Both sides are read as git objects;
 * nothing of the head is checked out or run.
 */
import { openSafeExamination } from '../../examine/safe-examination.ts';
import type { SafeExamination } from '../../examine/safe-examination.ts';
import type { Person } from '../../format/registry/account.ts';
import { printable } from '../../format/build/file-path.ts';
import { finding } from '../../format/finding/finding.ts';
import type { GateVerdict, JudgedBuild, Reason } from '../../format/registry/gate-verdict.ts';
import type { ExternalFinding } from '../../format/registry/external-finding.ts';
import { Moderation } from '../../format/registry/moderation.ts';
import { OwnerFile } from '../../format/registry/owner-file.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';
import {
  buildFolder,
  ownerFilePath,
  ownerFolder,
} from '../../format/registry/repository-layout.ts';
import { isAccountOf, isBareLoginOf } from '../../format/registry/account.ts';
import { countedFrom, loadConfig } from '../config.ts';
import { layoutAt } from '../git/laid-out-history.ts';
import { ObjectReader } from '../git/object-reader.ts';
import { isPackaged } from '../packaged.ts';
import { openRepository } from '../git/repository.ts';
import { checkAdvisories } from './advisory-rules.ts';
import { authorityOver, bareAdmin } from './authority.ts';
import { MAX_CHANGES, changedEntries, isGone } from './changed-entries.ts';
import type { ChangedEntry } from './changed-entries.ts';
import { entryAt } from './entry-at.ts';
import { externalFindingsOf } from './external-findings.ts';
import { hasHistory } from './has-history.ts';
import { judgeBuild } from './judge-build.ts';
import type { Registry } from './judge-build.ts';
import { judgeMove } from './layout-move.ts';
import { mergeSides } from './merge-sides.ts';
import { checkOwnerFileChange } from './owner-file-rules.ts';
import { checkMoves } from './move-rules.ts';
import { proposalOf } from './proposed-versions.ts';
import { PublishedHistory } from './published-history.ts';
import { readDocument } from './read-document.ts';
import { findingReason, reason } from './reason.ts';
import { registryNames } from './registry-names.ts';
import type { RegistryNames } from './registry-names.ts';
import { sortChanges, touchedOwners } from './sort-changes.ts';
import type { SortedChanges } from './sort-changes.ts';
import { checkStatements } from './statement-rules.ts';
import { checkTreeModes } from './tree-mode-rules.ts';
import { checkWithdrawals } from './withdrawal-rules.ts';
import { waitingHours } from './waiting-period.ts';

export interface PullRequest {
  /** Folder of the repository, which has the objects of both sides. */
  readonly repo: string;
  /** Names of commits. */
  readonly base: string;
  readonly head: string;
  /** Who opened it, from the code host's event. */
  readonly author: Person;
  /** The present, in UTC, as records write times. */
  readonly now: string;
  /** What another scanner reports about the files of the head. */
  readonly external?: readonly ExternalFinding[];
  /** Seconds of processor time that the scan of one build may take; `MAX_SCAN_SECONDS` by default. */
  readonly scanSeconds?: number | undefined;
}

/** In the package, beside this code. */
const EXAMINER = new URL(
  isPackaged ? './examiner.mjs' : '../../examine/examiner.ts',
  import.meta.url,
);

/** @throws {GeneratorError} when the repository, a side, or the configuration cannot be read */
export async function judgePullRequest(request: PullRequest): Promise<GateVerdict> {
  const opened = await openRepository(request.repo, request.base);
  const { head } = await openRepository(request.repo, request.head);
  const reader = new ObjectReader(opened.folder, { mapsAll: true });
  let examination: SafeExamination | undefined;
  try {
    const { config } = await loadConfig(opened, reader);
    const repository = await countedFrom(opened, config);
    const merged = await mergeSides(repository.folder, { base: repository.head, head });
    const about = { base: repository.head, head, author: { ...request.author } };
    if (!merged.ok) return verdictOf(about, undefined, merged.reasons, [], config);
    const { tree, baseTree } = merged;
    const { layout } = config;
    const to = await layoutAt(reader, tree);
    if (to !== layout) {
      const move = { baseTree, tree, from: layout, to };
      const reasons = await judgeMove(reader, move, request.author, config);
      return verdictOf(about, tree, reasons, [], config);
    }
    const changed = await changedEntries(repository.folder, baseTree, tree);
    const changes = sortChanges(changed?.entries ?? [], layout);
    // Its process starts while the rules about names and owners read what they need.
    if (changes.builds.size > 0) examination = openSafeExamination(EXAMINER, request.scanSeconds);
    let names: Promise<RegistryNames> | undefined;
    const registry: Registry = {
      repository,
      reader,
      config,
      names: () => (names ??= registryNames(reader, baseTree, layout)),
      examination: () => (examination ??= openSafeExamination(EXAMINER, request.scanSeconds)),
      proposal: proposalOf(repository.folder, reader, tree, changes.builds.keys(), layout),
    };
    const judge = new Judge(registry, request, tree);
    if (changed === undefined) judge.add(reason('gate-size', '', { limit: MAX_CHANGES }));
    else {
      await judge.judge(changes, changed.entries);
      judge.add(...(await checkTreeModes(reader, changed.trees)));
    }
    return verdictOf(about, tree, judge.reasons, judge.builds, config);
  } finally {
    examination?.close();
    reader.close();
  }
}

class Judge {
  readonly reasons: Reason[] = [];
  readonly builds: JudgedBuild[] = [];
  readonly #registry: Registry;
  readonly #request: PullRequest;
  readonly #tree: string;

  constructor(registry: Registry, request: PullRequest, tree: string) {
    this.#registry = registry;
    this.#request = request;
    this.#tree = tree;
  }

  /** Adds reasons that are not known yet: two rules may find the same fault. */
  add(...reasons: readonly Reason[]): void {
    for (const one of reasons) {
      const isKnown = this.reasons.some((r) => r.code === one.code && isSame(r, one));
      if (!isKnown) this.reasons.push(one);
    }
  }

  async judge(changes: SortedChanges, entries: readonly ChangedEntry[]): Promise<void> {
    const { others, statements, moderation } = changes;
    if (entries.length === 0) return this.add(reason('gate-nothing', ''));
    for (const entry of entries.filter((one) => !one.isUtf8 && !isGone(one))) {
      this.add(findingReason(finding('file-path-encoding', printable(entry.path)), ''));
    }
    if (others.length === entries.length) return this.add(reason('gate-no-build', ''));
    if (others[0] !== undefined) {
      const file = others[0].path;
      this.add(reason('gate-mixed', file, { file }));
    }
    for (const owner of touchedOwners(changes)) await this.#judgeOwner(owner, changes);
    for (const entry of moderation) await this.#judgeModeration(entry);
    const { author, now } = this.#request;
    this.add(...(await checkStatements(this.#registry, statements, author, now)));
    this.add(...(await checkAdvisories(this.#registry, changes.advisories, author, now)));
  }

  async #judgeOwner(owner: string, changes: SortedChanges): Promise<void> {
    const { repository, reader, config } = this.#registry;
    const { layout } = config;
    const folder = ownerFolder(owner, layout);
    const change = changes.owners.get(owner);
    const present = await entryAt(repository.folder, repository.head, ownerFilePath(owner, layout));
    // Only an admin may change the folder while its owner file cannot be read.
    const before = present === undefined ? undefined : await this.#readOwner(present.oid);
    const after = await this.#ownerFileAfter(folder, change);
    const isKnown = present !== undefined || (await hasHistory(repository, owner, layout));
    const owned = before instanceof Error ? undefined : before;
    const authority = authorityOver(owner, this.#request.author, owned, after, isKnown, config);
    this.add(...authority.reasons);
    const strays = changes.strays.filter((one) => one.owner === owner && !isGone(one));
    for (const { path } of strays.filter((one) => !one.isMisplaced)) {
      this.add(reason('gate-stray', path));
    }
    const misplaced = strays.find((one) => one.isMisplaced);
    if (misplaced !== undefined) {
      this.add(
        reason('gate-shard', printable(misplaced.path), {
          owner: printable(owner),
          folder: printable(folder),
        }),
      );
    }
    // A folder that the author may not change is not judged: its faults are not reported to them.
    if (authority.role === 'nobody') return;
    const ids = [...changes.builds.keys()].filter((id) => id.split('/')[0] === owner);
    if (!isKnown) this.add(reason('gate-first-build', folder, { owner }));
    for (const id of ids.sort()) {
      const entry = await entryAt(repository.folder, this.#tree, buildFolder(id, layout));
      const { mode = '000000', oid } = entry ?? {};
      const { reasons, build } = await judgeBuild(this.#registry, { id, mode, oid });
      this.add(...reasons);
      if (build !== undefined) this.builds.push(this.#withExternal(build));
    }
    if (change === undefined || (!isGone(change) && after === undefined)) return;
    const isPublished = async (name: string, version: string): Promise<boolean> => {
      const id = `${owner}/${name}`;
      if (this.builds.some((b) => b.id === id && b.version === version)) return true;
      const history = await PublishedHistory.read(repository, reader, id);
      return (await history.find(version)) !== undefined;
    };
    const { role } = authority;
    this.add(...(await checkOwnerFileChange({ owner, layout }, owned, after, role, isPublished)));
    if (after === undefined) return;
    const isHere = (id: string): boolean => this.builds.some((one) => one.id === id);
    const sides = { before: owned, after, tree: this.#tree };
    this.add(...(await checkMoves(this.#registry, owner, sides, isHere)));
    const { now } = this.#request;
    this.add(...(await checkWithdrawals(this.#registry, owner, sides, role, now)));
  }

  /** Adds what another scanner found: a reason to look, never to refuse. */
  #withExternal(build: JudgedBuild): JudgedBuild {
    const { external = [], repo } = this.#request;
    const { layout } = this.#registry.config;
    const found = externalFindingsOf(build, external, repo, layout);
    const count = found.filter(({ level }) => level === 'warn').length;
    if (count > 0) this.add(reason('gate-external', buildFolder(build.id, layout), { count }));
    return { ...build, findings: [...build.findings, ...found] };
  }

  /** The owner file that the pull request adds or changes; a file that cannot be read is a reason. */
  async #ownerFileAfter(
    folder: string,
    change: ChangedEntry | undefined,
  ): Promise<OwnerFile | undefined> {
    if (change === undefined || isGone(change)) return undefined;
    const read = change.mode === '100644' ? await this.#readOwner(change.oid) : undefined;
    if (read !== undefined && !(read instanceof Error)) return read;
    const problem = read?.message ?? 'it is no plain file';
    this.add(findingReason(finding('owner-file-invalid', 'owner.json', { problem }), folder));
    return undefined;
  }

  async #readOwner(oid: string): Promise<OwnerFile | Error> {
    return readDocument(this.#registry.reader, OwnerFile, oid);
  }

  async #judgeModeration(entry: ChangedEntry): Promise<void> {
    const { author } = this.#request;
    const { admins } = this.#registry.config;
    if (!admins.some((admin) => isAccountOf(admin, author))) {
      const isBare = admins.some((admin) => isBareLoginOf(admin, author));
      return this.add(isBare ? bareAdmin(author) : reason('gate-moderation', entry.path));
    }
    const isFile = /^moderation\/[^/]+\/[^/]+\.json$/.test(entry.path) && entry.mode === '100644';
    const read = isFile
      ? await readDocument(this.#registry.reader, Moderation, entry.oid)
      : undefined;
    if (isGone(entry) || (read !== undefined && !(read instanceof Error))) return;
    const problem = read?.message ?? 'it must be a file moderation/<owner>/<name>.json';
    this.add(reason('gate-moderation-file', entry.path, { problem }));
  }
}

function isSame(a: Reason, b: Reason): boolean {
  return a.file === b.file && a.line === b.line && a.message === b.message;
}

function verdictOf(
  about: Pick<GateVerdict, 'base' | 'head' | 'author'>,
  tree: string | undefined,
  reasons: readonly Reason[],
  builds: readonly JudgedBuild[],
  config: RegistryConfig,
): GateVerdict {
  const isRefused = reasons.some((one) => one.level === 'refuse');
  const verdict = isRefused ? 'refuse' : reasons.length > 0 ? 'review' : 'merge';
  const waiting = verdict === 'review' ? waitingHours(reasons, config) : undefined;
  return {
    interface: 1,
    verdict,
    ...about,
    ...(config.layout === 'flat' ? {} : { layout: config.layout }),
    ...(tree === undefined ? {} : { tree }),
    reasons: [...reasons].sort((a, b) => (a.level === b.level ? 0 : a.level === 'refuse' ? -1 : 1)),
    builds: [...builds],
    ...(waiting === undefined ? {} : { waiting_hours: waiting }),
    review_hours: verdict === 'review' ? config.review_hours : 0,
  };
}
