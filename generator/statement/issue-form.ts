/**
 * Reads the body of an issue that was opened with the registry's form for reports or flags:
 *
 *     ### Build
 *
 *     alice/web
 *
 *     ### Version
 *
 *     1.0.0
 *
 * The body is hostile input: anyone may write anything into a note, headings too.
 */
import { formatDay, tryParseDay } from '../../format/statement/day.ts';
import type { StatementKind } from '../../format/statement/statement.ts';
import { GeneratorError } from '../errors.ts';
import { lowerCase, upperCase } from '../../format/unicode.ts';

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
    const word = lowerCase(line.slice('### '.length).trim());
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
  return upperCase(label.slice(0, 1)) + label.slice(1);
}

function refused(problem: string): GeneratorError {
  return new GeneratorError('ERR_USAGE', `Cannot read the issue: ${problem}`, {
    hint: 'fill in the form of the registry, which has a heading for each field',
  });
}
