/**
 * The form of a rule case: what the case is, the findings that are expected, and the files of a build.
 *
 *     # A download is run by the install script.
 *     error remote-code setup.js:7
 *     warn guide-readme-missing
 *
 *     -- setup.js --
 *     const fs = require('fs');
 *     -- bin/run (executable, escaped, no final newline) --
 *     echo "\u{202E}"
 *
 * A finding has a level and a code, then the file and the line where it has them. In an `escaped` file
 * `\u{202E}` stands for the character: characters that an editor does not show must be written so.
 */
import type { FindingLevel } from '../format/finding/texts/finding-text.ts';
import { splitSections } from './file-sections.ts';
import type { FileSection } from './file-sections.ts';

export interface ExpectedFinding {
  readonly level: FindingLevel;
  readonly code: string;
  /** `""` when the finding is about the whole build. */
  readonly file: string;
  readonly line?: number;
}

/** A text file of a case. */
interface CaseFile {
  readonly path: string;
  readonly text: string;
  readonly executable: boolean;
}

export interface RuleCase {
  /** At least one line. */
  readonly comment: readonly string[];
  readonly expected: readonly ExpectedFinding[];
  readonly files: readonly CaseFile[];
}

const EXECUTABLE = 'executable';
const ESCAPED = 'escaped';
const NO_FINAL_NEWLINE = 'no final newline';
const MARKS: readonly string[] = [EXECUTABLE, ESCAPED, NO_FINAL_NEWLINE];

/** Controls, format characters, private use, ignorable characters, and spaces that look like U+0020. */
const UNSEEN =
  /[[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}]--[\n\t\u{20}]]/v;
const ESCAPE = /\\u\{([0-9A-F]{1,6})\}/g;
const FINDING = /^(error|warn|info) ([a-z][a-z0-9-]*)(?: (\S+?)(?::([1-9]\d*))?)?$/;
const LINE_AT_END = /:\d+$/;

/** @throws {SyntaxError} names the part that has no valid form */
export function parseRuleCase(text: string): RuleCase {
  const [unseen] = UNSEEN.exec(text) ?? [];
  if (unseen !== undefined) {
    throw new SyntaxError(`Write ${escapeOf(unseen)} in an escaped file instead of the character`);
  }
  if (!text.endsWith('\n')) throw new SyntaxError('The last line does not end');
  const { head, sections } = splitSections(text);
  const lines = head.replace(/\n{1,2}$/, '').split('\n');
  const isComment = (line: string): boolean => line.startsWith('# ');
  const count = lines.findIndex((line) => !isComment(line));
  const comment = count < 0 ? lines : lines.slice(0, count);
  if (comment.length === 0) throw new SyntaxError('A case begins with a comment that explains it');
  return {
    comment: comment.map((line) => line.slice(2)),
    expected: lines.slice(comment.length).map(parseFinding),
    files: sections.map(parseFile),
  };
}

function parseFinding(text: string): ExpectedFinding {
  const [, level, code, file = '', line] = FINDING.exec(text) ?? [];
  if (level === undefined || code === undefined || LINE_AT_END.test(file)) {
    throw new SyntaxError(`Neither a comment nor a finding: ${JSON.stringify(text)}`);
  }
  const found = { level: level as FindingLevel, code, file };
  return line === undefined ? found : { ...found, line: Number(line) };
}

function parseFile({ path, marks, body }: FileSection): CaseFile {
  const unknown = marks.find((mark) => !MARKS.includes(mark));
  if (unknown !== undefined) throw new SyntaxError(`${path}: "${unknown}" is not a mark of a file`);
  const text = marks.includes(ESCAPED) ? unescape(path, body) : body;
  return {
    path,
    text: marks.includes(NO_FINAL_NEWLINE) ? text.replace(/\n$/, '') : text,
    executable: marks.includes(EXECUTABLE),
  };
}

function unescape(path: string, body: string): string {
  const text = body.replaceAll(ESCAPE, (sequence, hex: string) => {
    const value = Number.parseInt(hex, 16);
    if (value > 0x10ffff) throw new SyntaxError(`${path}: ${sequence} is not a character`);
    return String.fromCodePoint(value);
  });
  if (!text.isWellFormed()) throw new SyntaxError(`${path}: a surrogate is not a character`);
  return text;
}

function escapeOf(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`;
}
