/**
 * The files of installed builds as the project has them, beside what was placed there: for what compares them, and what brings
 * them back. The lock has digests alone, so that the texts come from the cache or the registry.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { integrityOf } from '../../format/archive/integrity.ts';
import { type Lock, type LockedBuild, placedIntegrity } from '../../format/project/lock.ts';
import { EDITED_FILES } from '../edit/edited-files.ts';
import { withLf } from '../edit/project-file.ts';
import { ClientError } from '../errors.ts';
import { hasOnlyOtherLineEnds } from '../plan/file-removal.ts';
import { checkWritable, targetPath } from '../plan/files.ts';
import { adoptIdentity, hasIdentity, mergeShipped } from '../plan/merge-shipped.ts';
import type { MovedFile } from '../plan/moved-files.ts';
import { placeInstalled } from '../plan/place/place-builds.ts';
import type { BuildFile, FetchedBuild, FileChange } from '../plan/plan.ts';
import { findReformatted } from '../plan/reformatted-files.ts';
import { openConflicts } from '../project/open-conflicts.ts';
import { openProjectCode } from '../project/project-code.ts';
import { statusAt } from '../project/read-file.ts';
import { ownTexts } from '../project/wired-files.ts';
import type { ShippedBuilds } from './fetch-builds.ts';
import { styleInstalled } from '../style/style-builds.ts';
import { buildsThatMoved, followMovedFiles } from './follow-moved-files.ts';

/** A file that is not as it was placed. */
export interface ChangedFile {
  readonly build: string;
  readonly path: string;
  /** Path within the build. */
  readonly from: string;
  readonly state: 'modified' | 'reformatted' | 'missing' | 'not-a-file' | 'conflict';
  readonly present?: Uint8Array;
  /** `present` without what the client put in for other builds, with LF as its line ends. */
  readonly own?: Uint8Array;
  /** As the build has it at its place, in the style of the project; absent where its build was not read. */
  readonly placed?: BuildFile;
  /** Why the build cannot be read. */
  readonly problem?: ClientError;
}

interface Comparison {
  /** With moved files where they are. */
  readonly lock: Lock;
  readonly moved: readonly MovedFile[];
  /** How many files were compared. */
  readonly checked: number;
  /** Sorted by path. */
  readonly changed: readonly ChangedFile[];
  /** The read builds at their places. */
  readonly builds: ReadonlyMap<string, FetchedBuild>;
}

interface Comparing {
  /** Gives the shipped versions of builds, as far as they can be read. */
  readonly read: (builds: readonly (readonly [string, LockedBuild])[]) => Promise<ShippedBuilds>;
  /** Limits the files, by their places now. */
  readonly choose?: (lock: Lock) => (build: string, path: string) => boolean;
  /** The changed files whose build is read; default: those that may only be reformatted. */
  readonly needsText?: (file: ChangedFile) => boolean;
  /** Whether edits of a package.json and similar files of a foundation count: these are meant to change. */
  readonly withProjects?: boolean;
  readonly signal: AbortSignal;
}

/** @throws {ClientError} `ERR_PROJECT_FILE` where the aliases of the project cannot be read */
export async function compareInstalled(
  project: string,
  recorded: Lock,
  {
    read,
    choose = () => () => true,
    needsText = isModified,
    withProjects = false,
    signal,
  }: Comparing,
): Promise<Comparison> {
  const code = openProjectCode(project);
  const away = await read(buildsThatMoved(project, recorded));
  const { lock, moved } = await followMovedFiles(project, recorded, away.builds, code);
  const isWanted = choose(lock);
  const ownText = await ownTexts(lock);
  const open = new Set(openConflicts(project, lock).map(({ path }) => path));
  const found: ChangedFile[] = [];
  let checked = 0;
  for (const [build, locked] of Object.entries(lock.builds)) {
    for (const [path, { from }] of Object.entries(locked.files)) {
      if (!isWanted(build, path)) continue;
      checked += 1;
      const isProjects = locked.kind === 'foundation' && EDITED_FILES.includes(path);
      const own = withProjects || !isProjects ? ownText : undefined;
      const file = { build, path, from };
      const integrity = placedIntegrity(locked, path) ?? '';
      const state = stateOf(join(project, path), integrity, open.has(path), (bytes) =>
        own?.(build, path, bytes),
      );
      if (state !== undefined) found.push({ ...file, ...state });
    }
  }
  found.sort((a, b) => (a.path < b.path ? -1 : 1));
  const wanted = found.filter(needsText);
  const ids = new Set(wanted.map(({ build }) => build));
  const installed = Object.entries(lock.builds).filter(([id]) => ids.has(id));
  const shipped = await read(installed);
  const atPlace = await placeInstalled(lock, [...shipped.builds.values()], code);
  const contents = new Map(
    wanted.flatMap(({ path, own }) => (own === undefined ? [] : [[path, own] as const])),
  );
  const styled = await styleInstalled(project, atPlace, lock, contents, signal);
  const builds = new Map([...styled].map(([id, build]) => [id, withOwnIdentity(build, contents)]));
  const reformatted = await findReformatted(installed, contents, builds);
  const changed = found.flatMap((file): ChangedFile[] => {
    if (!ids.has(file.build) || !needsText(file)) return [file];
    const problem = shipped.problems.get(file.build);
    const placed = builds.get(file.build)?.files.get(file.from);
    if (placed === undefined) return [problem === undefined ? file : { ...file, problem }];
    const { own } = file;
    // Without what was put into it, a file of a foundation may be as it was shipped.
    if (!isModified(file) || own === undefined) return [{ ...file, placed }];
    if (Buffer.compare(own, placed.bytes) === 0) return [];
    return [{ ...file, placed, state: reformatted.has(file.path) ? 'reformatted' : 'modified' }];
  });
  return { lock, moved, checked, changed, builds };
}

function isModified({ state }: ChangedFile): boolean {
  return state === 'modified';
}

/** @param ownOf gives the text without what the client put in; `undefined` where edits of the file do not count */
function stateOf(
  file: string,
  integrity: string,
  isOpen: boolean,
  ownOf: (bytes: Uint8Array) => Uint8Array | undefined,
): Pick<ChangedFile, 'state' | 'present' | 'own'> | undefined {
  const stats = statusAt(file);
  if (stats === undefined) return { state: 'missing' };
  if (!stats.isFile()) return { state: 'not-a-file' };
  const present = readFileSync(file);
  if (integrityOf(present) === integrity) return undefined;
  if (isOpen) return { state: 'conflict', present };
  const own = ownOf(present);
  if (own === undefined) return undefined;
  const isAsPlaced = integrityOf(own) === integrity;
  if (isAsPlaced && withLf(present) === present) return undefined;
  const isByLineEnds = isAsPlaced || hasOnlyOtherLineEnds(own, integrity);
  return { state: isByLineEnds ? 'reformatted' : 'modified', present, own };
}

/**
 * The changes that bring `files` back as they were placed.
 * @throws {ClientError} why a build cannot be read; `ERR_LOCK` where it is not what the lock records, `ERR_PATH_POLICY`
 */
export function restoringChanges(
  files: readonly ChangedFile[],
  { lock, builds }: Pick<Comparison, 'lock' | 'builds'>,
): { readonly changes: FileChange[]; readonly restored: FetchedBuild[] } {
  const changes = files.map((file): FileChange => {
    const { build: id, path, from, present, placed, problem } = file;
    if (problem !== undefined) throw problem;
    const locked = lock.builds[id]!;
    const { integrity, mode } = locked.files[path]!;
    const build = builds.get(id)!;
    if (
      placed === undefined ||
      targetPath(build, from) !== path ||
      shippedDigest(placed) !== integrity
    ) {
      throw new ClientError(
        'ERR_LOCK',
        `The lock lists "${path}" as "${from}" of "${id}" ${build.version}, and it is not`,
        { hint: 'the lock was edited: restore it from version control' },
      );
    }
    // The style of the project is not always made again: the shipped form of a file is no edit of it.
    const isStyled = locked.placement?.style === 'project';
    const isOwn = hasIdentity(path);
    if (!isStyled && !isOwn && integrityOf(placed.bytes) !== placedIntegrity(locked, path)) {
      throw new ClientError(
        'ERR_LOCK',
        `Cannot restore "${path}" of "${id}": its imports would not be those that the lock records`,
        {
          hint: 'the aliases of the project have changed since: restore the file from version control',
        },
      );
    }
    const expected = present === undefined ? undefined : integrityOf(present);
    return { path, bytes: withPutIn(file, placed.bytes), executable: mode === '755', expected };
  });
  const paths = new Set(files.map(({ path }) => path));
  const restored = [...builds.values()].map((build) => {
    const own = [...build.files].filter(([from]) => paths.has(targetPath(build, from)));
    return { ...build, files: new Map(own) };
  });
  checkWritable(restored);
  return { changes, restored };
}

/** `placed` with what the client put into the present file, where that has a place in it. */
function withPutIn({ path, present, own }: ChangedFile, placed: Uint8Array): Uint8Array {
  if (present === undefined || own === undefined) return placed;
  const merge = mergeShipped(path, own, withLf(present), placed, {});
  return merge.kind === 'merged' ? merge.bytes : merge.kind === 'keep' ? withLf(present) : placed;
}

function shippedDigest({ bytes, rewrite }: BuildFile): string {
  return rewrite?.shipped ?? integrityOf(bytes);
}

/** `build` with the identity that the files of the project gave themselves. @param present content by path in the project */
function withOwnIdentity(
  build: FetchedBuild,
  present: ReadonlyMap<string, Uint8Array>,
): FetchedBuild {
  const files = [...build.files].map(([from, file]): [string, BuildFile] => {
    const path = targetPath(build, from);
    const ours = hasIdentity(path) ? present.get(path) : undefined;
    if (ours === undefined) return [from, file];
    const bytes = adoptIdentity(path, file.bytes, ours);
    const { shipped = integrityOf(file.bytes), imports = [] } = file.rewrite ?? {};
    return [from, bytes === file.bytes ? file : { ...file, bytes, rewrite: { shipped, imports } }];
  });
  return { ...build, files: new Map(files) };
}
