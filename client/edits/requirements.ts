/**
 * Adds distributions of builds to the text of a requirements.txt, at its end. Lines that name no
 * distribution (options, addresses, paths, `-r other.txt`) are left alone and not followed.
 */
import { ClientError } from '../errors.ts';
import type { FoundPip, PipOutcome, PipWish } from './pip-dependencies.ts';
import { formatRequirement, planPip, tryParseRequirement } from './pip-dependencies.ts';
import type { EditWarning } from './project-file.ts';
import { appendLines, placeError, splitBom } from './project-file.ts';

export interface RequirementsEdit {
  /** `undefined`: there was no file and none is needed. */
  readonly text: string | undefined;
  readonly pip: readonly PipOutcome[];
  readonly warnings: readonly EditWarning[];
}

const DEFAULT_FILE = 'requirements.txt';

/**
 * `text` with the `wishes` that it does not have yet.
 * @param file the name of the file, for messages
 * @throws {ClientError} `ERR_DEPENDENCY` when specifiers do not meet, or when a line would have to be
 *   added to a file with hashes; `ERR_PROJECT_FILE` when the file ends within a line
 */
export function editRequirements(
  text: string | undefined,
  wishes: readonly PipWish[],
  file: string = DEFAULT_FILE,
): RequirementsEdit {
  const logical = logicalLines(splitBom(text ?? '').body);
  const plan = planPip(file, readFound(logical), wishes);
  const { additions, outcomes: pip, warnings } = plan;
  if (additions.length === 0) return { text, pip, warnings };
  const lines = additions.map(formatRequirement);
  refuseHashes(file, logical, lines);
  const last = logical.at(-1);
  if (last?.isOpen === true) {
    const hint = 'remove the "\\" at the end of the file and run the command again';
    throw placeError(file, { line: last.line, column: 1 }, 'the last line is not complete', hint);
  }
  return { text: appendLines(text ?? '', lines), pip, warnings };
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
    const goesOn = raw.endsWith('\\') && !/^\s*#/.test(raw);
    const text = (open?.text ?? '') + (goesOn ? raw.slice(0, -1) : raw);
    const line = open?.line ?? index + 1;
    if (goesOn) {
      open = { text, line };
      continue;
    }
    lines.push({ text: withoutComment(text), line, isOpen: open !== undefined && raw === '' });
    open = undefined;
  }
  if (open !== undefined) lines.push({ ...open, text: withoutComment(open.text), isOpen: true });
  return lines;
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
