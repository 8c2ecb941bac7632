/** Makes the documents of builds and owners from the state and stages them. */
import { canonicalJson } from '../../format/document/canonical-json.ts';
import type { Manifest } from '../../format/build/manifest.ts';
import { finding } from '../../format/finding/finding.ts';
import { headPath, ownerPath, versionPath } from '../../format/index/layout.ts';
import { moveOf, moveProblem, type OwnerFiles } from '../../format/registry/moves.ts';
import type { OwnerInfo } from '../../format/index/registry-info.ts';
import { ownerFilePath, type Layout } from '../../format/registry/repository-layout.ts';
import { statedIn, statusOf } from '../../format/registry/status.ts';
import { NO_SIGNALS } from '../../format/registry/signals.ts';
import type { VersionFacts } from '../../scan/version-facts.ts';
import { shardBits, type ShadcnItems } from './shadcn-items.ts';
import type { Collected } from './collect.ts';
import type { AddFile } from './emit.ts';
import { requirersOfWithdrawn, requiresWithdrawn } from './requires-withdrawn.ts';
import type { WorkerPool } from './worker-pool.ts';
import { knownPackages } from './package-facts.ts';
import type { StoredBuild } from './render.ts';
import { reputationOf, type Reputation } from '../reputation.ts';
import type { ListName } from '../state/site-table.ts';
import type { State } from '../state/state.ts';
import type { ReadPublished } from '../log/published-log.ts';

const MOVE_PROBLEMS: Readonly<Record<NonNullable<ReturnType<typeof moveProblem>>, string>> = {
  cycle: 'the way leads back, or over too many ids',
  unaccepted: 'its owner does not accept it',
  unpublished: 'the new id has no versions',
};

/** With what documents are made. */
interface Writing {
  /** Renders builds. */
  readonly pool: WorkerPool;
  /** Of the newest commit, for the paths of problems. */
  readonly layout: Layout;
  /** In a registry that has items for shadcn. */
  readonly items: ShadcnItems | undefined;
  /** Stages an owner's document. */
  readonly add: AddFile;
  /** Whether pages follow: a large registry has hundreds of thousands of lists, which are only kept for them. */
  readonly hasPages: boolean;
  readonly isFull: boolean;
  /** What is published: its documents still state commits that a rewritten history has no more. */
  readonly published: readonly ReadPublished[];
}

/**
 * Stages the documents of what changed. A changed reputation changes every record of its owner.
 * @param now the newest commit's time
 * @returns the builds that were made again, how many documents are new to the index, and for their pages the owners that were made
 * again and the lists whose builds changed
 */
export async function writeDocuments(
  state: State,
  { builds, owners, withdrawn }: Collected,
  now: string,
  { pool, layout, items, add, hasPages, isFull, published }: Writing,
) {
  const gone = state.withdrawals.all();
  // A full run makes every build.
  const requirers = isFull ? [] : requirersOfWithdrawn(state, builds, gone);
  if (withdrawn.length > 0) items?.makeAgain(requirers);
  const dependents = [...requirers, ...(items?.dependents(builds) ?? [])];
  const ids = new Set([...builds, ...dependents].filter((id) => state.hasBuild(id)));
  for (const id of builds) owners.add(ownerOf(id));
  const infos: OwnerInfo[] = [];
  for (const owner of [...owners].sort()) {
    checkYanks(state, owner, layout);
    checkMoves(state, owner, layout);
    const ownBuilds = state.buildsOf(owner);
    if (ownBuilds.length === 0) continue;
    const reputation = ownerReputation(state, owner, ownBuilds, now);
    if (state.reputation(owner) !== reputation.score) {
      state.setReputation(owner, reputation.score);
      for (const id of ownBuilds) ids.add(id);
    }
    const info = ownerInfo(state, owner, ownBuilds, reputation);
    add(ownerPath(owner), canonicalJson(info));
    if (hasPages) infos.push(info);
  }
  const lists = new Map<string, ListName>();
  const keep = (list: ListName): void => void lists.set(`${list.kind} ${list.name}`, list);
  const work = { pool, items, gone, keepList: hasPages ? keep : () => {} };
  const documents = await renderAll(state, [...ids].sort(), { ...work, published });
  return { ids, documents, lists: [...lists.values()], owners: infos };
}

async function renderAll(
  state: State,
  ids: readonly string[],
  {
    pool,
    items,
    gone,
    keepList,
    published,
  }: Pick<Writing, 'pool' | 'items' | 'published'> & {
    gone: ReadonlySet<string>;
    keepList: (list: ListName) => void;
  },
): Promise<number> {
  let written = 0;
  const renderOne = async (build: StoredBuild): Promise<void> => {
    const kept = state.decisions.isMending ? await publishedDocuments(state, build, published) : {};
    const work = { items: items?.workFor(build.id), kept };
    const rendered = await pool.perform({ kind: 'render', build, work });
    if (rendered.items !== undefined) items?.keep(build.id, rendered.items);
    state.map.set(headPath(build.id), rendered.headDigest);
    for (const [version, integrity] of Object.entries(rendered.made)) {
      state.documents.set(build.id, version, integrity);
    }
    state.map.setNamed(build.id, rendered.named);
    written += rendered.written;
    // Of a build that was taken down as a whole, no list and no search has anything.
    if (Object.values(build.statuses).every(({ is }) => is === 'taken down')) return;
    state.setBuild(ownerOf(build.id), shardBits(build.id), rendered.summary);
    for (const list of state.site.setBuild(rendered.summary, rendered.needs)) keepList(list);
  };
  const failures: unknown[] = [];
  const rendering = new Set<Promise<void>>();
  for (const id of ids) {
    await pool.room();
    const one = renderOne(storedBuild(state, id, gone)).catch((error) => void failures.push(error));
    rendering.add(one);
    void one.then(() => rendering.delete(one));
    if (rendering.size >= MAX_RENDERING) await Promise.race(rendering);
  }
  await Promise.all(rendering);
  if (failures.length > 0) throw failures[0];
  return written;
}

/** Builds whose published documents are read at a time. */
const MAX_RENDERING = 64;

/** Those of the versions that this run makes again. */
async function publishedDocuments(
  state: State,
  { id, documents }: StoredBuild,
  published: readonly ReadPublished[],
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { version } of state.risksOf(id)) {
    if (documents[version] !== undefined) continue;
    for (const read of published) {
      const bytes = await read(versionPath(id, version));
      if (bytes === undefined) continue;
      found[version] = new TextDecoder().decode(bytes);
      break;
    }
  }
  return found;
}

/**
 * The entry of a build in the state.
 * @param gone every withdrawn version, as `<id>@<version>`
 */
export function storedBuild(state: State, id: string, gone: ReadonlySet<string>): StoredBuild {
  const [owner = '', name = ''] = id.split('/');
  const file = state.ownerFile(owner);
  const signals = state.signals(id);
  const versions = state.versionsOf(id);
  const statuses = state
    .risksOf(id)
    .map(({ version }) => [version, statusOf(file, name, version)] as const);
  const [yankedAt, signalledAt] = [state.ownerChangedAt(id) ?? '', signals?.updated_at ?? ''];
  return {
    id,
    versions,
    packages: state.osv.isEmpty() ? [] : knownPackages(state, versions.map(manifestOf)),
    places: state.log.placesOf(id),
    documents: state.documents.of(id),
    statuses: Object.fromEntries(statuses),
    lost: requiresWithdrawn(state, id, gone),
    deprecated: file.deprecated?.[name],
    moved: moveProblem(id, filesOf(state)) === undefined ? moveOf(id, filesOf(state)) : undefined,
    waivers: state.heldWaivers(id),
    advisories: state.advisories.of(id),
    matrix: state.matrix.find(id),
    downloads: signals?.downloads ?? 0,
    reports: signals?.agent_reports ?? { success: 0, failure: 0 },
    flags: signals?.flags ?? 0,
    reputation: state.reputation(owner) ?? 0,
    changed_at: yankedAt > signalledAt ? yankedAt : signalledAt,
  };
}

function manifestOf(facts: string): Manifest {
  return (JSON.parse(facts) as VersionFacts).manifest;
}

function ownerReputation(
  state: State,
  owner: string,
  ids: readonly string[],
  now: string,
): Reputation {
  const file = state.ownerFile(owner);
  const versions = ids.flatMap((id) => {
    const [, name = ''] = id.split('/');
    return state.risksOf(id).map(({ version, risk, published_at }) => {
      return { published_at, risk, isYanked: statusOf(file, name, version).is !== 'open' };
    });
  });
  const builds = ids.map((id) => {
    const { agent_reports, upheld = 0 } = state.signals(id) ?? NO_SIGNALS;
    return { ...agent_reports, upheld };
  });
  return reputationOf({ versions, builds }, now);
}

/** The document of an owner. */
function ownerInfo(
  state: State,
  owner: string,
  builds: string[],
  reputation: Reputation,
): OwnerInfo {
  const account = state.ownerFile(owner).account_id;
  return {
    owner,
    ...(account === undefined ? {} : { account_id: account }),
    builds,
    reputation: reputation.score,
    reputation_parts: { ...reputation.parts },
  };
}

/** A yank of an unknown version leaves a bad version available, so it must be reported. */
function checkYanks(state: State, owner: string, layout: Layout): void {
  const path = ownerFilePath(owner, layout);
  state.dropProblems(path);
  for (const [name, number] of statedIn(state.ownerFile(owner).yanked)) {
    if (state.findVersion(`${owner}/${name}`, number) !== undefined) continue;
    const version = `${owner}/${name}@${number}`;
    const found = finding('owner-file-yank-unknown', '', { version });
    state.addProblem(Number.MAX_SAFE_INTEGER, path, { commit: '', path, finding: found });
  }
}

/** A move that does not count leaves users at the old id. */
function checkMoves(state: State, owner: string, layout: Layout): void {
  const path = ownerFilePath(owner, layout);
  for (const [name, { to }] of Object.entries(state.ownerFile(owner).moved ?? {})) {
    const id = `${owner}/${name}`;
    const problem = moveProblem(id, filesOf(state));
    if (problem === undefined) continue;
    const found = finding('owner-file-move', '', { id, to, problem: MOVE_PROBLEMS[problem] });
    state.addHeadProblem(path, found);
  }
}

function filesOf(state: State): OwnerFiles {
  return {
    ownerFile: (owner) => state.ownerFile(owner),
    hasBuild: (id) => state.hasBuild(id),
  };
}

function ownerOf(id: string): string {
  return id.slice(0, id.indexOf('/'));
}
