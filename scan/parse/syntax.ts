/** A file's syntax: which language it is in, and its tree within bounds of size and nesting. */
import { BeyondLimits, checkSize } from './limits.ts';
import { parseJavaScript, type ParsedJavaScript } from './parse-javascript.ts';
import { parsePython } from './parse-python.ts';

// Remembers what was computed from a path alone. The same few paths (`README.md`, `src/index.ts`) occur in most versions
// of most builds.

/** Paths come from publishers: more than these are forgotten, all at once. */
const MAX_PATHS = 2_000;

/** `compute`, called once for each of the last paths; the result must not be changed. */
export function byPath<Result>(compute: (path: string) => Result): (path: string) => Result {
  const known = new Map<string, { readonly result: Result }>();
  return (path) => {
    let entry = known.get(path);
    if (entry === undefined) {
      if (known.size >= MAX_PATHS) known.clear();
      known.set(path, (entry = { result: compute(path) }));
    }
    return entry.result;
  };
}

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

// Whether a text has so many characters of one kind in a row, at a tenth of what a regular expression costs: it looks at
// every `length`th character first, and from there back to the last one that is not of the kind.

/** A text without a run of at least `length` characters that `kind`, a class such as `/[a-f]/`, matches has none. */
export function longRun(kind: RegExp, length: number): (text: string) => boolean {
  const isKind = Uint8Array.from({ length: 128 }, (_, c) =>
    Number(kind.test(String.fromCharCode(c))),
  );
  return (text) => {
    // Before `start` there is no run that goes on.
    let start = 0;
    while (start + length <= text.length) {
      let at = start + length - 1;
      while (at >= start && mayBe(isKind, text.charCodeAt(at))) at -= 1;
      if (at < start) return true;
      start = at + 1;
    }
    return false;
  };
}

/** Other characters than ASCII are of every kind. */
function mayBe(isKind: Uint8Array, c: number): boolean {
  return c >= 128 || isKind[c] === 1;
}
