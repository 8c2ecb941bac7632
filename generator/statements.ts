/** Reports and flags: the statement of an issue form, and the rules of acceptance for every statement. The text is hostile. */
import { canonicalJson } from '../format/document/canonical-json.ts';
import { documentOrError } from '../format/document/document.ts';
import { shownTextProblem } from '../format/document/shown-text.ts';
import type { FormatError } from '../format/errors.ts';
import {
  Flag,
  Report,
  MAX_STATEMENT_BYTES,
  parseStatementPath,
  statementId,
  type StatementKind,
} from '../format/statement/statement.ts';
import { formatDay, tryParseDay } from '../format/statement/day.ts';
import { personalDataIn } from '../format/statement/personal-data.ts';
import { GeneratorError } from './errors.ts';

/** Headings of the form; a form of reports has `Outcome`, one of flags `Reason`. */
const LABELS = ['build', 'version', 'integrity', 'outcome', 'reason', 'note'] as const;
const NO_ANSWER = '_No response_';
/** A longer body is not of our form. */
const MAX_BODY_LENGTH = 20_000;

/**
 * The statement that a form makes, not yet checked.
 * @param account numeric id of the issue's author, from the code host's event and not from the body
 * @param at when the issue was opened, from the same place
 * @throws {GeneratorError} `ERR_USAGE` for a body that is no form, naming the heading
 */
export function parseIssueForm(
  kind: StatementKind,
  body: string,
  account: number,
  at: string,
): Record<string, unknown> {
  if (body.length > MAX_BODY_LENGTH) {
    throw refused(`it has more than ${MAX_BODY_LENGTH} characters`);
  }
  const answers = answersOf(body);
  const [wanted, other] = kind === 'reports' ? ['outcome', 'reason'] : ['reason', 'outcome'];
  for (const label of ['build', 'version', 'integrity', wanted]) {
    if (!answers.has(label)) throw refused(`heading "### ${titleOf(label)}" has no answer`);
  }
  const day = tryParseDay(at);
  if (day === undefined) throw refused(`option --at is "${at}": write a time in UTC`);
  const given = [...answers].filter(([label]) => label !== other);
  return { ...Object.fromEntries(given), account: `host:${account}`, day: formatDay(day) };
}

/** A heading ends an answer; text below other headings is dropped. */
function answersOf(body: string): Map<string, string> {
  const answers = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of body.split(/\r\n|\n|\r/)) {
    if (!line.startsWith('### ')) {
      current.push(line);
      continue;
    }
    const word = line.slice('### '.length).trim().toLowerCase();
    const label = LABELS.find((one) => one === word);
    current = [];
    if (label === undefined) continue;
    // The second of two answers could come from the note and contradict the form.
    if (answers.has(label)) throw refused(`heading "### ${titleOf(label)}" is there twice`);
    answers.set(label, current);
  }
  const texts = [...answers].map(([label, lines]) => [label, lines.join('\n').trim()] as const);
  return new Map(texts.filter(([, text]) => text !== '' && text !== NO_ANSWER));
}

function titleOf(label: string): string {
  return label.slice(0, 1).toUpperCase() + label.slice(1);
}

function refused(problem: string): GeneratorError {
  return new GeneratorError('ERR_USAGE', `Cannot read the issue: ${problem}`, {
    hint: 'fill in the form of the registry, which has a heading for each field',
  });
}

/** Why a statement does not count. */
type RefusalCode =
  | 'statement-size'
  | 'statement-form'
  | 'statement-id'
  | 'statement-version'
  | 'statement-integrity'
  | 'statement-day'
  | 'statement-text'
  | 'statement-personal-data';

export interface Refusal {
  readonly code: RefusalCode;
  /** File, or file and line. */
  readonly where: string;
  readonly message: string;
}

/** Knows the digests of published versions. */
interface VersionLookup {
  readonly find: (build: string, version: string) => { readonly integrity: string } | undefined;
}

type Statement = Report | Flag;

/** A statement that passed every check. */
export interface Accepted {
  readonly id: string;
  readonly statement: Statement;
  /** When it arrived, by the registry's clock. */
  readonly at: string;
}

/** A statement may be older than its arrival, since a pull request waits, and a clock may be ahead. */
const MAX_DAYS_BEFORE = 30;
const MAX_DAYS_AHEAD = 1;

/**
 * Reads the file of a statement. Any author of a pull request writes it: hostile input.
 * @param at when the commit that added it reached the main line
 */
export function checkStatementFile(
  path: string,
  bytes: Uint8Array | undefined,
  at: string,
  versions: VersionLookup,
): Accepted | Refusal {
  const place = parseStatementPath(path);
  if (place === undefined) {
    const form = '"<kind>/<owner>/<name>/<version>/<SHA-256 of the file>.json"';
    return refusal('statement-id', path, `The path must have the form ${form}`);
  }
  if (bytes === undefined || bytes.length > MAX_STATEMENT_BYTES) {
    return refusal('statement-size', path, `It has more than ${MAX_STATEMENT_BYTES} bytes`);
  }
  const statement = statementIn(place.kind, bytes);
  if (statement instanceof Error) return refusal('statement-form', path, statement.message);
  const isHere = statement.build === place.build && statement.version === place.version;
  if (!isHere || new TextDecoder().decode(bytes) !== canonicalJson(statement)) {
    const form = 'canonical JSON about the build and version that its path names';
    return refusal('statement-id', path, `The file must be ${form}`);
  }
  return checkContent({ id: place.id, statement, at }, path, versions);
}

/** Checks a value that has no id yet, such as that of an issue form. */
export function checkStatement(
  kind: StatementKind,
  value: unknown,
  at: string,
  where: string,
  versions: VersionLookup,
): Accepted | Refusal {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const statement = statementIn(kind, bytes);
  if (statement instanceof Error) return refusal('statement-form', where, statement.message);
  return checkContent({ id: statementId(statement), statement, at }, where, versions);
}

function checkContent(
  accepted: Accepted,
  where: string,
  versions: VersionLookup,
): Accepted | Refusal {
  const { id, statement, at } = accepted;
  const { build, version, integrity, day, note = '' } = statement;
  const digest = statementId(statement);
  if (id !== digest) {
    return refusal('statement-id', where, `The id must be the SHA-256 of the content, "${digest}"`);
  }
  const published = versions.find(build, version);
  if (published === undefined) {
    return refusal('statement-version', where, `"${build}@${version}" is not published`);
  }
  if (integrity !== published.integrity) {
    const expected = `"${build}@${version}" has integrity "${published.integrity}"`;
    return refusal(
      'statement-integrity',
      where,
      `Field "integrity" is "${integrity}": ${expected}`,
    );
  }
  const [stated, arrived] = [tryParseDay(day) ?? -Infinity, tryParseDay(at) ?? Infinity];
  if (stated > arrived + MAX_DAYS_AHEAD || stated < arrived - MAX_DAYS_BEFORE) {
    const span = `at most ${MAX_DAYS_BEFORE} days before it arrived, on ${at.slice(0, 10)}`;
    return refusal('statement-day', where, `Field "day" is "${day}": it must be ${span}`);
  }
  const hidden = shownTextProblem(note, true);
  if (hidden !== undefined) {
    const message = `Field "note" ${hidden}: write it in characters that people see`;
    return refusal('statement-text', where, message);
  }
  const personal = personalDataIn(note);
  if (personal !== undefined) {
    const message = `Field "note" holds ${personal}: write the note without it`;
    return refusal('statement-personal-data', where, message);
  }
  return accepted;
}

/** The statement of a file, or what is wrong with its form. */
export function statementIn(kind: StatementKind, bytes: Uint8Array): Statement | FormatError {
  return documentOrError(kind === 'reports' ? Report : Flag, bytes, 'the statement');
}

function refusal(code: RefusalCode, where: string, message: string): Refusal {
  return { code, where, message };
}
