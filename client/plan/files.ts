/** Plans where the files of new builds go, and checks that they may go there. Pure. */
import { integrityOf } from '../../format/archive/integrity.ts';
import { collisionKey, isFilePath, printable } from '../../format/build/file-path.ts';
import { isNeverWritten } from '../../format/build/protected-path.ts';
import { type Lock, placedIntegrity } from '../../format/project/lock.ts';
import { markerSize } from '../edit/merge/conflict-markers.ts';
import { ClientError } from '../errors.ts';
import {
  checkDecidedPaths,
  type FileInTheWay,
  FilesInTheWay,
  markBoth,
  planExisting,
} from './existing-file.ts';
import type { Overlay } from './overlay.ts';
import { movedPath } from './place/layout.ts';
import { joinPath } from './place/paths.ts';
import type {
  BuildFile,
  FetchedBuild,
  Change as PlanChange,
  PlanChoices,
  PlannedFile,
} from './plan.ts';

/** Files of the project itself: no module may replace them. */
const PROJECT_FILES = new Set(
  [
    'package.json',
    'package-lock.json',
    'pnpm-lock.yaml',
    'yarn.lock',
    'bun.lock',
    'pyproject.toml',
  ].map(collisionKey),
);

/**
 * Plans the files of `builds`, which the project does not have yet, into `overlay`; sorted by path.
 * @param reformatted paths of files of the project that differ from those of the builds only in their formatting
 * @throws {FilesInTheWay} `ERR_USAGE`
 */
export function planFiles(
  builds: readonly FetchedBuild[],
  choices: Pick<PlanChoices, 'on_exists' | 'on_exists_at'>,
  reformatted: ReadonlySet<string>,
  overlay: Overlay,
): PlannedFile[] {
  const targets = targetsOf(builds);
  const decided = new Map(Object.entries(choices.on_exists_at ?? {}));
  checkDecidedPaths(decided.keys(), new Set(targets.map(({ path }) => path)));
  const files: PlannedFile[] = [];
  const conflicts: FileInTheWay[] = [];
  for (const { build, from, file, path } of targets) {
    const mode = file.executable ? '755' : '644';
    const current = overlay.get(path);
    if (current === undefined && decided.get(path) === 'skip') {
      files.push({ build: build.id, path, from, action: 'skip', mode });
      continue;
    }
    if (current === undefined) {
      const after = integrityOf(file.bytes);
      files.push({
        build: build.id,
        path,
        from,
        action: 'create',
        mode,
        after,
        ...rewriteOf(file),
      });
      overlay.put(path, file.bytes, file.executable);
      continue;
    }
    const choice = decided.get(path) ?? choices.on_exists;
    const planned = planExisting(path, current, file.bytes, choice, reformatted.has(path));
    if (planned === undefined) {
      const canMerge = markBoth(path, current, file.bytes) !== undefined;
      conflicts.push({ build: build.id, path, ours: current, theirs: file.bytes, canMerge });
      continue;
    }
    const { bytes, ...rest } = planned;
    const before = integrityOf(current);
    const marks = markedOf(rest.action, bytes);
    files.push({
      build: build.id,
      path,
      from,
      mode,
      before,
      ...rest,
      ...marks,
      ...rewriteOf(file),
    });
    if (bytes !== undefined) overlay.put(path, bytes, file.executable);
  }
  if (conflicts.length > 0) throw new FilesInTheWay(conflicts);
  return files;
}

/**
 * Checks the paths of the files of all incoming builds: the path rules, and that no two builds place the same file.
 * @throws {ClientError} `ERR_PATH_POLICY`, `ERR_CONFLICT`
 */
export function checkPlaces({ builds, lock, leaving }: PlanChange): void {
  checkWritable(builds);
  const isReplaced = (id: string): boolean =>
    leaving.has(id) || builds.some((build) => build.id === id);
  const others = Object.entries(lock?.builds ?? {}).filter(([id]) => !isReplaced(id));
  checkOwners(targetsOf(builds), new Map(others));
}

/**
 * Checks that builds may write the files of `builds`, with consent or without.
 * @throws {ClientError} `ERR_PATH_POLICY`
 */
export function checkWritable(builds: readonly FetchedBuild[]): void {
  const refused = targetsOf(builds).filter(({ build, path }) => {
    const isOfProject = build.manifest.kind === 'module' && PROJECT_FILES.has(collisionKey(path));
    return !isFilePath(path) || isOfProject || isNeverWritten(path);
  });
  if (refused.length === 0) return;
  const listed = refused.map(({ build, path }) => `${printable(path)} (${build.id})`);
  throw new ClientError(
    'ERR_PATH_POLICY',
    `Cannot install: no build may write ${listed.join(', ')}`,
    { hint: 'report the build to its publisher' },
  );
}

/** The project paths of the files of `builds`. */
export function targetPaths(builds: readonly FetchedBuild[]): string[] {
  return builds.flatMap((build) => [...build.files.keys()].map((from) => targetPath(build, from)));
}

/** The project path of a file of a build. */
export function targetPath({ manifest, to, moved }: FetchedBuild, from: string): string {
  return movedPath(moved, from) ?? joinPath(to ?? manifest.base ?? '', from);
}

/** The field of a planned file with the markers that are written into it. */
export function markedOf(
  action: PlannedFile['action'],
  bytes: Uint8Array | undefined,
): Pick<PlannedFile, 'conflict'> {
  return action === 'conflict' && bytes !== undefined ? { conflict: markerSize(bytes) } : {};
}

/** The fields of a planned file that report rewritten imports; none for a file as shipped. */
export function rewriteOf({
  bytes,
  rewrite,
  header,
}: BuildFile): Pick<PlannedFile, 'shipped' | 'placed' | 'imports' | 'header'> {
  if (rewrite === undefined) return {};
  const { shipped, imports } = rewrite;
  const ignored = header === undefined ? {} : { header };
  return { shipped, placed: integrityOf(bytes), imports, ...ignored };
}

/** A file of a build, and its path in the project. */
export interface Target {
  readonly build: FetchedBuild;
  readonly from: string;
  readonly file: BuildFile;
  readonly path: string;
}

/** The files of `builds`, sorted by path. */
export function targetsOf(builds: readonly FetchedBuild[]): Target[] {
  const targets = builds.flatMap((build) => {
    return [...build.files].map(([from, file]) => {
      return { build, from, file, path: targetPath(build, from) };
    });
  });
  return targets.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** No path may belong to two builds, planned or installed, unless the files are equal. */
function checkOwners(
  targets: readonly Target[],
  locked: ReadonlyMap<string, Lock['builds'][string]>,
): void {
  const owners = new Map<string, { id: string; integrity: string }>();
  for (const [id, build] of locked) {
    for (const path of Object.keys(build.files)) {
      const integrity = placedIntegrity(build, path) ?? '';
      owners.set(collisionKey(path), { id, integrity });
    }
  }
  const clashes: string[] = [];
  for (const { build, path, file } of targets) {
    const integrity = integrityOf(file.bytes);
    const other = owners.get(collisionKey(path));
    if (other !== undefined && other.integrity !== integrity) {
      clashes.push(`${path} (${other.id} and ${build.id})`);
    }
    owners.set(collisionKey(path), { id: build.id, integrity });
  }
  if (clashes.length === 0) return;
  throw new ClientError(
    'ERR_CONFLICT',
    `Cannot install: two builds place the same file: ${clashes.join(', ')}`,
    { hint: 'place one of them elsewhere with --to <folder>, or install only one of them' },
  );
}
