/**
 * Which files of installed builds differ from those that were placed only in their formatting. The lock has digests
 * alone, so that the shipped texts come from the cache or the registry.
 */
import { integrityOf } from '../../../format/archive/integrity.ts';
import { placedIntegrity, type Lock, type LockedBuild } from '../../../format/project/lock.ts';
import { splitHeader } from '../project-file.ts';
import { hasOnlyOtherLineEnds } from '../../plan/consent.ts';
import { targetPath } from '../../plan/files.ts';
import type { FetchedBuild } from '../../plan/plan.ts';

/** What one command compares at most, beyond which files are compared by their bytes. */
const REFORMATTED_FILES_MAX_COMPARED_BYTES = 64 * 1024 * 1024;

/** A file of an installed build whose bytes differ, in a format that can be compared. */
interface ChangedFile {
  readonly build: string;
  readonly path: string;
  /** Path within the build. */
  readonly from: string;
  /** Digest of the file as it was shipped. */
  readonly integrity: string;
  readonly bytes: Uint8Array;
}

/**
 * The paths of files that are only reformatted.
 * @param shipped the installed versions, each with the imports of its place
 */
export async function findReformatted(
  installed: Iterable<readonly [string, LockedBuild]>,
  present: ReadonlyMap<string, Uint8Array>,
  shipped: ReadonlyMap<string, FetchedBuild>,
): Promise<Set<string>> {
  const reformatted = new Set<string>();
  let left = REFORMATTED_FILES_MAX_COMPARED_BYTES;
  for (const { build, path, from, integrity, bytes } of changedFiles(installed, present)) {
    const file = shipped.get(build)?.files.get(from);
    if (file === undefined) continue;
    const { bytes: text, rewrite } = file;
    if ((rewrite?.shipped ?? integrityOf(text)) !== integrity) continue;
    left -= text.length + bytes.length;
    if (left < 0) break;
    if ((await compareSources(path, text, bytes)).kind === 'same') reformatted.add(path);
  }
  return reformatted;
}

/**
 * The paths of files that the project has where `builds` place new ones, and that differ from these only in their
 * formatting. Files of installed builds are none.
 */
export async function findAdoptable(
  builds: Iterable<FetchedBuild>,
  lock: Lock | undefined,
  present: ReadonlyMap<string, Uint8Array>,
): Promise<Set<string>> {
  const adoptable = new Set<string>();
  const installed = new Set(
    Object.values(lock?.builds ?? {}).flatMap(({ files }) => Object.keys(files)),
  );
  let left = REFORMATTED_FILES_MAX_COMPARED_BYTES;
  for (const build of builds) {
    for (const [from, { bytes }] of build.files) {
      const path = targetPath(build, from);
      const ours = present.get(path);
      if (ours === undefined || installed.has(path) || !isComparable(path)) continue;
      if (Buffer.compare(ours, bytes) === 0) continue;
      left -= ours.length + bytes.length;
      if (left < 0) return adoptable;
      if ((await compareSources(path, bytes, ours)).kind === 'same') adoptable.add(path);
    }
  }
  return adoptable;
}

/** Ids of the builds that have changed files which can be compared: their shipped texts tell formatting from edits. */
export function changedBuilds(
  installed: Iterable<readonly [string, LockedBuild]>,
  present: ReadonlyMap<string, Uint8Array>,
): Set<string> {
  return new Set([...changedFiles(installed, present)].map(({ build }) => build));
}

/** A file whose line ends alone differ is known without its text. */
function* changedFiles(
  installed: Iterable<readonly [string, LockedBuild]>,
  present: ReadonlyMap<string, Uint8Array>,
): Generator<ChangedFile> {
  for (const [build, locked] of installed) {
    for (const [path, { from, integrity }] of Object.entries(locked.files)) {
      const bytes = present.get(path);
      const placed = placedIntegrity(locked, path) ?? '';
      if (bytes === undefined || !isComparable(path) || integrityOf(bytes) === placed) continue;
      if (!hasOnlyOtherLineEnds(bytes, placed)) yield { build, path, from, integrity, bytes };
    }
  }
}

// Whether two texts of one file differ only in what formatters change: white space, quotes, semicolons, trailing
// commas, line breaks, redundant parentheses. Pure. Each language makes a canonical form of a text, in which two
// texts are equal only where they mean the same; the parser of a language is loaded at its first use.

/** Larger files are compared byte by byte: they are not written by hand. */
export const MAX_COMPARED_BYTES = 1024 * 1024;

/** `unknown`: no comparison was possible, for the given reason; the texts count as different. */
type SourceComparison =
  | { readonly kind: 'same' }
  | { readonly kind: 'different' }
  | { readonly kind: 'unknown'; readonly why: string };

/** The canonical form of a text; `undefined` for a text that cannot be read. */
type Canonical = (text: string, path: string) => readonly string[] | undefined;

const SAME: SourceComparison = { kind: 'same' };
const DIFFERENT: SourceComparison = { kind: 'different' };

/** Whether files such as `path` can be compared beyond their bytes. */
export function isComparable(path: string): boolean {
  return languageOf(path) !== undefined;
}

/**
 * Compares two contents of the file `path`. Both may be hostile: sizes are limited, and a text that is nested too
 * deeply for its parser is `unknown`.
 */
export async function compareSources(
  path: string,
  shipped: Uint8Array,
  present: Uint8Array,
): Promise<SourceComparison> {
  if (shipped.length === present.length && Buffer.compare(shipped, present) === 0) return SAME;
  const language = languageOf(path);
  if (language === undefined) return { kind: 'unknown', why: 'its format is not compared' };
  if (Math.max(shipped.length, present.length) > MAX_COMPARED_BYTES) {
    return { kind: 'unknown', why: `it has more than ${MAX_COMPARED_BYTES} bytes` };
  }
  const [before, after] = [tryDecode(shipped), tryDecode(present)];
  if (before === undefined || after === undefined) {
    return { kind: 'unknown', why: 'it is not UTF-8 text' };
  }
  if (before === after) return SAME;
  const canonical = await LANGUAGES[language]();
  const old = attempt(canonical, before, path);
  // The second text is only read where the first one is understood.
  const now = old === undefined ? undefined : attempt(canonical, after, path);
  if (old === undefined || now === undefined) {
    return { kind: 'unknown', why: 'its syntax cannot be read' };
  }
  return isEqual(old, now) ? SAME : DIFFERENT;
}

type Language = 'javascript' | 'json';

const LANGUAGES: Readonly<Record<Language, () => Promise<Canonical>>> = {
  javascript: async () => (await import('./javascript.ts')).canonicalJavaScript,
  json: async () => (await import('./javascript-tree.ts')).canonicalJson,
};

function languageOf(path: string): Language | undefined {
  if (/\.[cm]?[jt]sx?$/i.test(path)) return 'javascript';
  return /\.jsonc?$/i.test(path) ? 'json' : undefined;
}

/**
 * The text without byte order mark, with LF: each of these languages reads CRLF and CR as LF. A comment with which the linter of
 * the project ignores rules there is no edit.
 */
function tryDecode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return splitHeader(text.replaceAll(/\r\n?/g, '\n')).body;
  } catch {
    return undefined;
  }
}

function attempt(canonical: Canonical, text: string, path: string): readonly string[] | undefined {
  try {
    return canonical(text, path);
  } catch (error) {
    // Parsers and walks are recursive: text that is nested too deeply for the stack throws here.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, at) => part === b[at]);
}
