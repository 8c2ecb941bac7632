/** The files of a build as a commit holds them, read from git objects. */
import { MAX_FILES, MAX_UNPACKED_BYTES } from '../../format/build/build-files.ts';
import { InternalError } from '../../format/errors.ts';
import type { Source, SourceFile } from '../../scan/source.ts';
import type { ObjectReader } from './object-reader.ts';

type EntryType = SourceFile['type'];

type TreeFile = {
  path: string;
  isUtf8Path: boolean;
  type: EntryType;
  mode: string;
  oid: string;
};

const MAX_TREE_DEPTH = 64;

/** How much of a folder is read. */
interface Limits {
  readonly files: number;
  readonly bytes: number;
}

const LIMITS: Limits = { files: MAX_FILES, bytes: MAX_UNPACKED_BYTES };
/** What was published once is read whatever the limits are now. */
const PUBLISHED: Limits = { files: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/**
 * Reads the build folder with tree id `tree`, at most the limits of `build-files.ts` into memory.
 * @param isPublished the limits of today do not count
 */
export async function readSource(
  reader: ObjectReader,
  tree: string,
  isPublished = false,
): Promise<Source> {
  const limits = isPublished ? PUBLISHED : LIMITS;
  const listed: TreeFile[] = [];
  const isCut = !(await listTree(reader, tree, '', 0, listed, limits.files));
  const budget: Parameters<ObjectReader['read']>[1] = { left: limits.bytes };
  const wanted = isCut ? [] : listed.filter(isReadable);
  const objects = await reader.readAll(
    wanted.map((file) => file.oid),
    budget,
  );
  const read = new Map(wanted.map((file, at) => [file, objects[at]]));
  return { files: listed.map((file) => toSourceFile(file, read)), isCut };
}

/** The paths of the files of a build folder. */
export async function sourcePaths(reader: ObjectReader, tree: string): Promise<string[]> {
  const listed: TreeFile[] = [];
  await listTree(reader, tree, '', 0, listed, MAX_FILES);
  return listed.map(({ path }) => path);
}

/** Lists `tree` into `into`; false when there are too many entries to go on. */
async function listTree(
  reader: ObjectReader,
  tree: string,
  prefix: string,
  depth: number,
  into: TreeFile[],
  limit: number,
): Promise<boolean> {
  const object = await reader.read(tree);
  if (object?.bytes === undefined || object.type !== 'tree') {
    throw new InternalError(`Tree ${tree} is missing`);
  }
  for (const { mode, name, oid } of treeEntries(object.bytes, tree.length / 2)) {
    const text = name.toString('utf8');
    const path = prefix + text;
    const type = entryTypeOf(mode);
    if (type === 'folder') {
      if (depth === MAX_TREE_DEPTH) return false;
      if (!(await listTree(reader, oid, `${path}/`, depth + 1, into, limit))) return false;
      continue;
    }
    if (into.length >= limit) return false;
    into.push({ path, isUtf8Path: Buffer.from(text).equals(name), type, mode, oid });
  }
  return true;
}

function isReadable({ type }: TreeFile): boolean {
  return type === 'file' || type === 'executable';
}

function toSourceFile(
  file: TreeFile,
  read: ReadonlyMap<TreeFile, Awaited<ReturnType<ObjectReader['read']>> | undefined>,
): SourceFile {
  const { path, isUtf8Path, type, mode, oid } = file;
  if (!read.has(file)) {
    const odd = type === 'other' ? { mode } : {};
    return { path, isUtf8Path, type, ...odd, size: 0, bytes: undefined };
  }
  const object = read.get(file);
  if (object === undefined) throw new InternalError(`Blob ${oid} of "${path}" is missing`);
  return { path, isUtf8Path, type, size: object.size, bytes: object.bytes };
}

/**
 * The entries of a git tree object as it is stored, with their modes, each `<mode> <name>\0<oid bytes>`. Other
 * commands of git report `100644` for a stored `100600`, and `120000` for `120777`, which a checkout writes as a
 * symbolic link.
 */
export interface TreeEntry {
  /** Octal, as stored: `40000` for a folder. */
  readonly mode: string;
  readonly name: Buffer;
  readonly oid: string;
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

/**
 * Parses a tree object.
 * @param oidBytes length of an object id: 20 or 32
 */
export function* treeEntries(bytes: Buffer, oidBytes: number): Generator<TreeEntry> {
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const nul = bytes.indexOf(0, space);
    const end = nul + 1 + oidBytes;
    yield {
      mode: bytes.toString('latin1', at, space),
      name: bytes.subarray(space + 1, nul),
      oid: bytes.toString('hex', nul + 1, end),
    };
    at = end;
  }
}
