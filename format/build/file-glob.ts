/**
 * The globs of the manifest field `files`, matched against whole paths within the build:
 *
 *     *  any run without "/"      **  any number of segments     ?  one character
 *     [a-z] [!a-z]  one of        {a,b}  alternatives            !x  (first) leaves out what x matches
 *
 * A pattern that names a folder takes everything below it. Dot files are matched like others. Globs
 * come from publishers: no pattern makes matching exponential, and a list has a bound on its work.
 */
import { INTEGRATION_FILE, MANIFEST_FILE, README_FILE } from './build-files.ts';

export const MAX_GLOB_LENGTH = 256;
/** Limits on the alternatives of one glob, and on the globs with wildcards in one list. */
export const MAX_GLOB_ALTERNATIVES = 64;
export const MAX_LIST_ALTERNATIVES = 256;

type Token = '*' | '?' | ((character: string) => boolean);
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
    if (segments.some((s) => s !== '**' && tokenize(s) === undefined)) return 'with an open "["';
  }
  return undefined;
}

/** Why `globs` cannot be used as a list, or `undefined` when they can; `globProblem` checks each one. */
export function globListProblem(globs: readonly string[]): string | undefined {
  const total = globs.reduce((sum, glob) => {
    return isLiteral(glob) ? sum : sum + (expandBraces(glob)?.length ?? 0);
  }, 0);
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

/** A function that tests whether a path matches `glob`, a pattern without a leading `!`. */
export function compileGlob(glob: string): Matcher {
  const matchers = (expandBraces(glob) ?? []).map((alternative) => {
    const segments = alternative.replace(/\/$/, '').split('/');
    const tokens = segments.map((s) => (s === '**' ? '**' : (tokenize(s) ?? [])));
    return (path: string): boolean => matchSegments(tokens, path.split('/'));
  });
  return (path) => matchers.some((matches) => matches(path));
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

/** Matches segment by segment; `**` stands for any number of segments, a used-up pattern for a folder. */
function matchSegments(pattern: readonly ('**' | Token[])[], path: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const segment of path) {
    const next = new Set<number>();
    // Iteration over a set includes the entries that are added during it.
    for (const index of reached) {
      const part = pattern[index];
      if (part === '**') {
        reached.add(index + 1);
        next.add(index);
      } else if (part !== undefined && matchTokens(part, segment)) {
        next.add(index + 1);
      }
    }
    reached = next;
    for (const index of reached) if (pattern[index] === '**') reached.add(index + 1);
    if (reached.has(pattern.length)) return true;
  }
  return false;
}

/** Greedy, with backtracking to the last `*` only: quadratic at worst. */
function matchTokens(pattern: readonly Token[], text: string): boolean {
  const characters = Array.from(text);
  let token = 0;
  let star = -1;
  let resume = 0;
  for (let at = 0; at < characters.length;) {
    const wanted = pattern[token];
    if (wanted === '*') {
      star = token;
      resume = at;
      token += 1;
    } else if (wanted === '?' || (wanted !== undefined && wanted(characters[at]!))) {
      token += 1;
      at += 1;
    } else if (star >= 0) {
      token = star + 1;
      resume += 1;
      at = resume;
    } else {
      return false;
    }
  }
  return pattern.slice(token).every((rest) => rest === '*');
}

function tokenize(segment: string): Token[] | undefined {
  const characters = Array.from(segment);
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at]!;
    if (character === '*' || character === '?') {
      tokens.push(character);
    } else if (character === '[') {
      const end = characters.indexOf(']', at + (characters[at + 1] === '!' ? 3 : 2));
      if (end < 0) return undefined;
      tokens.push(characterClass(characters.slice(at + 1, end)));
      at = end;
    } else {
      tokens.push((other) => other === character);
    }
  }
  return tokens;
}

function characterClass(body: readonly string[]): (character: string) => boolean {
  const negated = body[0] === '!';
  const members = negated ? body.slice(1) : body;
  return (character) => {
    let found = false;
    for (let at = 0; at < members.length; at += 1) {
      const low = members[at]!;
      const high = members[at + 1] === '-' ? members[at + 2] : undefined;
      if (high === undefined) found ||= low === character;
      else {
        found ||= low <= character && character <= high;
        at += 2;
      }
    }
    return found !== negated;
  };
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
