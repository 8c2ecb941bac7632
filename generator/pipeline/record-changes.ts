/** Stage 5, record: takes over what changed under `signals/`, and stages every document that a run must write again, from builds up to `registry.json`. */
import { finding } from '../../format/finding/finding.ts';
import { Matrix, MAX_MATRIX_BYTES } from '../../format/index/compatibility.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';
import { advisoryPath, CLIENT_PATH, clientPath, tarballPath } from '../../format/index/layout.ts';
import { shadcnVersionPath } from '../../format/index/shadcn-path.ts';
import {
  type Layout,
  SIGNALS_FOLDER,
  signalsFileAt,
} from '../../format/registry/repository-layout.ts';
import { Signals } from '../../format/registry/signals.ts';
import { type ChangedAdvisories, writeAdvisories } from './advisories.ts';
import type { State } from '../state/state.ts';
import { ShadcnItems, writeCatalog } from './shadcn-items.ts';
import type { ClientPackage } from '../client-package/read-client-package.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { readDocument } from '../git/read-document.ts';
import { changedFiles } from '../git/changed-files.ts';
import type { Repository } from '../git/repository.ts';
import type { Collected } from './collect.ts';
import { writeDocuments } from './documents.ts';
import type { AddFile, Stage } from './emit.ts';
import type { LogInfo } from '../log/record-log.ts';
import type { ReadPublished } from '../log/published-log.ts';
import { addToMap } from '../log/write-map.ts';
import { writeFixedDocuments } from './fixed-documents.ts';
import { type LoadedSite, writePages } from './write-pages.ts';
import type { Progress } from './progress.ts';
import type { WorkerPool } from './worker-pool.ts';

interface Recording {
  readonly advisories: ChangedAdvisories;
  readonly state: State;
  readonly stage: Stage;
  readonly pool: WorkerPool;
  readonly config: RegistryConfig;
  /** The client to serve. */
  readonly client: ClientPackage | undefined;
  /** The commit that the index will show. */
  readonly commit: string;
  /** Its time, ISO 8601 in UTC. */
  readonly now: string;
  readonly log: LogInfo;
  /** The site, if the index has one. */
  readonly site: LoadedSite | undefined;
  readonly isFull: boolean;
  readonly progress: Progress | undefined;
  /** What is published of this registry. */
  readonly published: readonly ReadPublished[];
}

/**
 * Stages the documents of what changed.
 * @returns the new `registry.json`, paths that are not part of the index any more, and how many documents and pages differ from
 * those in the index so far; `add` stages one more
 */
export async function recordChanges(work: Recording, changes: Collected) {
  const { state, stage, pool, config, client, commit, now, log, site, isFull } = work;
  let written = 0;
  const stageFile: AddFile = (path, content): void => {
    if (stage.add(path, content)) written += 1;
  };
  const add: AddFile = (path, content): void => {
    stageFile(path, content);
    addToMap(state, path, content, stageFile);
  };
  const items = config.shadcn ? new ShadcnItems(state, config) : undefined;
  const made = await writeDocuments(state, changes, now, {
    pool,
    layout: config,
    items,
    add,
    hasPages: site !== undefined,
    isFull,
    published: work.published,
  });
  writeAdvisories(state, work.advisories, add);
  const oldShards = writeCatalog(state, made.ids, add);
  items?.writeRegistry(add);
  const registry = writeFixedDocuments(state, { config, commit, client, log }, add);
  for (const path of goneFromMap(work)) state.map.set(path, undefined);
  const { withdrawn } = changes;
  const pages =
    site === undefined
      ? { written: 0, outdated: [] }
      : await writePages(
          { state, stage, pool, site, progress: work.progress },
          { ...made, advisories: work.advisories, isFull },
        );
  return {
    registry,
    outdated: [...oldShards, ...(items?.outdated ?? []), ...withdrawnFiles(state, withdrawn)],
    add,
    written: () => written + made.documents,
    oldPages: pages.outdated,
    pages: pages.written,
  };
}

/** Version of the client that the map has. */
const MAPPED_CLIENT = 'map-client';

/** Documents of the map that are not part of the index any more: advisories, and clients of other versions. */
function goneFromMap({ state, advisories, client }: Recording): string[] {
  const before = state.meta(MAPPED_CLIENT) ?? '';
  state.setMeta(MAPPED_CLIENT, client?.version ?? '');
  const gone = [...advisories.gone].map(advisoryPath);
  if (before !== '' && before !== client?.version) gone.push(clientPath(before));
  if (client === undefined) gone.push(CLIENT_PATH);
  return gone;
}

/** Their paths, beside the pages; forgets the items for shadcn. */
function withdrawnFiles(
  state: State,
  withdrawn: readonly { readonly id: string; readonly version: string }[],
): string[] {
  return withdrawn.flatMap(({ id, version }) => {
    const hadItem = state.shadcn.has(id, version);
    if (hadItem) state.shadcn.dropVersion(id, version);
    return [tarballPath(id, version), ...(hadItem ? [shadcnVersionPath(id, version)] : [])];
  });
}

const MAX_SIGNALS_BYTES = 1_000_000;

/** Reads the signals that differ from the last run into the state and marks their builds. Returns the builds whose matrix is gone. */
export async function collectSignals(
  repository: Repository,
  reader: ObjectReader,
  state: State,
  since: string | undefined,
  collected: Collected,
  layout: Layout,
): Promise<ReadonlySet<string>> {
  const gone = new Set<string>();
  const folder = `${layout.root}${SIGNALS_FOLDER}`;
  for (const { path, blob } of await changedFiles(repository, reader, folder, since)) {
    const file = signalsFileAt(path, layout.root);
    if (file === undefined) continue;
    const { id, kind } = file;
    state.dropProblems(path);
    collected.builds.add(id);
    if (kind === 'signals') collected.owners.add(id.split('/')[0] ?? '');
    const limit = kind === 'matrix' ? MAX_MATRIX_BYTES : MAX_SIGNALS_BYTES;
    const schema = kind === 'matrix' ? Matrix : Signals;
    const read = blob === undefined ? undefined : await readDocument(reader, schema, blob, limit);
    const isBad = read instanceof Error;
    if (kind === 'signals') state.setSignals(id, isBad ? undefined : (read as Signals));
    else state.matrix.set(id, isBad ? undefined : (read as Matrix));
    if (kind === 'matrix' && !state.matrix.has(id)) gone.add(id);
    if (isBad) state.addHeadProblem(path, finding(INVALID[kind], '', { problem: read.message }));
  }
  return gone;
}

const INVALID = { signals: 'signals-invalid', matrix: 'compatibility-invalid' } as const;
