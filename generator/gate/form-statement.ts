/**
 * The report or flag of an issue form, checked by the same rules as a file in a pull request. The form's text is
 * hostile input.
 */
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { isBuildId } from '../../format/build/build-id.ts';
import { StackyardError } from '../../format/errors.ts';
import { statementPath } from '../../format/statement/statement.ts';
import type { StatementKind } from '../../format/statement/statement.ts';
import { parseIssueForm } from '../statement/issue-form.ts';
import { checkStatement, checkStatementFile } from '../statement/statement-check.ts';
import type { Accepted } from '../statement/statement-check.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import type { Repository } from '../git/repository.ts';
import { PublishedHistory } from './published-history.ts';

export interface IssueForm {
  readonly kind: StatementKind;
  readonly body: string;
  /** Numeric account of the issue's author, from the code host's event. */
  readonly account: number;
  /** When the form got its present text, in UTC, from the same place. */
  readonly at: string;
}

/** What the author must correct, in one sentence. */
export interface FormProblem {
  readonly problem: string;
}

/** @throws {GeneratorError} `ERR_GIT` */
export async function formStatement(
  repository: Repository,
  reader: ObjectReader,
  { kind, body, account, at }: IssueForm,
): Promise<Accepted['statement'] | FormProblem> {
  let value: Record<string, unknown>;
  try {
    value = parseIssueForm(kind, body, account, at);
  } catch (error) {
    if (!(error instanceof StackyardError)) throw error;
    return { problem: [error.message, error.hint ?? ''].filter(Boolean).join(': ') };
  }
  const { build, version } = value;
  const isKnown = typeof build === 'string' && isBuildId(build) && typeof version === 'string';
  const published = isKnown
    ? await (await PublishedHistory.read(repository, reader, build)).find(version)
    : undefined;
  const versions = { find: () => published };
  const result = checkStatement(kind, value, at, 'the form', versions);
  if ('code' in result) return { problem: result.message };
  const { statement } = result;
  const bytes = new TextEncoder().encode(canonicalJson(statement));
  const file = checkStatementFile(statementPath(kind, statement), bytes, at, versions);
  return 'code' in file ? { problem: file.message } : statement;
}
