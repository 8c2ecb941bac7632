/**
 * The globs of the manifest field `files`, matched against whole paths within the build:
 *
 *     *  any run without "/"      **  any number of segments     ?  one character
 *     [a-z] [!a-z]  one of        {a,b}  alternatives            !x  (first) leaves out what x matches
 *
 * A pattern that names a folder takes everything below it. Dot files are matched like others. Globs
 * come from publishers: bounds on stars and alternatives keep the work small.
 */
import picomatch from 'picomatch';
import { INTEGRATION_FILE, MANIFEST_FILE, README_FILE } from './build-files.ts';

export const MAX_GLOB_LENGTH = 256;
/** Limits on the alternatives of one glob, and on the globs with wildcards in one list. */
export const MAX_GLOB_ALTERNATIVES = 64;
export const MAX_LIST_ALTERNATIVES = 64;

/** Stars of one glob and of one of its segments, `**` as one: the work of matching a path grows with each of them. */
const MAX_STARS = 3;
const MAX_SEGMENT_STARS = 2;

/** A list in brackets, a run of stars, or one character. */
const PART = /\[(!|(?!!))([^][^\]]*)\]|\*+|[^]/g;
const OPTIONS = {
  dot: true,
  noextglob: true,
  literalBrackets: false,
  posix: false,
  windows: false,
  maxLength: 2 * MAX_GLOB_LENGTH,
};

type Matcher = (path: string) => boolean;

/** Why `glob` cannot be used, or `undefined` when it can. */
export function globProblem(glob: string): string | undefined {
  const pattern = glob.startsWith('!') ? glob.slice(1) : glob;
  if (pattern === '') return 'empty';
  if (glob.length > MAX_GLOB_LENGTH) return `longer than ${MAX_GLOB_LENGTH} characters`;
  if (pattern.includes('\\')) return 'with a backslash';
  if (pattern.startsWith('/') || /^[A-Za-z]:/.test(pattern)) return 'absolute';
  const alternatives = expandBraces(pattern);
  if (alternatives === undefined) return 'with unbalanced or too many braces';
  for (const one of alternatives) {
    const segments = one.replace(/\/$/, '').split('/');
    if (segments.includes('..')) return 'with a ".." segment';
    if (segments.some((s) => s === '' || s === '.')) return 'with an empty or "." segment';
    const parts = segments.map((segment) => segment.match(PART) ?? []);
    if (parts.flat().includes('[')) return 'with an open "["';
    const stars = parts.map((some) => some.filter((part) => part.startsWith('*')).length);
    if (sum(stars) > MAX_STARS || Math.max(...stars) > MAX_SEGMENT_STARS) {
      return `with over ${MAX_STARS} stars, or over ${MAX_SEGMENT_STARS} in a segment`;
    }
  }
  try {
    compileGlob(pattern);
    return undefined;
  } catch {
    return 'with a range in the wrong order';
  }
}

/** Why `globs` cannot be used as a list, or `undefined` when they can; `globProblem` checks each one. */
export function globListProblem(globs: readonly string[]): string | undefined {
  const wild = globs.filter((glob) => !isLiteral(glob));
  const total = sum(wild.map((glob) => expandBraces(glob)?.length ?? 0));
  return total > MAX_LIST_ALTERNATIVES
    ? `${total} alternatives with wildcards, at most ${MAX_LIST_ALTERNATIVES} are allowed`
    : undefined;
}

/**
 * The files of `paths` that installing places.
 * @param globs field `files`; `undefined` is the default set: everything but the manifest, `README.md`
 * and `INTEGRATION.md`. The manifest itself is never installed.
 */
export function selectFiles(
  paths: readonly string[],
  globs: readonly string[] | undefined,
): string[] {
  if (globs === undefined) {
    return paths.filter((p) => ![MANIFEST_FILE, README_FILE, INTEGRATION_FILE].includes(p));
  }
  const takes = compileList(globs.filter((g) => !g.startsWith('!')));
  const leaves = compileList(globs.filter((g) => g.startsWith('!')).map((g) => g.slice(1)));
  return paths.filter((p) => p !== MANIFEST_FILE && takes(p) && !leaves(p));
}

/**
 * A function that tests whether a path matches `glob`, a pattern without a leading `!`.
 * @throws {SyntaxError} for a range such as `[z-a]`
 */
export function compileGlob(glob: string): Matcher {
  const patterns = (expandBraces(glob) ?? []).map(toRegExp);
  return (path) => patterns.some((pattern) => pattern.test(path));
}

/** Matches a path that begins with a match and ends there or goes on with `/`. */
function toRegExp(alternative: string): RegExp {
  const segments = alternative.replace(/(?:\/\*\*)*\/?$/, '').split('/');
  const pattern = segments
    .map((one) => (one === '**' ? one : one.replace(PART, escapePart)))
    .join('/')
    .replaceAll(/(?:\*\*\/){2,}/g, '**/');
  return new RegExp(`^(?:${picomatch.parse(pattern, OPTIONS).output})(?:/|$)`);
}

/** What picomatch knows beyond our wildcards is text. */
function escapePart(part: string, not: string | undefined, list: string | undefined): string {
  if (list !== undefined) return `[${not === '' ? '' : '^'}${list.replaceAll(/[[\]^]/g, '\\$&')}]`;
  return /^[*?]/.test(part) ? part.slice(0, 1) : part.replace(/[^\w.-]/, '\\$&');
}

/** Plain names are looked up in a set; only globs with wildcards are matched one by one. */
function compileList(globs: readonly string[]): Matcher {
  const names = new Set(globs.filter(isLiteral).map((glob) => glob.replace(/\/$/, '')));
  const matchers = globs.filter((glob) => !isLiteral(glob)).map(compileGlob);
  return (path) => isNamed(path) || matchers.some((matches) => matches(path));

  function isNamed(path: string): boolean {
    if (names.has(path)) return true;
    const slash = path.lastIndexOf('/');
    return slash > 0 && names.size > 0 && isNamed(path.slice(0, slash));
  }
}

function isLiteral(glob: string): boolean {
  return !/[*?[{}\]]/.test(glob);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** The alternatives of `{a,b}`, nested ones included; `undefined` when unbalanced or too many. */
function expandBraces(pattern: string): string[] | undefined {
  const open = pattern.indexOf('{');
  if (open < 0) return pattern.includes('}') ? undefined : [pattern];
  if (pattern.slice(0, open).includes('}')) return undefined;
  let depth = 0;
  let start = open + 1;
  const parts: string[] = [];
  for (let at = open; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if ((character === ',' && depth === 1) || depth === 0) {
      parts.push(pattern.slice(start, at));
      start = at + 1;
    }
    if (depth > 0) continue;
    const found: string[] = [];
    for (const part of parts) {
      const rest = expandBraces(pattern.slice(0, open) + part + pattern.slice(at + 1));
      if (rest === undefined) return undefined;
      found.push(...rest);
      if (found.length > MAX_GLOB_ALTERNATIVES) return undefined;
    }
    return found;
  }
  return undefined;
}
