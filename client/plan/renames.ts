/** Finds files of an old version that have another path in the new one. Pure, bounded. */
import { integrityOf } from '../../format/archive/integrity.ts';

interface OldFile {
  readonly from: string;
  /** As it was shipped; `undefined` when that is not available. */
  readonly bytes: Uint8Array | undefined;
  readonly integrity: string;
}

interface NewFile {
  readonly from: string;
  readonly file: { readonly bytes: Uint8Array };
}

/** Two files with at least this share of common lines count as renamed, as in git. */
export const MIN_SIMILARITY = 0.5;
/** Beyond this number of pairs, only files with equal bytes count as renamed. */
const MAX_PAIRS = 10_000;
/** Larger files are compared by digest only. */
const MAX_COMPARED_BYTES = 256 * 1024;

/** Pairs of old and new path within the build; each file in at most one pair, the most similar first. */
export function findRenames(
  gone: readonly OldFile[],
  added: readonly NewFile[],
): [string, string][] {
  const renames: [string, string][] = [];
  const free = new Map(added.map((file) => [file.from, file]));
  const left: OldFile[] = [];
  const byDigest = new Map<string, string[]>();
  for (const { from, file } of added) {
    // Empty files are equal without being the same file.
    if (file.bytes.length === 0) continue;
    const digest = integrityOf(file.bytes);
    byDigest.set(digest, [...(byDigest.get(digest) ?? []), from]);
  }
  for (const old of gone) {
    const twin = byDigest.get(old.integrity)?.shift();
    if (twin === undefined) {
      left.push(old);
      continue;
    }
    renames.push([old.from, twin]);
    free.delete(twin);
  }
  return [...renames, ...findSimilar(left, [...free.values()])];
}

function findSimilar(gone: readonly OldFile[], added: readonly NewFile[]): [string, string][] {
  if (gone.length * added.length > MAX_PAIRS) return [];
  const news = added.map(({ from, file }) => ({ from, lines: countLines(file.bytes) }));
  const scored: { readonly pair: [string, string]; readonly score: number }[] = [];
  for (const { from, bytes } of gone) {
    const lines = bytes === undefined ? undefined : countLines(bytes);
    if (lines === undefined) continue;
    for (const other of news) {
      if (other.lines === undefined) continue;
      const score = similarity(lines, other.lines);
      if (score >= MIN_SIMILARITY) scored.push({ pair: [from, other.from], score });
    }
  }
  scored.sort((a, b) => b.score - a.score || (a.pair.join() < b.pair.join() ? -1 : 1));
  const taken = new Set<string>();
  const renames: [string, string][] = [];
  for (const { pair } of scored) {
    const [from, to] = [`old ${pair[0]}`, `new ${pair[1]}`];
    if (taken.has(from) || taken.has(to)) continue;
    taken.add(from).add(to);
    renames.push(pair);
  }
  return renames;
}

/** The lines of a text, to compare it with others. */
export interface Lines {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

/** The folders of a relative path in quotes, and those of a Python module: they change when a file moves. */
const IMPORT_FOLDERS =
  /(?<=["'])\.{1,2}\/(?:[^"'\s]*\/)?(?=[^"'\s/]*["'])|(?<=^from\s+)[\w.]*\.(?=\w*\s+import)/g;

/**
 * How often each line with at least two characters occurs; `undefined` for a binary file.
 * @param isMoved whether imports of the same name from other folders are equal
 */
export function countLines(bytes: Uint8Array, isMoved = false): Lines | undefined {
  if (bytes.length > MAX_COMPARED_BYTES || bytes.includes(0)) return undefined;
  const counts = new Map<string, number>();
  let total = 0;
  for (const line of Buffer.from(bytes).toString('utf8').split('\n')) {
    const trimmed = line.trim();
    const text = isMoved ? trimmed.replace(IMPORT_FOLDERS, '') : trimmed;
    if (text.length < 2) continue;
    counts.set(text, (counts.get(text) ?? 0) + 1);
    total += 1;
  }
  return { counts, total };
}

/** The share of common lines, 0 to 1. */
export function similarity(a: Lines, b: Lines): number {
  let both = 0;
  for (const [line, count] of a.counts) both += Math.min(count, b.counts.get(line) ?? 0);
  const larger = Math.max(a.total, b.total);
  return larger === 0 ? 0 : both / larger;
}
