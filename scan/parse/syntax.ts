/** A file's syntax: which language it is in, and its tree within bounds of size and nesting. */
import { BeyondLimits, checkSize } from './limits.ts';
import { parseJavaScript, type ParsedJavaScript } from './parse-javascript.ts';
import { parsePython } from './parse-python.ts';
import { byPath } from './by-path.ts';

export type Syntax =
  | ((
      | ({ readonly language: 'javascript' } & ParsedJavaScript)
      | ({ readonly language: 'python' } & ReturnType<typeof parsePython>)
    ) & {
      /** Why what runs may differ from what was read. */
      readonly gap?: string;
    })
  /** Not code in a supported language. */
  | { readonly language: 'none' }
  /** Code that was not read, and why. */
  | { readonly language: 'unread'; readonly reason: string };

const NONE: Syntax = { language: 'none' };

/**
 * @param text the file's text, `undefined` when it is not text
 * @param size of the file in bytes
 * @param gap why what runs may differ from `text`
 */
export function readSyntax(
  path: string,
  text: string | undefined,
  size: number = text?.length ?? 0,
  gap?: string,
): Syntax {
  const language = languageOf(path, text);
  if (language === undefined) return NONE;
  if (text === undefined) return { language: 'unread', reason: 'it is not text' };
  try {
    checkSize(size);
    // The tree is read by a getter, which copying the object would call.
    const syntax =
      language === 'python'
        ? Object.assign(parsePython(text), { language })
        : Object.assign(parseJavaScript(path, text), { language });
    return gap === undefined ? syntax : Object.assign(syntax, { gap });
  } catch (error) {
    if (!(error instanceof BeyondLimits)) throw error;
    return { language: 'unread', reason: error.message };
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
  const extension = /\.([a-z]{2,3})$/i.exec(path)?.[1];
  if (extension !== undefined) return LANGUAGES[extension.toLowerCase()];
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
