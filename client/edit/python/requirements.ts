/**
 * Brings distributions of builds into the text of a requirements.txt, new ones at its end. Lines that name
 * no distribution (options, addresses, paths, `-r other.txt`) are left alone and not followed.
 */
import { normalizePipName } from '../../../format/version/pep440.ts';
import { ClientError } from '../../errors.ts';
import type { AddedPip, EarlierPip, FoundPip, PipOutcome, PipWish } from './pip-dependencies.ts';
import {
  formatRequirement,
  isAsAdded,
  markUnchanged,
  planPip,
  tryParseRequirement,
} from './pip-dependencies.ts';
import { REQUIREMENTS } from '../edited-files.ts';
import type { EditWarning } from '../project-file.ts';
import type { FileLine } from '../file-lines.ts';
import { insertLines, joinFileLines, removeLines, splitFileLines } from '../file-lines.ts';
import { placeError, splitBom } from '../project-file.ts';

export interface RequirementsEdit {
  /** `undefined`: there was no file and none is needed. */
  readonly text: string | undefined;
  readonly pip: readonly PipOutcome[];
  readonly warnings: readonly EditWarning[];
}

/**
 * `text` with the `wishes` that it does not have yet.
 * @param file the name of the file, for messages
 * @throws {ClientError} `ERR_DEPENDENCY` when specifiers do not meet, or when a line would have to be
 *   added to a file with hashes; `ERR_PROJECT_FILE` when the file ends within a line
 */
export function editRequirements(
  text: string | undefined,
  wishes: readonly PipWish[],
  file: string = REQUIREMENTS,
  earlier?: EarlierPip,
): RequirementsEdit {
  const { bom, body } = splitBom(text ?? '');
  const logical = logicalLines(body);
  const plan = planPip(file, readFound(logical), wishes, earlier);
  let lines = splitFileLines(body);
  const fresh: string[] = [];
  const unchanged = new Set<string>();
  for (const addition of plan.additions) {
    const now = formatRequirement(addition);
    const at = addition.instead === undefined ? -1 : findAdded(lines, addition.instead);
    if (at < 0) fresh.push(now);
    else if (lines[at]?.text === now) unchanged.add(normalizePipName(addition.name));
    else lines = lines.map((line, index) => (index === at ? { ...line, text: now } : line));
  }
  if (fresh.length > 0) {
    refuseHashes(file, logical, fresh);
    refuseOpenEnd(file, logical);
    lines = insertLines(lines, lines.length, fresh);
  }
  const edited = joinFileLines(lines);
  const pip = markUnchanged(plan.outcomes, unchanged);
  return { text: edited === body ? text : bom + edited, pip, warnings: plan.warnings };
}

/**
 * `text` without those of `added` that still are as they were added; `changed` are the others that are
 * there.
 */
export function uninstallFromRequirements(
  text: string,
  added: readonly AddedPip[],
): { readonly text: string; readonly changed: readonly string[] } {
  const { bom, body } = splitBom(text);
  let lines = splitFileLines(body);
  const changed: string[] = [];
  for (const entry of added) {
    const at = findAdded(lines, entry);
    if (at >= 0) lines = removeLines(lines, at, 1);
    else if (readRequirements(joinFileLines(lines)).has(entry.key)) changed.push(entry.key);
  }
  return { text: bom + joinFileLines(lines), changed };
}

/** The line that was added and still is as it was, or -1. */
function findAdded(lines: readonly FileLine[], added: AddedPip): number {
  return lines.findIndex(({ text }, at) => {
    // A line that is continued, or goes on with one, is somebody else's.
    if (/[\\#]/.test(text) || goesOn(lines[at - 1]?.text ?? '')) return false;
    const requirement = tryParseRequirement(text);
    return requirement?.key === added.key && isAsAdded(requirement.found, added);
  });
}

/** The distributions that a requirements file names, by normalised name. */
export function readRequirements(text: string): Map<string, FoundPip> {
  return readFound(logicalLines(splitBom(text).body));
}

interface LogicalLine {
  /** Without its comment, with continued lines joined. */
  readonly text: string;
  readonly line: number;
  /** Whether it ends with a backslash, so that the next line would belong to it. */
  readonly isOpen: boolean;
}

/** Lines as pip joins them: a backslash at the end goes on, but not after a comment. */
function logicalLines(body: string): LogicalLine[] {
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

function goesOn(line: string): boolean {
  return line.endsWith('\\') && !/^\s*#/.test(line);
}

function withoutComment(line: string): string {
  return line.replace(/(?:^|\s+)#.*$/, '');
}

function readFound(lines: readonly LogicalLine[]): Map<string, FoundPip> {
  const found = new Map<string, FoundPip>();
  for (const { text } of lines) {
    const requirement = tryParseRequirement(text);
    if (requirement === undefined) continue;
    // Several lines for one distribution divide it by conditions.
    const isSecond = found.has(requirement.key);
    found.set(requirement.key, {
      ...requirement.found,
      isSpecial: isSecond || requirement.found.isSpecial,
    });
  }
  return found;
}

function refuseOpenEnd(file: string, logical: readonly LogicalLine[]): void {
  const last = logical.at(-1);
  if (last?.isOpen !== true) return;
  const hint = 'remove the "\\" at the end of the file and run the command again';
  throw placeError(file, { line: last.line, column: 1 }, 'the last line is not complete', hint);
}

function refuseHashes(
  file: string,
  logical: readonly LogicalLine[],
  lines: readonly string[],
): void {
  if (!logical.some(({ text }) => /(?:^|\s)--(?:hash|require-hashes)\b/.test(text))) return;
  throw new ClientError(
    'ERR_DEPENDENCY',
    `Cannot add to "${file}": its lines have hashes, and pip would refuse lines without`,
    { hint: `add these with their hashes, then run the command again: ${lines.join(', ')}` },
  );
}
