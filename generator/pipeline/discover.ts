/** What the main line changed in `builds/`, in order: build folders, owner files, strays. */
import { MANIFEST_FILE } from '../../format/build/build-files.ts';
import { CONFIG_FILE } from '../config.ts';
import { readMainLine } from '../git/history.ts';
import type { Change, MainLineCommit } from '../git/history.ts';
import type { Repository } from '../git/repository.ts';

/** Where and when something was seen. */
interface Place {
  readonly commit: string;
  /** Committer time in UTC, as records write it. */
  readonly time: string;
  /** Path in the repository. */
  readonly path: string;
}

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

/** The registry's configuration after a commit; `blob` is absent when the commit deleted it. */
export interface ConfigChange extends Place {
  readonly kind: 'config';
  readonly blob: string | undefined;
}

/** The end of one commit: for progress. */
interface CommitEnd {
  readonly kind: 'commit-end';
}

export type Discovery = Candidate | OwnerChange | ConfigChange | Stray | CommitEnd;

/** What a run reads of the repository's history. */
export const INDEXED_PATHS: readonly string[] = ['builds', CONFIG_FILE];

/**
 * Reads the main line from old to new.
 * @param since an indexed commit of the main line: only what came after it is read
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function* discover(repository: Repository, since?: string): AsyncGenerator<Discovery> {
  for await (const commit of readMainLine(repository, INDEXED_PATHS, since)) {
    yield* discoverIn(commit);
    yield { kind: 'commit-end' };
  }
}

function* discoverIn(commit: MainLineCommit): Generator<Discovery> {
  const time = new Date(commit.seconds * 1000).toISOString();
  for (const change of commit.changes) {
    const path = change.path.toString('utf8');
    const place: Place = { commit: commit.oid, time, path };
    if (path === CONFIG_FILE) {
      const blob = change.mode === '000000' ? undefined : change.oid;
      yield { kind: 'config', ...place, blob };
      continue;
    }
    const segments = path.split('/');
    const [, owner = '', name = ''] = segments;
    if (change.mode === '000000') {
      if (isOwnerFile(segments)) yield { kind: 'owner', ...place, owner, blob: undefined };
      continue;
    }
    if (segments.length === 2 && change.mode !== '040000') {
      const problem = strayProblem(change);
      // Files beside the owner folders, such as a README, belong to no build.
      if (problem !== 'file') yield { kind: 'stray', ...place, problem };
    } else if (isOwnerFile(segments)) {
      yield { kind: 'owner', ...place, owner, blob: change.oid };
    } else if (segments.length === 3 && change.mode === '040000') {
      yield { kind: 'candidate', ...place, owner, name, tree: change.oid };
    } else if (segments.length === 3) {
      const problem = name === MANIFEST_FILE ? 'depth' : strayProblem(change);
      if (problem !== 'file') yield { kind: 'stray', ...place, problem };
    }
  }
}

function isOwnerFile(segments: readonly string[]): boolean {
  return segments.length === 3 && segments[2] === 'owner.json';
}

function strayProblem(change: Change): Stray['problem'] {
  if (change.mode === '120000') return 'symlink';
  return change.mode === '160000' ? 'submodule' : 'file';
}
