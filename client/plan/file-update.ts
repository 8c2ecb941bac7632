/**
 * Plans the update of the files of one build: matches files of the old and of the new version, and
 * merges each three-way. Pure.
 */
import { integrityOf } from '../../format/archive/integrity.ts';
import { placedIntegrity, type LockedBuild } from '../../format/project/lock.ts';
import { markedOf, rewriteOf, targetPath } from './files.ts';
import { findMarks } from '../edit/merge/conflict-markers.ts';
import type { Overlay } from './overlay.ts';
import { mergeFile, type FileMerge } from '../edit/merge/merge-file.ts';
import { mergeShipped } from './merge-shipped.ts';
import { isProtected, keptWithoutConsent } from './consent.ts';
import type { BuildFile, FetchedBuild, OnConflict, PlannedFile, Warning } from './plan.ts';
import { collisionKey } from '../../format/build/file-path.ts';
import { findRenames } from './renames.ts';
import { DeletedModules } from './left-out.ts';

interface FileUpdateInput {
  readonly build: FetchedBuild;
  readonly old: LockedBuild;
  /** The old version; `undefined` when the registry no longer has it. */
  readonly base: FetchedBuild | undefined;
  readonly onConflict: OnConflict;
  readonly allow: readonly string[];
  /** Paths of files whose formatting alone was changed, and of such files of the project where the build adds one. */
  readonly reformatted?: ReadonlySet<string>;
}

/** A file for which neither the user's nor the new version can be taken. */
interface MergeConflict {
  readonly path: string;
  readonly why: string;
}

interface PlannedFileUpdate {
  readonly files: readonly PlannedFile[];
  readonly conflicts: readonly MergeConflict[];
  readonly warnings: readonly Warning[];
}

const WHY: Readonly<Record<string, string>> = {
  'both-edited': 'you and the new version edited the same lines',
  binary: 'you and the new version changed it, and it is not text',
  'too-large': 'you and the new version changed it, and it is too large to merge',
  'added-by-both': 'the new version adds a file where you have another one',
  open: 'a conflict of an earlier update is open: "stackyard resolve" of it comes first',
  'in-the-way':
    'the new version has a folder here, or a file instead of its folder, and you edited it',
};

/** Plans the files of an updated build into `overlay`. */
export function planFileUpdate(input: FileUpdateInput, overlay: Overlay): PlannedFileUpdate {
  const run = new UpdateRun(input, overlay);
  const pairs = pairFiles(input, overlay);
  const present = new Map(pairs.map((pair) => [pair, pair.was && overlay.get(pair.was.path)]));
  // What leaves a path goes first: another file may take its place.
  for (const { was, goes } of pairs) {
    if (was === undefined || was.path === goes?.path) continue;
    if (goes === undefined) run.planDeletion(was.path, was.entry);
    else overlay.drop(was.path);
  }
  for (const pair of pairs) run.plan(pair, present.get(pair));
  run.noteDeletedFolders();
  run.checkFolders();
  return run;
}

class UpdateRun implements PlannedFileUpdate {
  readonly files: PlannedFile[] = [];
  readonly conflicts: MergeConflict[] = [];
  readonly warnings: Warning[] = [];
  readonly #input: FileUpdateInput;
  readonly #overlay: Overlay;
  readonly #deleted: ReadonlySet<string>;
  readonly #modules: DeletedModules;
  /** The files that stay out, by the folder that the user deleted. */
  readonly #leftOut = new Map<string, string[]>();

  constructor(input: FileUpdateInput, overlay: Overlay) {
    this.#input = input;
    this.#overlay = overlay;
    this.#deleted = deletedFolders(input, overlay);
    this.#modules = new DeletedModules(this.#deletedPaths());
  }

  /** @param before what is at the old path */
  plan({ was, goes }: FilePair, before: Uint8Array | undefined): void {
    if (goes === undefined) return;
    const { build, onConflict } = this.#input;
    const { path, from, file } = goes;
    const isMoved = was !== undefined && was.path !== path;
    const mode = file.executable ? '755' : '644';
    const hasOtherMode = was !== undefined && !isMoved && was.entry.mode !== mode;
    const ours = was === undefined ? this.#overlay.get(path) : before;
    if (ours === undefined && this.#isLeftOut(goes)) return;
    if (isMoved && this.#isTaken(path, file)) return;
    if (hasMarks(ours, was?.entry.conflict)) {
      this.conflicts.push({ path: was?.path ?? path, why: WHY['open']! });
      return;
    }
    const shipped = was === undefined ? undefined : this.#baseOf(was, ours, file.bytes);
    const { base, theirs } = this.#modules.strip(path, ours, shipped, file.bytes);
    const isAdopted = was === undefined && this.#input.reformatted?.has(path) === true;
    const isReformatted = isAdopted || (was !== undefined && this.#isReformatted(was.path));
    let merge = isAdopted
      ? ({ kind: 'keep' } as const)
      : isReformatted
        ? mergeReformatted(base, ours, theirs)
        : this.#merge(path, base, ours, theirs);
    // "replace" stands for the bytes of the build.
    if (merge.kind === 'replace' && theirs !== file.bytes) {
      merge = { kind: 'merged', bytes: theirs };
    }
    if (merge.kind === 'conflict' && merge.reason === 'deleted-by-user') {
      merge = this.#deletedByUser(path);
    }
    let action: PlannedFile['action'] | undefined;
    if (merge.kind === 'conflict') {
      if (onConflict === 'markers' && merge.marked !== undefined) {
        action = 'conflict';
        merge = { kind: 'merged', bytes: merge.marked.bytes };
      } else if (onConflict === 'ours' || onConflict === 'theirs') {
        merge = { kind: onConflict === 'ours' ? 'keep' : 'replace' };
      } else {
        this.conflicts.push({ path, why: WHY[merge.reason] ?? merge.reason });
        return;
      }
    }
    const after =
      merge.kind === 'merged' ? merge.bytes : merge.kind === 'replace' ? file.bytes : ours;
    const [old, now] = [ours, after].map((bytes) => bytes && integrityOf(bytes));
    if (after !== undefined && (old !== now || isMoved || hasOtherMode)) {
      const isSet = was === undefined || isMoved || hasOtherMode;
      this.#overlay.put(path, after, isSet ? file.executable : undefined);
    }
    const isKept = now === undefined || (old === now && merge.kind === 'keep');
    const changed = merge.kind === 'merged' ? 'merge' : 'replace';
    const isSame = old === now && !hasOtherMode;
    action ??= isKept ? 'keep' : ours === undefined ? 'create' : isSame ? 'identical' : changed;
    this.files.push({
      build: build.id,
      path,
      from,
      action,
      mode,
      ...(isReformatted ? { reformatted: true as const } : {}),
      ...markedOf(action, after),
      ...(isMoved && after !== undefined ? { moved_from: was.path } : {}),
      ...(old === undefined ? {} : { before: old }),
      after: now ?? integrityOf(file.bytes),
      shipped: integrityOf(file.bytes),
      ...rewriteOf(file),
    });
  }

  /** Files that stay where the new version has a folder, or in a folder where it has a file. */
  checkFolders(): void {
    const present = this.#overlay.files();
    const placed = new Set(this.files.filter(({ after }) => after !== undefined).map(pathOf));
    for (const path of present.keys()) {
      for (const folder of foldersOf(path)) {
        if (!present.has(folder) || !(placed.has(path) || placed.has(folder))) continue;
        this.conflicts.push({ path: placed.has(path) ? folder : path, why: WHY['in-the-way']! });
      }
    }
  }

  /** The files that the project does not have, of the old version and of deleted folders of the new one. */
  #deletedPaths(): string[] {
    const { build, old } = this.#input;
    const missing = Object.keys(old.files).filter((path) => this.#overlay.get(path) === undefined);
    const staying = [...build.files.keys()]
      .filter((from) => foldersOf(from).some((folder) => this.#deleted.has(folder)))
      .map((from) => targetPath(build, from));
    return [...missing, ...staying];
  }

  /** What the project has nothing of since the user deleted its folder, or without it was started. */
  #isLeftOut({ from, path, file }: NonNullable<FilePair['goes']>): boolean {
    const { build, old, base } = this.#input;
    const folder = foldersOf(from).find((one) => this.#deleted.has(one));
    const isAbsent =
      base?.files.has(from) === true && !Object.values(old.files).some((one) => one.from === from);
    if (folder === undefined && !isAbsent) return false;
    const mode = file.executable ? '755' : '644';
    this.files.push({ build: build.id, path, from, action: 'skip', mode });
    if (folder !== undefined)
      this.#leftOut.set(folder, [...(this.#leftOut.get(folder) ?? []), path]);
    return true;
  }

  /** One line for each folder. */
  noteDeletedFolders(): void {
    for (const [folder, paths] of this.#leftOut) {
      const count = paths.length === 1 ? 'file of it stays' : 'files of it stay';
      const message = `you deleted this folder: ${paths.length} ${count} out`;
      this.#warn('folder-deleted', targetPath(this.#input.build, folder), message);
    }
  }

  #merge(
    path: string,
    base: Uint8Array | undefined,
    ours: Uint8Array | undefined,
    theirs: Uint8Array,
  ): FileMerge {
    const { build, old, onConflict } = this.#input;
    const labels = {
      ours: 'yours',
      base: `base ${old.version}`,
      theirs: `theirs ${build.version}`,
    };
    const favor = onConflict === 'ours' || onConflict === 'theirs' ? { favor: onConflict } : {};
    return mergeShipped(path, base, ours, theirs, { labels, ...favor });
  }

  /** The file as it was placed, if it is available. */
  #baseOf(
    { path, entry }: NonNullable<FilePair['was']>,
    ours: Uint8Array | undefined,
    theirs: Uint8Array,
  ): Uint8Array | undefined {
    const placed = placedIntegrity(this.#input.old, path);
    // A fixer of another version would make another text of it.
    if (ours !== undefined && integrityOf(ours) === placed) return ours;
    const file = this.#input.base?.files.get(entry.from);
    // The digest of the lock is that of the shipped file, also where its imports were rewritten.
    if (file !== undefined && shippedIntegrity(file) === entry.integrity) return file.bytes;
    return [ours, theirs].find((b) => b !== undefined && integrityOf(b) === placed);
  }

  #deletedByUser(path: string): FileMerge {
    this.#warn(
      'file-deleted',
      path,
      'you deleted it and the new version changed it: it stays deleted',
    );
    return { kind: 'keep' };
  }

  /** A file that only the old version has. */
  planDeletion(path: string, entry: LockedBuild['files'][string]): void {
    const ours = this.#overlay.get(path);
    if (ours === undefined) return;
    const { base, build } = this.#input;
    const shipped =
      base?.files.get(entry.from)?.bytes ??
      (integrityOf(ours) === placedIntegrity(this.#input.old, path) ? ours : undefined);
    const merge = mergeFile(shipped, ours, undefined);
    const stays = isProtected({ path, mode: entry.mode }, build.manifest.kind, this.#input.allow);
    const isEdited =
      stays || ((merge.kind === 'conflict' || merge.kind === 'keep') && !this.#isReformatted(path));
    if (stays) {
      this.warnings.push(keptWithoutConsent(path));
    } else if (isEdited) {
      this.#warn(
        'file-orphaned',
        path,
        'the new version no longer has it; you edited it, so it is kept as your file',
      );
    } else {
      this.#overlay.drop(path);
    }
    const { from, mode } = entry;
    const before = integrityOf(ours);
    this.files.push({
      build: build.id,
      path,
      from,
      action: isEdited ? 'orphan' : 'delete',
      mode,
      before,
    });
  }

  /** A package.json is merged by its entries, which keeps its formatting. */
  #isReformatted(path: string): boolean {
    const isManifest = /(?:^|\/)package\.json$/.test(path);
    return this.#input.reformatted?.has(path) === true && !isManifest;
  }

  /** Whether the user has another file at the new path of a moved file. */
  #isTaken(path: string, file: BuildFile): boolean {
    const there = this.#overlay.get(path);
    if (there === undefined || integrityOf(there) === integrityOf(file.bytes)) return false;
    if (this.#input.onConflict === 'theirs') return false;
    this.conflicts.push({ path, why: WHY['added-by-both']! });
    return true;
  }

  #warn(code: string, path: string, message: string): void {
    this.warnings.push({ code, path, message });
  }
}

/** The folders of the old version of which the project has no file left: outermost first in each path. */
function deletedFolders({ old, base }: FileUpdateInput, overlay: Overlay): Set<string> {
  const had = new Set<string>();
  const present = new Set<string>();
  for (const from of base?.files.keys() ?? [])
    for (const folder of foldersOf(from)) had.add(folder);
  for (const [path, { from }] of Object.entries(old.files)) {
    for (const folder of foldersOf(from)) {
      had.add(folder);
      if (overlay.get(path) !== undefined) present.add(folder);
    }
  }
  return new Set([...had].filter((folder) => !present.has(folder)));
}

/** `a/b/c.ts` is in `a` and `a/b`. */
export function foldersOf(path: string): string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, depth) => segments.slice(0, depth + 1).join('/'));
}

function hasMarks(bytes: Uint8Array | undefined, size: number | undefined): boolean {
  if (bytes === undefined || size === undefined) return false;
  return findMarks(Buffer.from(bytes).toString('latin1'), size).length > 0;
}

function pathOf({ path }: PlannedFile): string {
  return path;
}

function shippedIntegrity({ bytes, rewrite }: BuildFile): string {
  return rewrite?.shipped ?? integrityOf(bytes);
}

/** A file that nobody edited keeps its formatting until the build changes it. */
function mergeReformatted(
  base: Uint8Array | undefined,
  ours: Uint8Array | undefined,
  theirs: Uint8Array,
): FileMerge {
  const merge = mergeFile(base, ours, theirs);
  return merge.kind === 'conflict' || merge.kind === 'merged' ? { kind: 'replace' } : merge;
}

/** The old and the new place of one file; one of the two may be missing. */
interface FilePair {
  readonly was: { readonly path: string; readonly entry: LockedBuild['files'][string] } | undefined;
  readonly goes:
    | { readonly path: string; readonly from: string; readonly file: BuildFile }
    | undefined;
}

/** The files of both versions, matched by their path in the build, in any letters, then by renames; sorted by path. */
function pairFiles({ build, old, base }: FileUpdateInput, overlay: Overlay): FilePair[] {
  const was = new Map(
    Object.entries(old.files).map(([path, entry]) => [collisionKey(entry.from), { path, entry }]),
  );
  const goes = new Map(
    [...build.files].map(([from, file]) => {
      return [collisionKey(from), { path: targetPath(build, from), from, file }];
    }),
  );
  const pairs: FilePair[] = [];
  for (const [from, target] of goes) {
    const source = was.get(from);
    if (source === undefined) continue;
    pairs.push({ was: source, goes: target });
    was.delete(from);
    goes.delete(from);
  }
  const oldTexts = [...was.values()].map(({ path, entry }) => {
    const { from } = entry;
    const bytes = base?.files.get(from)?.bytes ?? overlay.get(path);
    return { from, bytes, integrity: placedIntegrity(old, path) ?? entry.integrity };
  });
  for (const [oldFrom, newFrom] of findRenames(oldTexts, [...goes.values()])) {
    const [oldKey, newKey] = [oldFrom, newFrom].map(collisionKey) as [string, string];
    pairs.push({ was: was.get(oldKey), goes: goes.get(newKey) });
    was.delete(oldKey);
    goes.delete(newKey);
  }
  for (const source of was.values()) pairs.push({ was: source, goes: undefined });
  for (const target of goes.values()) pairs.push({ was: undefined, goes: target });
  const key = ({ was: source, goes: target }: FilePair): string =>
    collisionKey(target?.path ?? source?.path ?? '');
  return pairs.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
