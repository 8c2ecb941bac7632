/** Plans where the files of new builds go, and checks that they may go there. Pure. */
import { collisionKey, isFilePath, printable } from '../../format/build/file-path.ts';
import { integrityOf } from '../../format/archive/integrity.ts';
import type { Lock, LockedBuild } from '../../format/lock/lock.ts';
import { placedIntegrity } from '../../format/lock/placement.ts';
import { pathProtection } from '../../format/build/protected-path.ts';
import { ClientError } from '../errors.ts';
import type { FileInTheWay } from './existing-file.ts';
import { FilesInTheWay, checkDecidedPaths, markBoth, planExisting } from './existing-file.ts';
import type { Overlay } from './overlay.ts';
import type { BuildFile, FetchedBuild, OnExists, PlanInput, PlannedFile, Warning } from './plan.ts';

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

/** The decisions about files of the project that are in the way. */
export interface ExistingChoices {
  readonly onExists: OnExists;
  /** By path; has priority. */
  readonly onExistsAt?: ReadonlyMap<string, OnExists>;
  /** Paths of files of the project that differ from those of the builds only in their formatting. */
  readonly reformatted?: ReadonlySet<string>;
}

/**
 * Plans the files of `builds`, which the project does not have yet, into `overlay`; sorted by path.
 * @throws {FilesInTheWay} `ERR_USAGE`
 */
export function planFiles(
  builds: readonly FetchedBuild[],
  { onExists, onExistsAt, reformatted }: ExistingChoices,
  overlay: Overlay,
): PlannedFile[] {
  const targets = targetsOf(builds);
  checkDecidedPaths(onExistsAt?.keys() ?? [], new Set(targets.map(({ path }) => path)));
  const files: PlannedFile[] = [];
  const conflicts: FileInTheWay[] = [];
  for (const { build, from, file, path } of targets) {
    const mode = file.executable ? '755' : '644';
    const current = overlay.get(path);
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
    const choice = onExistsAt?.get(path) ?? onExists;
    const planned = planExisting(path, current, file.bytes, choice, reformatted?.has(path));
    if (planned === undefined) {
      const canMerge = markBoth(path, current, file.bytes) !== undefined;
      conflicts.push({ build: build.id, path, ours: current, theirs: file.bytes, canMerge });
      continue;
    }
    const { bytes, ...rest } = planned;
    const before = integrityOf(current);
    files.push({ build: build.id, path, from, mode, before, ...rest, ...rewriteOf(file) });
    if (bytes !== undefined) overlay.put(path, bytes, file.executable);
  }
  if (conflicts.length > 0) throw new FilesInTheWay(conflicts);
  return files;
}

/**
 * Checks the paths of the files of all incoming builds: the path rules, the user's consent, and that no
 * two builds place the same file.
 * @throws {ClientError} `ERR_PATH_POLICY`, `ERR_CONSENT`, `ERR_CONFLICT`
 */
export function checkPlaces({ builds, lock, leaving, allow }: PlanInput): void {
  const targets = targetsOf(builds);
  checkPolicy(targets, allow, (id) => new Set(Object.keys(lock?.builds[id]?.files ?? {})));
  const isReplaced = (id: string): boolean =>
    leaving.has(id) || builds.some((build) => build.id === id);
  const others = Object.entries(lock?.builds ?? {}).filter(([id]) => !isReplaced(id));
  checkOwners(targets, new Map(others));
}

/**
 * Checks that the files of `builds` may be written, for files that a lock lists.
 * @throws {ClientError} `ERR_PATH_POLICY`, `ERR_CONSENT`
 */
export function checkWritable(builds: readonly FetchedBuild[], allow: ReadonlySet<string>): void {
  checkPolicy(targetsOf(builds), allow, () => new Set());
}

/** The project paths of the files of `builds`. */
export function targetPaths(builds: readonly FetchedBuild[]): string[] {
  return builds.flatMap((build) => [...build.files.keys()].map((from) => targetPath(build, from)));
}

/** The project path of a file of a build. */
export function targetPath({ manifest, to }: FetchedBuild, from: string): string {
  const folder = to ?? manifest.base ?? '';
  return folder === '' ? from : `${folder}/${from}`;
}

/** The fields of a planned file that report rewritten imports; none for a file as shipped. */
export function rewriteOf({
  bytes,
  rewrite,
}: BuildFile): Pick<PlannedFile, 'shipped' | 'placed' | 'imports'> {
  if (rewrite === undefined) return {};
  const { shipped, imports } = rewrite;
  return { shipped, placed: integrityOf(bytes), imports };
}

interface Target {
  readonly build: FetchedBuild;
  readonly from: string;
  readonly file: BuildFile;
  readonly path: string;
}

function targetsOf(builds: readonly FetchedBuild[]): Target[] {
  const targets = builds.flatMap((build) => {
    return [...build.files].map(([from, file]) => {
      return { build, from, file, path: targetPath(build, from) };
    });
  });
  return targets.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** @param placedBefore paths of the installed version of a build: the user consented to them before */
function checkPolicy(
  targets: readonly Target[],
  allow: ReadonlySet<string>,
  placedBefore: (id: string) => ReadonlySet<string>,
): void {
  const refused: string[] = [];
  const groups = new Map<string, string[]>();
  for (const { build, path } of targets) {
    const isOfProject = build.manifest.kind === 'module' && PROJECT_FILES.has(collisionKey(path));
    const protection = isOwnGuide(build, path) ? undefined : pathProtection(path);
    if (!isFilePath(path) || isOfProject || protection === 'never') {
      refused.push(`${printable(path)} (${build.id})`);
    } else if (
      protection !== undefined &&
      !allow.has(protection) &&
      !placedBefore(build.id).has(path)
    ) {
      groups.set(protection, [...(groups.get(protection) ?? []), path]);
    }
  }
  if (refused.length > 0) {
    throw new ClientError(
      'ERR_PATH_POLICY',
      `Cannot install: no build may write ${refused.join(', ')}`,
      {
        hint: 'report the build to its publisher',
      },
    );
  }
  if (groups.size > 0) throw noConsent(groups);
}

/**
 * Checks the files that an update writes: that the lock has a path is no consent, since a pull request may edit the lock.
 * @throws {ClientError} `ERR_CONSENT`
 */
export function checkRewrites(
  files: readonly PlannedFile[],
  { builds, allow }: Pick<PlanInput, 'builds' | 'allow'>,
): void {
  const groups = new Map<string, string[]>();
  for (const { build, path, action, before, after, moved_from: from } of files) {
    const kind = builds.find(({ id }) => id === build)?.manifest.kind ?? 'module';
    const isMoved = from !== undefined;
    if (!isMoved && (after === before || !WRITES.has(action))) continue;
    for (const one of isMoved ? [path, from] : [path]) {
      if (!needsConsent(one, kind, allow)) continue;
      const group = pathProtection(one) ?? 'rc';
      groups.set(group, [...(groups.get(group) ?? []), one]);
    }
  }
  if (groups.size > 0) throw noConsent(groups);
}

const WRITES: ReadonlySet<PlannedFile['action']> = new Set([
  'create',
  'replace',
  'merge',
  'conflict',
]);

/** Whether only a yes of the user lets a build of this kind write or delete the file at `path`. */
export function needsConsent(
  path: string,
  kind: LockedBuild['kind'],
  allow: ReadonlySet<string>,
): boolean {
  const protection = pathProtection(path);
  if (protection !== undefined) return !allow.has(protection);
  return kind === 'module' && PROJECT_FILES.has(collisionKey(path));
}

/** About a file that a lock lists and that stays. */
export function keptWithoutConsent(path: string): Warning {
  const message = `it steers tools, agents or the project, and a lock alone is no consent to delete it: look at it, and delete it yourself`;
  return { code: 'file-protected', path, message };
}

function noConsent(groups: ReadonlyMap<string, readonly string[]>): ClientError {
  const listed = [...groups].map(([group, paths]) => `${group}: ${paths.join(', ')}`).join('; ');
  return new ClientError(
    'ERR_CONSENT',
    `Cannot install without your consent to files that control tools or agents: ${listed}`,
    { hint: `read them first, then add --allow ${[...groups.keys()].sort().join(',')}` },
  );
}

/** A foundation may bring the AGENTS.md of the project that it starts: the project has none yet. */
export function isOwnGuide({ manifest }: FetchedBuild, path: string): boolean {
  return manifest.kind === 'foundation' && path === 'AGENTS.md';
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
    {
      hint: 'place one of them elsewhere with --to <folder>, or install only one of them',
    },
  );
}
