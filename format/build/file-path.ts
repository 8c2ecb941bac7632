/**
 * What a path inside a build may be: relative, `/`-separated, in its only spelling, and safe on every
 * file system. Paths come from publishers and archives: treat them as hostile.
 */
import { type Finding, finding } from '../finding/finding.ts';

export const MAX_PATH_BYTES = 255;
export const MAX_PATH_DEPTH = 32;

/** The rule that a path breaks; each is also a finding `file-path-<rule>`. */
type PathProblem =
  | 'empty'
  | 'absolute'
  | 'backslash'
  | 'traversal'
  | 'not-normal'
  | 'too-long'
  | 'too-deep'
  | 'invisible'
  | 'character'
  | 'trailing'
  | 'reserved'
  | 'git';

/** Control, format and ignorable characters: fixed ranges, so that the result does not depend on the Unicode version. */
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u{0}-\u{1F}\u{7F}-\u{9F}\u{AD}\u{34F}\u{61C}\u{115F}\u{1160}\u{17B4}\u{17B5}\u{180B}-\u{180F}\u{200B}-\u{200F}\u{2028}-\u{202E}\u{2060}-\u{206F}\u{3164}\u{FE00}-\u{FE0F}\u{FEFF}\u{FFA0}\u{FFF0}-\u{FFFB}\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/u;

/** Names that Windows keeps for devices, with any extension and with spaces before it. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\xB9\xB2\xB3]) *(?:\.|$)/i;

/** `.git` itself, and the 8.3 short names by which Windows also reaches it. */
const GIT_FOLDER = /^(?:\.git|git~\d+)$/i;

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\0-\x7f]*$/;

const encoder = new TextEncoder();

/** The first rule that `path` breaks, or `undefined` when it is a safe path. */
export function pathProblem(path: string): PathProblem | undefined {
  if (path === '') return 'empty';
  if (path.includes('\\')) return 'backslash';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'absolute';
  if (!path.isWellFormed() || INVISIBLE.test(path)) return 'invisible';
  if (isTooLong(path)) return 'too-long';
  const segments = path.split('/');
  if (segments.includes('..')) return 'traversal';
  if (segments.length > MAX_PATH_DEPTH) return 'too-deep';
  if (segments.some((s) => s === '' || s === '.')) return 'not-normal';
  if (path !== path.normalize('NFC')) return 'not-normal';
  // Windows drops trailing dots and spaces, so ".git. " would reach ".git".
  if (segments.some((s) => GIT_FOLDER.test(s.replace(/[. ]+$/, '')))) return 'git';
  if (/[<>:"|?*]/.test(path)) return 'character';
  if (segments.some((s) => /[. ]$/.test(s))) return 'trailing';
  if (segments.some((s) => DEVICE.test(s))) return 'reserved';
  return undefined;
}

/** UTF-8 has at most three bytes for a unit of UTF-16. */
function isTooLong(path: string): boolean {
  if (path.length * 3 <= MAX_PATH_BYTES) return false;
  return path.length > MAX_PATH_BYTES || encoder.encode(path).length > MAX_PATH_BYTES;
}

/** Whether `path` is a safe path inside a build or below `base`. */
export function isFilePath(path: string): boolean {
  return pathProblem(path) === undefined;
}

/**
 * A key that is equal for names that some file system treats as one, by case or normal form. Upper case
 * comes first: it unifies what lower case alone does not, such as the three forms of sigma, or long s and s.
 */
export function collisionKey(path: string): string {
  // The same, at a fraction of the time.
  if (ASCII.test(path)) return path.toLowerCase();
  return path.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC');
}

/** The findings about a list of file paths: each path alone, then paths that collide. */
export function checkFilePaths(paths: readonly string[]): Finding[] {
  const findings: Finding[] = [];
  const files = new Map<string, string>();
  const folders = new Map<string, string>();
  for (const path of paths) {
    const problem = pathProblem(path);
    if (problem !== undefined) {
      findings.push(finding(`file-path-${problem}`, printable(path)));
      continue;
    }
    const key = collisionKey(path);
    const twin = files.get(key) ?? folders.get(key);
    if (twin !== undefined) findings.push(finding('file-path-collision', path, { twin }));
    files.set(key, path);
    for (const folder of parentsOf(path)) {
      const folderKey = collisionKey(folder);
      const known = folders.get(folderKey);
      const other = files.get(folderKey) ?? (known === folder ? undefined : known);
      if (other !== undefined) findings.push(finding('file-path-collision', path, { twin: other }));
      if (known === undefined) folders.set(folderKey, folder);
    }
  }
  return findings;
}

/** `path` with invisible characters written as `\u{...}`, so that a report can name it. */
export function printable(path: string): string {
  const escape = (character: string): string =>
    `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  return path.toWellFormed().replace(new RegExp(INVISIBLE, 'gu'), escape);
}

function parentsOf(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, depth) => segments.slice(0, depth + 1).join('/'));
}
