/**
 * Which files of installed builds differ from those that were placed only in their formatting. The lock has digests
 * alone, so that the shipped texts come from the cache or the registry.
 */
import { splitHeader } from '../linter-header.ts';

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
  json: async () => (await import('./json.ts')).canonicalJson,
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
