/**
 * Where the files of builds are: as they were shipped (`base`) and in this project (`place`). Imports are
 * resolved among the shipped paths and written for the paths in the project. Pure.
 */
import { folderOf, isWithin, joinPath } from './paths.ts';

/** Where a build is, and what it requires. */
export interface BuildPlace {
  readonly id: string;
  /** Folder of the files as they were shipped; "" is the root of the project. */
  readonly base: string;
  /** Folder of the files in the project. */
  readonly place: string;
  /** Paths of the files within the build. */
  readonly files: readonly string[];
  /** Ids of the builds that it requires. */
  readonly requires: readonly string[];
  /** Files and folders that the user moved within the project. */
  readonly moved?: MovedPaths | undefined;
}

/** Path of a file or folder within a build to its path in the project, for what is not where the build puts it. */
export type MovedPaths = ReadonlyMap<string, string>;

/** A module of a build that an import reaches. */
export interface Reached {
  readonly build: BuildPlace;
  /** The path that the import names, in the project: with or without ending, a file or a folder. */
  readonly path: string;
  /** Path of the file in the project; `undefined` for a folder without a module of its own. */
  readonly file: string | undefined;
}

/** Endings that an import may leave out, and those of compiled files that stand for source files. */
const SOURCE_ENDING = /\.(?:d\.[mc]?ts|[mc]?[jt]s|[jt]sx|json|pyi?)$/;
const COMPILED: Readonly<Record<string, readonly string[]>> = {
  '.ts': ['.js'],
  '.tsx': ['.js', '.jsx'],
  '.mts': ['.mjs'],
  '.cts': ['.cjs'],
  '.d.ts': ['.js'],
  '.d.mts': ['.mjs'],
  '.d.cts': ['.cjs'],
};

/** The places of all builds of a project. */
export class Layout {
  readonly #builds: ReadonlyMap<string, BuildPlace>;
  readonly #modules = new Map<string, ReadonlyMap<string, string | undefined>>();

  constructor(builds: Iterable<BuildPlace>) {
    this.#builds = new Map(Array.from(builds, (build) => [build.id, build]));
  }

  get(id: string): BuildPlace | undefined {
    return this.#builds.get(id);
  }

  /** A build and what it requires, directly or not; the build itself comes first. */
  withRequired(id: string): BuildPlace[] {
    const ids = new Set([id]);
    // The set grows during the loop.
    for (const one of ids) for (const next of this.get(one)?.requires ?? []) ids.add(next);
    return [...ids].flatMap((one) => this.get(one) ?? []);
  }

  /** Whether a build, or one that it requires, is elsewhere than it was shipped. */
  isMoved(id: string): boolean {
    return this.withRequired(id).some(
      ({ base, place, moved }) => base !== place || moved !== undefined,
    );
  }

  /**
   * The module that is shipped at `path`, for code of the build `id`: one of the build itself or of those
   * that it requires.
   */
  reach(id: string, path: string): Reached | undefined {
    for (const build of this.withRequired(id)) {
      const modules = this.#modulesOf(build);
      if (!modules.has(path)) continue;
      const file = modules.get(path);
      if (file === undefined) return { build, path: moveTo(build, path), file };
      return { build, path: nameAfterMove(build, path, file), file: moveTo(build, file) };
    }
    return undefined;
  }

  /**
   * What is at `path` below the shipped folder of such a build without being one of its files: what is made
   * later, or a file that the user keeps. It moves with the build.
   */
  contain(id: string, path: string): Reached | undefined {
    const folders = this.withRequired(id).filter(({ base }) => base !== '' && isWithin(base, path));
    const [build] = folders.sort((a, b) => b.base.length - a.base.length);
    return build === undefined ? undefined : { build, path: moveTo(build, path), file: undefined };
  }

  /** Whether a build, required or not, has a module at `path` of the project. */
  hasAt(path: string): boolean {
    return [...this.#builds.values()].some((build) =>
      build.files.some((from) => {
        const file = moveTo(build, joinPath(build.base, from));
        const stem = stemOf(file);
        const isIndex = nameOf(stem) === 'index' && folderOf(file) === path;
        return isIndex || file === path || stem === stemOf(path);
      }),
    );
  }

  /** Shipped paths by which imports name the modules of a build, with the file of each. */
  #modulesOf(build: BuildPlace): ReadonlyMap<string, string | undefined> {
    const known = this.#modules.get(build.id);
    if (known !== undefined) return known;
    const modules = new Map<string, string | undefined>();
    const add = (path: string, file: string | undefined): void => {
      if (modules.get(path) === undefined) modules.set(path, file);
    };
    for (const from of build.files) {
      const file = joinPath(build.base, from);
      add(file, file);
      const [ending] = SOURCE_ENDING.exec(file) ?? [];
      if (ending === undefined) continue;
      const stem = file.slice(0, -ending.length);
      add(stem, file);
      for (const name of compiledNames(file)) add(name, file);
      if (/(?:^|\/)(?:index|__init__)$/.test(stem)) add(folderOf(file), file);
      // A folder of Python modules is a package without `__init__.py` too.
      if (ending === '.py') add(folderOf(file), undefined);
    }
    this.#modules.set(build.id, modules);
    return modules;
  }
}

/** The names of `file` after compilation, under which imports may name it: `a.ts` is `a.js` too. */
export function compiledNames(file: string): string[] {
  const [ending] = SOURCE_ENDING.exec(file) ?? [''];
  return (COMPILED[ending] ?? []).map((other) => file.slice(0, -ending.length) + other);
}

/** The path in the project of a shipped path of `build`. */
export function moveTo({ base, place, moved }: BuildPlace, path: string): string {
  const from = base === '' ? path : path.slice(base.length + 1);
  return movedPath(moved, from) ?? joinPath(place, from);
}

/** Where the user moved `from` of a build, alone or with its folder; `undefined` for what is at its place. */
export function movedPath(moved: MovedPaths | undefined, from: string): string | undefined {
  const own = moved?.get(from);
  if (moved === undefined || own !== undefined) return own;
  for (let folder = folderOf(from); folder !== ''; folder = folderOf(folder)) {
    const target = moved.get(folder);
    if (target !== undefined) return joinPath(target, from.slice(folder.length + 1));
  }
  return undefined;
}

/**
 * What the user moved of a build, by where its files are. A folder counts as moved to where most of its files are, once none is
 * at its place: what a new version adds goes there.
 * @param files path in the project and within the build
 */
export function movedPaths(
  files: Iterable<{ readonly path: string; readonly from: string }>,
  place: string,
): MovedPaths | undefined {
  const moved = new Map<string, string>();
  const kept = new Set<string>();
  const votes = new Map<string, Map<string, number>>();
  for (const { path, from } of files) {
    const isMoved = path !== joinPath(place, from);
    if (isMoved) moved.set(from, path);
    for (let folder = folderOf(from); folder !== ''; folder = folderOf(folder)) {
      const rest = from.slice(folder.length);
      if (!isMoved) kept.add(folder);
      if (!isMoved || !path.endsWith(rest)) continue;
      const counts = votes.get(folder) ?? new Map<string, number>();
      const target = path.slice(0, -rest.length);
      votes.set(folder, counts.set(target, (counts.get(target) ?? 0) + 1));
    }
  }
  for (const [folder, counts] of votes) {
    const [best] = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    if (best !== undefined && !kept.has(folder)) moved.set(folder, best[0]);
  }
  return moved.size === 0 ? undefined : moved;
}

/** How an import names the shipped `file` after its move, in the form of `path`: with the same ending, or as a folder. */
function nameAfterMove(build: BuildPlace, path: string, file: string): string {
  const target = moveTo(build, file);
  if (path === file) return target;
  const stem = stemOf(file);
  if (path === stem) return stemOf(target);
  if (!path.startsWith(`${stem}.`)) {
    const isIndex = nameOf(stemOf(target)) === nameOf(stem);
    return isIndex ? folderOf(target) : stemOf(target);
  }
  const names = compiledNames(target);
  return names[compiledNames(file).indexOf(path)] ?? names[0] ?? target;
}

function stemOf(file: string): string {
  return file.replace(SOURCE_ENDING, '');
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
