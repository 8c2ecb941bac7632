/** The files of a build as a commit holds them, read from git objects. */
import { MAX_FILES, MAX_UNPACKED_BYTES } from '../../format/build/build-files.ts';
import type { Source, SourceFile } from '../../scan/source.ts';
import type { ObjectReader } from './object-reader.ts';
import { compareTrees, Trees, type TreeChange, type Unreadable } from './trees.ts';

type EntryType = SourceFile['type'];

interface Reading {
  /** It was published once: the limits of today do not count. */
  readonly isPublished?: boolean;
  /** Nobody saw it yet: no content is read of a folder that is over the limits, neither a file of a gigabyte nor a part of it. */
  readonly isProposed?: boolean;
}

/** Files and folders together, in a build within the limits and in one that was published once. */
const MAX_ENTRIES = 8 * MAX_FILES;
const MAX_PUBLISHED_ENTRIES = 1_000_000;
const NO_FILE = 'its object is missing, or is no file';

/** Reads the build folder with tree id `tree`, at most the limits of `build-files.ts` into memory. */
export async function readSource(
  reader: ObjectReader,
  tree: string,
  { isPublished = false, isProposed = false }: Reading = {},
): Promise<Source> {
  const entries = isPublished ? MAX_PUBLISHED_ENTRIES : MAX_ENTRIES;
  const compared = await compareTrees(new Trees(reader), undefined, tree, { entries });
  const all = compared.changes.filter(isListed);
  const isCut = compared.isCut || (!isPublished && all.length > MAX_FILES);
  const listed = isCut ? [] : all;
  const wanted = listed.filter(isReadable);
  const oids = wanted.map(({ oid }) => oid);
  const sizes = isProposed ? await reader.describeAll(oids) : [];
  const total = sizes.reduce((sum, one) => sum + (one?.size ?? 0), 0);
  const budget = { left: isPublished ? Number.POSITIVE_INFINITY : MAX_UNPACKED_BYTES };
  const objects = total > MAX_UNPACKED_BYTES ? sizes : await reader.readAll(oids, budget);
  const blobs = objects.map((object) => (object?.type === 'blob' ? object : undefined));
  const read = new Map(wanted.map((file, at) => [file, blobs[at]]));
  const missing = wanted.filter((file) => read.get(file) === undefined);
  const unreadable: Unreadable[] = [
    ...compared.unreadable,
    ...missing.map(({ path }) => ({ path, problem: NO_FILE })),
  ];
  return { files: listed.map((file) => toSourceFile(file, read.get(file))), isCut, unreadable };
}

/** The paths of the files of a build folder. */
export async function sourcePaths(reader: ObjectReader, tree: string): Promise<string[]> {
  const bounds = { entries: MAX_ENTRIES };
  const { changes } = await compareTrees(new Trees(reader), undefined, tree, bounds);
  return changes.filter(isListed).map(({ path }) => path);
}

function isListed({ storedMode }: TreeChange): boolean {
  return entryTypeOf(storedMode) !== 'folder';
}

function isReadable({ storedMode }: TreeChange): boolean {
  const type = entryTypeOf(storedMode);
  return type === 'file' || type === 'executable';
}

function toSourceFile(
  { path, isUtf8: isUtf8Path, storedMode: mode }: TreeChange,
  object: Awaited<ReturnType<ObjectReader['read']>>,
): SourceFile {
  const type = entryTypeOf(mode) as EntryType;
  const odd = type === 'other' ? { mode } : {};
  return { path, isUtf8Path, type, ...odd, size: object?.size ?? 0, bytes: object?.bytes };
}

/** The modes that git writes; the first is a folder. */
const TYPES: Readonly<Record<string, EntryType | 'folder'>> = {
  '40000': 'folder',
  '100644': 'file',
  '100755': 'executable',
  '120000': 'symlink',
  '160000': 'submodule',
};

/** What an entry with the stored mode `mode` is; `other` for every mode that git never writes. */
export function entryTypeOf(mode: string): EntryType | 'folder' {
  return Object.hasOwn(TYPES, mode) ? (TYPES[mode] ?? 'other') : 'other';
}
