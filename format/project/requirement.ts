/**
 * Requirements of Python distributions (PEP 508) in the files of a project, and the versions that they declare in the form of
 * semver, which stack ranges use. The files may have any content.
 */
import semver from 'semver';
import { validRange } from '@renovatebot/pep440';
import { MAX_SPECIFIER_LENGTH, PIP_NAME_PATTERN, normalizePipName } from '../version/pep440.ts';

/** The requirement of a file for one distribution. */
export interface FoundPip {
  readonly extras: readonly string[];
  /** `*` for any version; any other text that is not a specifier is not compared. */
  readonly specifier: string;
  /** Whether it is installed only under a condition, or from an address. */
  readonly isSpecial: boolean;
}

/** A requirement with a name; `undefined` for a path, an address, an option and the like. */
export function tryParseRequirement(
  text: string,
): { readonly key: string; readonly found: FoundPip } | undefined {
  const match = /^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[([^\]]*)\])?\s*(.*)$/s.exec(text);
  const [, name = '', extras = '', rest = ''] = match ?? [];
  const specifier = rest.trim();
  if (!PIP_NAME_PATTERN.test(name) || !/^(?:$|[<>=!~(;@]|--)/.test(specifier)) return undefined;
  return {
    key: normalizePipName(name),
    found: {
      extras: splitExtras(extras),
      specifier: specifier === '' ? '*' : specifier,
      isSpecial: specifier !== '' && !isSpecifier(specifier),
    },
  };
}

/** Whether `text` is a specifier that can be compared. */
export function isSpecifier(text: string): boolean {
  return text.length <= MAX_SPECIFIER_LENGTH && text.trim() !== '' && validRange(text);
}

/** Extras in brackets, lower case and sorted. */
export function splitExtras(text: string): string[] {
  const extras = text.split(',').map((extra) => extra.trim().toLowerCase());
  return Array.from(new Set(extras.filter((extra) => extra !== ''))).toSorted();
}

/** The distributions of a requirements file, by normalised name. */
export function readRequirements(text: string): Map<string, FoundPip> {
  return readFound(logicalLines(text.replace(/^\uFEFF/, '')));
}

interface LogicalLine {
  /** Without its comment; continued lines are joined. */
  readonly text: string;
  readonly line: number;
  /** Whether it ends with a backslash, so that the next line would continue it. */
  readonly isOpen: boolean;
}

/** Lines as pip joins them: a backslash at the end continues a line, but not after a comment. */
export function logicalLines(body: string): LogicalLine[] {
  const lines: LogicalLine[] = [];
  let open: { text: string; line: number } | undefined;
  for (const [index, raw] of body.split(/\r?\n/).entries()) {
    const isOpen = goesOn(raw);
    const text = (open?.text ?? '') + (isOpen ? raw.slice(0, -1) : raw);
    const line = open?.line ?? index + 1;
    if (isOpen) {
      open = { text, line };
      continue;
    }
    lines.push({ text: withoutComment(text), line, isOpen: open !== undefined && raw === '' });
    open = undefined;
  }
  if (open !== undefined) lines.push({ ...open, text: withoutComment(open.text), isOpen: true });
  return lines;
}

export function goesOn(line: string): boolean {
  return line.endsWith('\\') && !/^\s*#/.test(line);
}

function withoutComment(line: string): string {
  return line.replace(/(?:^|\s+)#.*$/, '');
}

export function readFound(lines: readonly LogicalLine[]): Map<string, FoundPip> {
  const found = new Map<string, FoundPip>();
  for (const { text } of lines) {
    const requirement = tryParseRequirement(text);
    if (requirement === undefined) continue;
    // Several lines for one distribution have different conditions.
    const isSecond = found.has(requirement.key);
    found.set(requirement.key, {
      ...requirement.found,
      isSpecial: isSecond || requirement.found.isSpecial,
    });
  }
  return found;
}

/** A Python version in the form of semver: `3.12` is `3.12.0`, `2.0rc1` is `2.0.0`. */
export function toSemver(version: string): string | undefined {
  const release = /^\s*v?(?:\d+!)?(\d+(?:\.\d+)*)/.exec(version)?.[1];
  return semver.coerce(release ?? '')?.version;
}

/** The highest lower bound of a specifier; `0.0.0` without one. */
export function lowestPipVersion(specifier: string): string {
  const bounds = [...specifier.matchAll(/(?:^|[^<!>=~])(?:===?|>=|~=|>|\^|~)\s*(\d[^\s,;]*)/g)];
  const versions = bounds.flatMap((bound) => toSemver(bound[1] ?? '') ?? []);
  return versions.sort(semver.compare).at(-1) ?? '0.0.0';
}
