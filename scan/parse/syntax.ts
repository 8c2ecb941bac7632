/** A file's syntax: which language it is in, and its tree within bounds of size and nesting. */
import { byPath } from './by-path.ts';
import { javaScriptWithoutComments } from './code-cuts.ts';
import { parseJavaScript, type ParsedJavaScript } from './parse-javascript.ts';
import { parsePython, pythonWithoutComments, type ParsedPython } from './parse-python.ts';
import { lowerCase } from '../../format/unicode.ts';

export type Syntax =
  | ({ readonly language: 'javascript' } & ParsedJavaScript)
  | ({ readonly language: 'python' } & ParsedPython)
  /** Not code in a supported language. */
  | { readonly language: 'none' }
  /** Code that was not read, and why. */
  | { readonly language: 'unread'; readonly reason: string };

const NONE: Syntax = { language: 'none' };

/**
 * @param text the file's text, `undefined` when it is not text
 * @param gap why what runs may differ from `text`
 * @param matters whether a part of a text that is too large is read
 */
export function readSyntax(
  path: string,
  text: string | undefined,
  gap?: string,
  matters?: (text: string) => boolean,
): Syntax {
  const language = languageOf(path, text);
  if (language === undefined) return NONE;
  if (text === undefined) return { language: 'unread', reason: 'it is not text' };
  // The tree is read by a getter, which copying the object would call.
  const syntax =
    language === 'python'
      ? Object.assign(parsePython(text, matters), { language })
      : Object.assign(parseJavaScript(path, text, undefined, matters), { language });
  return gap === undefined ? syntax : Object.assign(syntax, { gap });
}

/** The text of code with blanks for its comments, in a time that its length bounds. */
export function withoutComments(path: string, text: string): string {
  return languageOf(path, text) === 'python'
    ? pythonWithoutComments(text)
    : javaScriptWithoutComments(text);
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
  const extension = /\.([a-z]{2,3})$/i.exec(path)?.[1];
  if (extension !== undefined) return LANGUAGES[lowerCase(extension)];
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
