/**
 * Trees of git, which commits and pull requests bring: hostile input. They are parsed here and not by git, whose programs end at a damaged
 * tree, and enter a tree that lies at many paths once for each of them. Every comparison has bounds: 224 KB can hold a tree of 10^64 paths.
 */
import type { ObjectReader } from './object-reader.ts';

/** An entry of a tree as it is stored, `<mode> <name>\0<oid bytes>`. Other commands of git report `100644` for a stored `100600`. */
export interface TreeEntry {
  /** Octal, as stored: `40000` for a folder. */
  readonly mode: string;
  readonly name: Buffer;
  readonly oid: string;
}

/** A difference between two trees, at one path. */
export interface TreeChange {
  /** With U+FFFD where it is not UTF-8. */
  readonly path: string;
  readonly isUtf8: boolean;
  /** As git reports modes, before and after; `000000` where there is no entry, `040000` for a folder. */
  readonly oldMode: string;
  readonly mode: string;
  /** Object ids before and after; empty where there is no entry. */
  readonly oldOid: string;
  readonly oid: string;
  /** Octal mode after it, as stored. */
  readonly storedMode: string;
}

/** A folder or file whose content git does not have, or that exceeds a bound. */
export interface Unreadable {
  readonly path: string;
  readonly problem: string;
}

interface Comparison {
  /** A folder before its content, in the order of git. */
  readonly changes: readonly TreeChange[];
  readonly unreadable: readonly Unreadable[];
  /** There are more changes, or bytes of trees, than the bounds allow. */
  readonly isCut: boolean;
}

interface Bounds {
  /** Changes, folders included. */
  readonly entries: number;
  /** Whether the content of a folder that differs is compared; of all, when absent. */
  readonly isEntered?: (path: string) => boolean;
}

export const FOLDER = '040000';
export const NO_ENTRY = '000000';
/** Of all trees of a comparison; the folder of a million owners has 50 MB. */
export const MAX_TREE_BYTES = 256_000_000;
const MAX_DEPTH = 64;
const NOTHING = Buffer.alloc(0);
const DAMAGED = 'its object is damaged';
/** Bytes that are compared at once. */
const CHUNK = 4_096;

/** Reads trees, each once. */
export class Trees {
  readonly #reader: ObjectReader;
  readonly #known = new Map<string, Promise<Buffer | string>>();
  /** Bytes of the largest one so far. */
  largest = 0;

  constructor(reader: ObjectReader) {
    this.#reader = reader;
  }

  /** The bytes of a tree, or what is wrong with it. */
  read(oid: string): Promise<Buffer | string> {
    const known = this.#known.get(oid) ?? this.#read(oid);
    this.#known.set(oid, known);
    return known;
  }

  clear(): void {
    this.#known.clear();
  }

  async #read(oid: string): Promise<Buffer | string> {
    const object = await this.#reader.read(oid, { left: MAX_TREE_BYTES });
    if (object === undefined) return 'its object is missing';
    const { type, bytes, size } = object;
    if (type === 'tree' && bytes === undefined) return `its object has ${size} bytes`;
    this.largest = Math.max(this.largest, size);
    return type === 'tree' && bytes !== undefined ? bytes : DAMAGED;
  }
}

/**
 * Compares two trees. What cannot be read after is named, and nothing below it is a change; what could not be read before was empty.
 * @param before tree id; `undefined`: nothing
 */
export async function compareTrees(
  trees: Trees,
  before: string | undefined,
  after: string | undefined,
  { entries, isEntered = () => true }: Bounds,
): Promise<Comparison> {
  const [changes, unreadable]: [TreeChange[], Unreadable[]] = [[], []];
  let left = MAX_TREE_BYTES;
  const open = async (oid: string | undefined): Promise<Buffer | string> => {
    const tree = oid === undefined ? NOTHING : await trees.read(oid);
    left -= tree.length;
    return tree;
  };
  /** @returns false: the rest is not read */
  const walk = async (
    folder: TreeChange | undefined,
    [old, now]: readonly [string | undefined, string | undefined],
    depth: number,
  ): Promise<boolean> => {
    const [was, is] = await Promise.all([open(old), open(now)]);
    if (left < 0) return false;
    const isDeep = depth > MAX_DEPTH;
    const pairs = isDeep
      ? `it is nested deeper than ${MAX_DEPTH} folders`
      : differences(was, is, (now ?? old ?? '').length / 2, entries - changes.length);
    if (typeof pairs === 'string') {
      unreadable.push({ path: folder?.path ?? '', problem: pairs });
      return true;
    }
    for (const [one, other] of pairs) {
      const change = changeOf(folder, one, other);
      if (changes.length === entries) return false;
      changes.push(change);
      const sides = [
        change.oldMode === FOLDER ? change.oldOid : undefined,
        change.mode === FOLDER ? change.oid : undefined,
      ] as const;
      const isFolder = sides.some((side) => side !== undefined);
      if (isFolder && isEntered(change.path) && !(await walk(change, sides, depth + 1))) {
        return false;
      }
    }
    return true;
  };
  const isWhole = before === after || (await walk(undefined, [before, after], 1));
  return { changes, unreadable, isCut: !isWhole };
}

/** The entries of a tree; of a damaged one, those before the damage. @param oidBytes length of an object id: 20 or 32 */
export function* treeEntries(bytes: Buffer, oidBytes: number): Generator<TreeEntry> {
  for (let at = 0; at < bytes.length;) {
    const end = endOfEntry(bytes, at, oidBytes);
    if (end === undefined) return;
    yield parseEntry(bytes, at, end, oidBytes);
    at = end;
  }
}

/** Where the entry that begins at `at` ends; `undefined` for one that git itself never writes. Loops over bytes: trees are large. */
function endOfEntry(bytes: Buffer, at: number, oidBytes: number): number | undefined {
  let here = at;
  while (bytes[here]! >= 0x30 && bytes[here]! <= 0x37) here += 1;
  if (here === at || here - at > 7 || bytes[here] !== 0x20) return undefined;
  const name = (here += 1);
  while (here < bytes.length && bytes[here] !== 0 && bytes[here] !== 0x2f) here += 1;
  const end = here + 1 + oidBytes;
  return here === name || bytes[here] !== 0 || end > bytes.length ? undefined : end;
}

function parseEntry(bytes: Buffer, at: number, end: number, oidBytes: number): TreeEntry {
  const space = bytes.indexOf(0x20, at);
  const nul = end - oidBytes - 1;
  return {
    mode: bytes.toString('latin1', at, space),
    name: bytes.subarray(space + 1, nul),
    oid: bytes.toString('hex', nul + 1, end),
  };
}

type Pair = readonly [TreeEntry | undefined, TreeEntry | undefined];

/**
 * The entries that differ, by name, or what is wrong with `after`. Both are mostly equal, and what is equal is not parsed.
 * @param before one that cannot be read is empty
 * @param most so many are wanted: at most one more is returned
 */
function differences(
  before: Buffer | string,
  after: Buffer | string,
  oidBytes: number,
  most: number,
): readonly Pair[] | string {
  if (typeof after === 'string') return after;
  if (typeof before === 'string') return differences(NOTHING, after, oidBytes, most);
  const pairs: Pair[] = [];
  let [old, now] = [before, after];
  while (pairs.length <= most) {
    const equal = equalEntries(old, now, oidBytes);
    [old, now] = [old.subarray(equal), now.subarray(equal)];
    if (old.length === 0 && now.length === 0) return pairs;
    const [i, j] = [endOfEntry(old, 0, oidBytes), endOfEntry(now, 0, oidBytes)];
    if (i === undefined && old.length > 0) return differences(NOTHING, after, oidBytes, most);
    if (j === undefined && now.length > 0) return DAMAGED;
    const one = i === undefined ? undefined : parseEntry(old, 0, i, oidBytes);
    const other = j === undefined ? undefined : parseEntry(now, 0, j, oidBytes);
    const order = !one ? 1 : !other ? -1 : Buffer.compare(keyOf(one), keyOf(other));
    if (order <= 0) old = old.subarray(i);
    if (order >= 0) now = now.subarray(j);
    const isSame = order === 0 && one?.oid === other?.oid;
    if (isSame && modeOf(one?.mode ?? '') === modeOf(other?.mode ?? '')) continue;
    pairs.push([order <= 0 ? one : undefined, order >= 0 ? other : undefined]);
  }
  return pairs;
}

/** How many bytes of whole entries are the same at the beginning of both. */
function equalEntries(one: Buffer, other: Buffer, oidBytes: number): number {
  const most = Math.min(one.length, other.length);
  let same = 0;
  const isChunkSame = (): boolean =>
    one.compare(other, same, same + CHUNK, same, same + CHUNK) === 0;
  while (same + CHUNK <= most && isChunkSame()) same += CHUNK;
  while (same < most && one[same] === other[same]) same += 1;
  if (same >= most && one.length === other.length) return most;
  let whole = 0;
  for (;;) {
    const end = whole < same ? endOfEntry(one, whole, oidBytes) : undefined;
    if (end === undefined || end > same) return whole;
    whole = end;
  }
}

/** Git sorts the name of a folder as if "/" followed it. */
function keyOf({ mode, name }: TreeEntry): Buffer {
  return modeOf(mode) === FOLDER ? Buffer.concat([name, Buffer.from('/')]) : name;
}

function changeOf(
  folder: TreeChange | undefined,
  one: TreeEntry | undefined,
  other: TreeEntry | undefined,
): TreeChange {
  const bytes = (other ?? one)?.name ?? NOTHING;
  const name = bytes.toString('utf8');
  return {
    path: folder === undefined ? name : `${folder.path}/${name}`,
    isUtf8: (folder?.isUtf8 ?? true) && Buffer.from(name).equals(bytes),
    oldMode: one === undefined ? NO_ENTRY : modeOf(one.mode),
    mode: other === undefined ? NO_ENTRY : modeOf(other.mode),
    oldOid: one?.oid ?? '',
    oid: other?.oid ?? '',
    storedMode: other?.mode ?? NO_ENTRY,
  };
}

/** A stored mode as git reports it. */
function modeOf(stored: string): string {
  const mode = Number.parseInt(stored, 8);
  const kind = mode & 0o170000;
  if (kind === 0o100000) return (mode & 0o100) === 0 ? '100644' : '100755';
  if (kind === 0o040000) return FOLDER;
  return kind === 0o120000 ? '120000' : '160000';
}
