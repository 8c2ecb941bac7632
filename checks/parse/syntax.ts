/** A file's syntax: which language it is in, and its tree within bounds of size and nesting. */
import { byPath } from './by-path.ts';
import { parseJavaScript } from './parse-javascript.ts';
import type { ParsedJavaScript } from './parse-javascript.ts';
import { READ_TOO_OFTEN, parsePython } from './parse-python.ts';
import type { ParsedPython } from './parse-python.ts';

/** Larger files are not parsed: a parse takes about 30 bytes of memory per byte. */
export const MAX_SOURCE_BYTES = 5_000_000;

export type Syntax =
  | ({ readonly language: 'javascript' } & ParsedJavaScript)
  | ({ readonly language: 'python' } & ParsedPython)
  /** Not code in a supported language. */
  | { readonly language: 'none' }
  /** Code that was not read, and why. */
  | { readonly language: 'unread'; readonly reason: string };

const NONE: Syntax = { language: 'none' };

/** @param text the file's text, `undefined` when it is not UTF-8 */
export function readSyntax(path: string, text: string | undefined): Syntax {
  const language = languageOf(path, text);
  if (language === undefined) return NONE;
  if (text === undefined) return { language: 'unread', reason: 'it is not UTF-8 text' };
  if (text.length > MAX_SOURCE_BYTES) {
    return {
      language: 'unread',
      reason: `it has ${text.length} characters, at most ${MAX_SOURCE_BYTES} are parsed`,
    };
  }
  try {
    // The tree is read by a getter, which copying the object would call.
    if (language === 'python') return Object.assign(parsePython(text), { language });
    return Object.assign(parseJavaScript(path, text), { language });
  } catch (error) {
    // The parser in JavaScript is recursive: text that is nested too deeply for the stack throws here.
    if (!(error instanceof RangeError)) throw error;
    const isDeep = error.message !== READ_TOO_OFTEN;
    const reason = `its syntax ${isDeep ? 'is nested too deeply' : 'has too many errors'}`;
    return { language: 'unread', reason };
  }
}

/** The language that a file is in, by its name or its first line. */
export function languageOf(
  path: string,
  text: string | undefined,
): 'javascript' | 'python' | undefined {
  const named = languageByName(path);
  if (named !== 'unknown') return named;
  if (text === undefined || !text.startsWith('#!')) return undefined;
  const first = text.slice(0, 200).split('\n', 1)[0] ?? '';
  if (/\b(?:node|bun|deno|tsx)\b/.test(first)) return 'javascript';
  return /\bpython[\d.]*\b/.test(first) ? 'python' : undefined;
}

/** `unknown` for a name without an extension, where the first line decides. */
const languageByName = byPath((path) => {
  if (/\.d\.[mc]?ts$/.test(path)) return undefined;
  const extension = /\.([a-z]{2,3})$/i.exec(path)?.[1]?.toLowerCase();
  if (extension !== undefined) return LANGUAGES[extension];
  return /\.[^/]*$/.test(path) ? undefined : 'unknown';
});

const LANGUAGES: Readonly<Record<string, 'javascript' | 'python'>> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'javascript',
  mts: 'javascript',
  cts: 'javascript',
  tsx: 'javascript',
  py: 'python',
  pyw: 'python',
};
