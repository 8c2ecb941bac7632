/** A lock with the files of builds where the user moved them. Pure. */
import { integrityOf } from '../../format/archive/integrity.ts';
import { type Lock, type LockedBuild, placeOf } from '../../format/project/lock.ts';
import type { MovedFile } from './moved-files.ts';
import { movedPath, movedPaths } from './place/layout.ts';
import { joinPath } from './place/paths.ts';
import type { FetchedBuild } from './plan.ts';

/**
 * `lock` with moved files where they are. A module of which all files moved to one folder is placed there, as by `--to`; deleted
 * files of a moved folder go with it.
 * @param isThere whether the project has a file at a path
 */
export function relocateLock(
  lock: Lock,
  moved: readonly MovedFile[],
  isThere: (path: string) => boolean,
): Lock {
  const byBuild = Map.groupBy(moved, ({ build }) => build);
  const newPaths = new Map(moved.map(({ path, to }) => [path, to]));
  const builds = Object.entries(lock.builds).map(([id, build]): [string, LockedBuild] => {
    const relocated = byBuild.has(id) ? relocateBuild(build, newPaths, isThere) : build;
    const wiring = build.wiring?.map((entry) => ({
      ...entry,
      file: newPaths.get(entry.file) ?? entry.file,
    }));
    return [id, wiring === undefined ? relocated : { ...relocated, wiring }];
  });
  return { ...lock, builds: Object.fromEntries(builds) };
}

function relocateBuild(
  build: LockedBuild,
  newPaths: ReadonlyMap<string, string>,
  isThere: (path: string) => boolean,
): LockedBuild {
  const entries = Object.entries(build.files).map(([path, { from }]) => {
    return { path, from, to: newPaths.get(path) ?? path };
  });
  const taken = new Set(newPaths.values());
  const isLost = ({ path, to }: (typeof entries)[number]): boolean =>
    path === to && (taken.has(path) || !isThere(path));
  const present = entries
    .filter((entry) => !isLost(entry))
    .map(({ from, to }) => ({ from, path: to }));
  const to = build.kind === 'module' ? commonFolder(present) : undefined;
  const place = to ?? placeOf(build);
  const moved = movedPaths(present, place);
  const used = new Set(present.map(({ path }) => path));
  const paths = new Map(
    entries.map((entry) => {
      if (!isLost(entry)) return [entry.path, entry.to];
      const own = movedPath(moved, entry.from) ?? joinPath(place, entry.from);
      // Another file is at the place of a deleted one: the deletion is recorded where that one came from.
      const path = [own, entry.path, ...newPaths.keys()].find(
        (one) => !used.has(one) && !isThere(one),
      );
      used.add(path ?? own);
      return [entry.path, path];
    }),
  );
  const rekey = <Value>(record: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(
      Object.entries(record).flatMap(([path, value]) => {
        const next = paths.has(path) ? paths.get(path) : path;
        return next === undefined ? [] : [[next, value] as const];
      }),
    );
  const { placement } = build;
  const folder = to === undefined || to === placeOf(build) ? {} : { to };
  const rewritten = rekey(placement?.rewritten ?? {});
  return { ...build, files: rekey(build.files), placement: { ...placement, ...folder, rewritten } };
}

/** The folder in which every file is at its path within the build. */
function commonFolder(
  files: readonly { readonly path: string; readonly from: string }[],
): string | undefined {
  const folders = new Set(
    files.map(({ path, from }) =>
      path === from ? '' : path.endsWith(`/${from}`) ? path.slice(0, -from.length - 1) : undefined,
    ),
  );
  const [folder] = folders;
  return folders.size === 1 ? folder : undefined;
}

/** `lock` with the digests that its files have with the imports of their places. @param placed the installed versions there */
export function settleDigests(lock: Lock, placed: readonly FetchedBuild[]): Lock {
  const builds = { ...lock.builds };
  for (const { id, files } of placed) {
    const build = builds[id];
    if (build === undefined) continue;
    const rewritten = { ...build.placement?.rewritten };
    for (const [path, { from, integrity }] of Object.entries(build.files)) {
      const file = files.get(from);
      if (file === undefined) continue;
      if (file.rewrite?.shipped === integrity) rewritten[path] = integrityOf(file.bytes);
      else if (file.rewrite === undefined && build.placement?.style === undefined)
        delete rewritten[path];
    }
    const isEmpty = build.placement === undefined && Object.keys(rewritten).length === 0;
    if (!isEmpty) builds[id] = { ...build, placement: { ...build.placement, rewritten } };
  }
  return { ...lock, builds };
}
