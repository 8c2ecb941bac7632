/**
 * Finds the files of builds that the user moved or renamed since the lock was written, and gives a lock with their places.
 * Pure: bounded by counts alone, so that the same project always gives the same plan.
 */
import { integrityOf } from '../../format/archive/integrity.ts';
import { isNeverWritten } from '../../format/build/protected-path.ts';
import {
  type Lock,
  type LockedBuild,
  placedIntegrity,
  placeOf,
} from '../../format/project/lock.ts';
import { EDITED_FILES } from '../edit/edited-files.ts';
import { movedPath, movedPaths } from './place/layout.ts';
import { folderOf } from './place/paths.ts';
import type { FetchedBuild, Warning } from './plan.ts';
import { countLines, type Lines, MIN_SIMILARITY, similarity } from './renames.ts';

/** A file that is where the lock does not have it. */
export interface MovedFile {
  readonly build: string;
  readonly path: string;
  readonly to: string;
}

/** Beyond this number of pairs, only files with equal bytes, equal names or in a moved folder are found. */
const MAX_PAIRS = 20_000;

/** What the search knows of a file of a build that is not at its place, or is another file there. */
interface Sought {
  readonly build: string;
  readonly path: string;
  readonly from: string;
  readonly digest: string;
  /** As it was shipped; `undefined` when that is not available. */
  readonly lines: Lines | undefined;
  /** Whether another file is at its place. */
  readonly isReplaced: boolean;
}

interface Candidate {
  readonly path: string;
  readonly digest: string;
  readonly lines: () => Lines | undefined;
}

/**
 * The moved files of `lock`, sorted by path: those with the recorded digest; those that moved with their folder; the most similar, as
 * git finds them.
 * @param shipped the installed versions, as far as they are available
 * @param present content of the files that the lock names
 * @param others that of the other files of the project, which are read only where a file is not at its place; hostile
 */
export function findMovedFiles(
  { builds }: Pick<Lock, 'builds'>,
  shipped: ReadonlyMap<string, FetchedBuild>,
  present: ReadonlyMap<string, Uint8Array>,
  others: () => ReadonlyMap<string, Uint8Array>,
): MovedFile[] {
  const sought = Object.entries(builds).flatMap(([id, build]) =>
    soughtFiles(id, build, shipped.get(id), present),
  );
  if (sought.length === 0) return [];
  const replaced = new Set(sought.filter((file) => file.isReplaced).map(({ path }) => path));
  const candidates = [...present]
    .filter(([path]) => replaced.has(path))
    .concat([...others()])
    .filter(([path]) => !isNeverWritten(path) && !EDITED_FILES.includes(path))
    .map(([path, bytes]): Candidate => {
      return { path, digest: integrityOf(bytes), lines: once(() => countLines(bytes, true)) };
    });
  const search = new Search(builds, sought, candidates);
  search.matchDigests();
  search.matchFolders();
  search.matchSimilar((a, b) => nameOf(a.path) === nameOf(b.path));
  search.matchFolders();
  search.matchSimilar(() => true);
  search.matchFolders();
  return search.moved();
}

/** The files of a build that are missing, or that have another file at their place. */
function soughtFiles(
  id: string,
  build: LockedBuild,
  shipped: FetchedBuild | undefined,
  files: ReadonlyMap<string, Uint8Array>,
): Sought[] {
  const digests = new Map(
    Object.keys(build.files).map((path) => [placedIntegrity(build, path), path]),
  );
  return Object.entries(build.files).flatMap(([path, { from }]): Sought[] => {
    if (EDITED_FILES.includes(path)) return [];
    const digest = placedIntegrity(build, path)!;
    const text = shipped?.files.get(from)?.bytes;
    const lines = text === undefined ? undefined : countLines(text, true);
    const now = files.get(path);
    const found = { build: id, path, from, digest, lines, isReplaced: now !== undefined };
    if (now === undefined) return [found];
    const present = integrityOf(now);
    if (present === digest) return [];
    // As "git diff -B": a text that has little in common with the recorded one is another file.
    const isOther = digests.has(present) && digests.get(present) !== path;
    const own = lines === undefined ? undefined : countLines(now, true);
    const isUnlike =
      lines !== undefined && own !== undefined && similarity(lines, own) < MIN_SIMILARITY;
    return isOther || isUnlike ? [found] : [];
  });
}

class Search {
  readonly #builds: Lock['builds'];
  readonly #sought: Set<Sought>;
  readonly #free: Map<string, Candidate>;
  readonly #found = new Map<Sought, string>();

  constructor(builds: Lock['builds'], sought: readonly Sought[], candidates: readonly Candidate[]) {
    this.#builds = builds;
    this.#sought = new Set(sought);
    this.#free = new Map(candidates.map((candidate) => [candidate.path, candidate]));
  }

  /** Without the files that were found at their own place after all. */
  moved(): MovedFile[] {
    const moved = [...this.#found].filter(([{ path }, to]) => path !== to);
    return moved
      .map(([{ build, path }, to]) => ({ build, path, to }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  matchDigests(): void {
    const byDigest = Map.groupBy(this.#free.values(), ({ digest }) => digest);
    const pairs = [...this.#sought].flatMap((file) =>
      // Empty files are equal without being the same file.
      file.lines?.total === 0
        ? []
        : (byDigest.get(file.digest) ?? []).map((to) => ({ file, to, score: 1 })),
    );
    this.#take(pairs);
  }

  /** What is where the folder of a file went is that file, however much of it was edited. */
  matchFolders(): void {
    for (const [id, build] of Object.entries(this.#builds)) {
      const here = [...this.#sought, ...this.#found.keys()].filter((file) => file.build === id);
      if (here.length === 0) continue;
      const missing = new Set([...this.#sought].map(({ path }) => path));
      const found = new Map([...this.#found].map(([{ path }, to]) => [path, to]));
      const placed = Object.entries(build.files)
        .filter(([path]) => !missing.has(path))
        .map(([path, { from }]) => ({ path: found.get(path) ?? path, from }));
      const moved = movedPaths(placed, placeOf(build));
      for (const file of here) {
        const to = movedPath(moved, file.from);
        if (to === undefined || !this.#sought.has(file) || !this.#free.has(to)) continue;
        this.#match(file, to);
      }
    }
  }

  matchSimilar(isPair: (file: Sought, candidate: Candidate) => boolean): void {
    const pairs: Pair[] = [];
    let compared = 0;
    for (const file of this.#sought) {
      if (file.lines === undefined) continue;
      for (const to of this.#free.values()) {
        if (kindOf(to.path) !== kindOf(file.path) || !isPair(file, to)) continue;
        compared += 1;
        if (compared > MAX_PAIRS) return;
        const lines = to.lines();
        const score = lines === undefined ? 0 : similarity(file.lines, lines);
        if (score >= MIN_SIMILARITY) pairs.push({ file, to, score });
      }
    }
    this.#take(pairs);
  }

  /** Each file once, the most similar pair first; among equals the one that has more of the path in common. */
  #take(pairs: readonly Pair[]): void {
    const ranked = pairs.map((pair) => ({
      ...pair,
      common: commonEnd(pair.file.path, pair.to.path),
    }));
    ranked.sort((a, b) => {
      const order = b.score - a.score || b.common - a.common;
      return order || (`${a.file.path}\n${a.to.path}` < `${b.file.path}\n${b.to.path}` ? -1 : 1);
    });
    for (const { file, to } of ranked) {
      if (this.#sought.has(file) && this.#free.has(to.path)) this.#match(file, to.path);
    }
  }

  #match(file: Sought, to: string): void {
    this.#found.set(file, to);
    this.#sought.delete(file);
    this.#free.delete(to);
  }
}

interface Pair {
  readonly file: Sought;
  readonly to: Candidate;
  readonly score: number;
}

/** Languages by the endings between which users rename: a compiled file is no renamed source. */
function kindOf(path: string): string {
  const ending = /\.[^./]+$/.exec(path)?.[0] ?? '';
  return ending.replace(/^\.[mc]?(ts|js)x?$/, '.$1');
}

/** How many last segments two paths have in common. */
function commonEnd(a: string, b: string): number {
  const [left, right] = [a.split('/').reverse(), b.split('/').reverse()];
  const at = left.findIndex((segment, depth) => segment !== right[depth]);
  return at < 0 ? left.length : at;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** One note for the files that moved from one folder to another with their names, and for each other file. */
export function movedNotes(moved: readonly MovedFile[]): Warning[] {
  const groups = Map.groupBy(moved, ({ path, to }) =>
    nameOf(path) === nameOf(to) ? `${folderOf(path)}\n${folderOf(to)}` : `${path}\n${to}`,
  );
  return [...groups].map(([key, group]) => {
    const [from = '', to = ''] = key.split('\n');
    const [{ path, to: now }] = group as [MovedFile];
    const isOne = group.length === 1;
    const what = isOne
      ? path
      : `${group.length} files of ${from === '' ? 'the project root' : from}`;
    return {
      code: 'file-moved',
      path: isOne ? now : to,
      message: `you moved ${what} here: changes follow`,
    };
  });
}

/** The ids whose shipped files are needed: builds that miss files, and those that import from them. */
export function buildsToCompare(
  { builds }: Pick<Lock, 'builds'>,
  isThere: (path: string) => boolean,
): Set<string> {
  const ids = new Set(
    Object.keys(builds).filter((id) => !Object.keys(builds[id]!.files).every(isThere)),
  );
  // The set grows during the loop.
  for (const id of ids) {
    for (const [other, build] of Object.entries(builds)) {
      if (Object.hasOwn(build.builds, id)) ids.add(other);
    }
  }
  return ids;
}

/** The folders in which builds have files: they are searched whatever their name. */
export function foldersOfBuilds({ builds }: Pick<Lock, 'builds'>): Set<string> {
  const folders = new Set<string>();
  for (const { files } of Object.values(builds)) {
    for (const path of Object.keys(files)) {
      for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder))
        folders.add(folder);
    }
  }
  return folders;
}
