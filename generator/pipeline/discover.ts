/** What the main line changed in `builds/`, in order: build folders, owner files, strays. */
import { MANIFEST_FILE } from '../../format/build/build-files.ts';
import {
  BUILDS_FOLDER,
  CONFIG_FILE,
  placeAt,
  type Layout,
} from '../../format/registry/repository-layout.ts';
import { commitTime } from '../git/commits.ts';
import { readMainLine } from '../git/history.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { buildsEntries, entriesBelow } from '../git/builds-entries.ts';
import type { Repository } from '../git/repository.ts';
import { FOLDER, NO_ENTRY, type TreeChange } from '../git/trees.ts';
import { OwnerFile } from '../../format/registry/owner-file.ts';
import { statedIn, WHOLE_BUILD } from '../../format/registry/status.ts';
import type { Tombstone } from '../../format/log/entry.ts';
import { MAX_MANIFEST_BYTES } from '../../format/build/manifest-json.ts';

/** Where and when something was seen. */
interface Place {
  readonly commit: string;
  /** Committer time in UTC, as records write it; where a record cannot, that of the commit before. */
  readonly time: string;
  /** Whether the commit has such a time: a version that has none is not published. */
  readonly isDated: boolean;
  /** Path in the repository. */
  readonly path: string;
}

/** What an earlier run did with a build folder; none has seen what is new. */
export type Decision = 'published' | 'refused';

/** A build folder after a commit: a publication, if its version is new. */
export interface Candidate extends Place {
  readonly kind: 'candidate';
  readonly owner: string;
  readonly name: string;
  /** Tree id of the folder: equal ids, equal content. */
  readonly tree: string;
}

/** An owner file after a commit; `blob` is absent when the commit deleted it. */
export interface OwnerChange extends Place {
  readonly kind: 'owner';
  readonly owner: string;
  readonly blob: string | undefined;
}

/** Something where a build folder should be, or a manifest that is not in one. */
export interface Stray extends Place {
  readonly kind: 'stray';
  readonly problem: 'symlink' | 'submodule' | 'file' | 'depth';
}

/** A folder, or with the path of all builds a whole commit, that cannot be read: nothing of it counts. */
export interface Unread extends Place {
  readonly kind: 'unread';
  readonly problem: string;
}

/** The registry's configuration after a commit; `blob` is absent when the commit deleted it. */
interface ConfigChange extends Place {
  readonly kind: 'config';
  readonly blob: string | undefined;
}

/** The end of one commit, for progress; of all commits that earlier runs have read. */
type End = { readonly kind: 'commit-end' } | { readonly kind: 'decided-end' };

export type Discovery = Candidate | OwnerChange | ConfigChange | Stray | Unread | End;

/**
 * Reads the main line from old to new.
 * @param since an indexed commit of the main line: only what came after it is read
 * @param decidedUpTo the newest commit of the main line that earlier runs have read
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function* discover(
  repository: Repository,
  reader: ObjectReader,
  since?: string,
  decidedUpTo?: string,
): AsyncGenerator<Discovery> {
  let from = since;
  if (decidedUpTo !== undefined) {
    yield* discoverBetween({ ...repository, head: decidedUpTo }, reader, since);
    yield { kind: 'decided-end' };
    from = decidedUpTo;
  }
  yield* discoverBetween(repository, reader, from);
}

async function* discoverBetween(
  repository: Repository,
  reader: ObjectReader,
  since: string | undefined,
): AsyncGenerator<Discovery> {
  const layout: Layout = { root: repository.root ?? '' };
  // Nothing below the folder of a build is read here.
  const isRead = (path: string): boolean =>
    `${layout.root}${BUILDS_FOLDER}/`.startsWith(`${path}/`) ||
    placeAt(path, layout).kind === 'owner';
  for await (const commit of readMainLine(repository, reader, isRead, since)) {
    const { oid, changes, unreadable } = commit;
    const time = commit.time ?? (await commitTime(repository, reader, oid));
    const at = { commit: oid, time, isDated: commit.time !== undefined };
    yield* discoverIn(at, changes, layout);
    for (const { path, problem } of unreadable) {
      yield { kind: 'unread', ...at, path: path || `${layout.root}${BUILDS_FOLDER}`, problem };
    }
    yield { kind: 'commit-end' };
  }
}

function* discoverIn(
  seen: Omit<Place, 'path'>,
  changes: readonly TreeChange[],
  layout: Layout,
): Generator<Discovery> {
  for (const change of changes) {
    const { path, mode, oid } = change;
    const at: Place = { ...seen, path };
    const isGone = mode === NO_ENTRY;
    if (path === CONFIG_FILE) {
      yield { kind: 'config', ...at, blob: isGone ? undefined : oid };
      continue;
    }
    const place = placeAt(path, layout);
    if (place.kind === 'owner-file') {
      const { owner } = place;
      yield { kind: 'owner', ...at, owner, blob: isGone ? undefined : oid };
      continue;
    }
    if (isGone) continue;
    if (place.kind === 'build' && place.file === '' && mode === FOLDER) {
      const { owner, name } = place;
      yield { kind: 'candidate', ...at, owner, name, tree: oid };
      continue;
    }
    const problem = strayProblem(change, layout);
    // Files beside the folders of owners and builds, such as a README, belong to no build.
    if (problem !== undefined && problem !== 'file') {
      yield { kind: 'stray', ...at, problem };
    }
  }
}

/** What is wrong with an entry that is neither a build folder nor an owner file; `undefined`: nothing. */
function strayProblem({ path, mode }: TreeChange, layout: Layout): Stray['problem'] | undefined {
  const place = placeAt(path, layout);
  if (mode === FOLDER || place.kind === 'outside' || place.kind === 'above') return undefined;
  if (place.kind !== 'build') return linkProblem(mode);
  if (place.file !== '') return undefined;
  return place.name === MANIFEST_FILE ? 'depth' : linkProblem(mode);
}

function linkProblem(mode: string): Stray['problem'] {
  if (mode === '120000') return 'symlink';
  return mode === '160000' ? 'submodule' : 'file';
}

/** The take-downs that the owner files of a commit state. */
export async function statedTakeDowns(
  reader: ObjectReader,
  commit: string,
  layout: Layout,
): Promise<Tombstone[]> {
  const owners = (await buildsEntries(reader, commit, layout)).filter(
    ({ place }) => place.kind === 'owner',
  );
  const stated: Tombstone[] = [];
  for await (const { path, oid } of entriesBelow(reader, owners)) {
    const place = placeAt(path, layout);
    if (place.kind !== 'owner-file') continue;
    const bytes = (await reader.read(oid, { left: MAX_MANIFEST_BYTES }))?.bytes;
    const read = OwnerFile.safeParse(tryParseJson(bytes ?? new Uint8Array()));
    for (const [name, version, statement] of statedIn(read.data?.taken_down)) {
      const of = version === WHOLE_BUILD ? {} : { version };
      stated.push({ id: `${place.owner}/${name}`, ...of, statement });
    }
  }
  return stated;
}

function tryParseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** Ids of the builds that two files of an owner treat differently. */
export function changedBuilds(owner: string, before: OwnerFile, after: OwnerFile): string[] {
  const names = new Set(
    [before, after].flatMap((f) =>
      [f.yanked, f.withdrawn, f.taken_down, f.deprecated, f.moved].flatMap((map) =>
        Object.keys(map ?? {}),
      ),
    ),
  );
  const accepted = [before, after].flatMap((f) => Object.values(f.accepts ?? {}));
  const membersOf = (file: OwnerFile, name: string): string =>
    JSON.stringify([
      file.yanked?.[name],
      file.withdrawn?.[name],
      file.taken_down?.[name],
      file.deprecated?.[name],
      file.moved?.[name],
    ]);
  const changed = [...names].filter((n) => membersOf(before, n) !== membersOf(after, n));
  const isSame = JSON.stringify(before.accepts) === JSON.stringify(after.accepts);
  return [...changed.map((n) => `${owner}/${n}`), ...(isSame ? [] : accepted)];
}
