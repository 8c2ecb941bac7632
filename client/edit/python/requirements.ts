/**
 * Adds distributions of builds to the end of the text of a requirements.txt. Lines without a distribution
 * name (options, addresses, paths, `-r other.txt`) are kept and not followed.
 */
import { normalizePipName } from '../../../format/version/pep440.ts';
import { ClientError } from '../../errors.ts';
import {
  goesOn,
  logicalLines,
  readFound,
  readRequirements,
  tryParseRequirement,
} from '../../../format/project/requirement.ts';
import {
  formatRequirement,
  isAsAdded,
  markUnchanged,
  planPip,
  type AddedPip,
  type EarlierPip,
  type PipOutcome,
} from './pip-dependencies.ts';
import type { PipRequirement } from './pip-requirement.ts';
import {
  type FileLine,
  insertLines,
  joinFileLines,
  removeLines,
  splitFileLines,
} from '../file-lines.ts';
import { REQUIREMENTS } from '../edited-files.ts';
import { type EditWarning, placeError, splitBom } from '../project-file.ts';

type LogicalLine = ReturnType<typeof logicalLines>[number];

interface RequirementsEdit {
  /** `undefined`: there is no file and none is needed. */
  readonly text: string | undefined;
  readonly pip: readonly PipOutcome[];
  readonly warnings: readonly EditWarning[];
  /** Normalised names of what was kept by decision. */
  readonly decided: readonly string[];
}

/**
 * Adds the `requirements` that `text` does not have.
 * @param file the name of the file, for messages
 * @param keep normalised names of distributions whose specifier the user decided to keep
 * @throws {ClientError} `ERR_DEPENDENCY` when specifiers conflict, or when a line would be added to a
 *   file with hashes; `ERR_PROJECT_FILE` when the last line is continued
 */
export function editRequirements(
  text: string | undefined,
  requirements: readonly PipRequirement[],
  file: string = REQUIREMENTS,
  earlier?: EarlierPip,
  keep?: ReadonlySet<string>,
): RequirementsEdit {
  const { bom, body } = splitBom(text ?? '');
  const logical = logicalLines(body);
  const plan = planPip(file, readFound(logical), requirements, earlier, keep);
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
  const { warnings, decided } = plan;
  return { text: edited === body ? text : bom + edited, pip, warnings, decided };
}

/**
 * Removes those of `added` that are unchanged; `changed` are the others that the text still has.
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

function findAdded(lines: readonly FileLine[], added: AddedPip): number {
  return lines.findIndex(({ text }, at) => {
    // A continued line, or a line with a comment, was changed by the user.
    if (/[\\#]/.test(text) || goesOn(lines[at - 1]?.text ?? '')) return false;
    const requirement = tryParseRequirement(text);
    return requirement?.key === added.key && isAsAdded(requirement.found, added);
  });
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
