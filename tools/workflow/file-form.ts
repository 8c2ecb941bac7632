/**
 * The second job of signals.yml, which may write: takes the outcome of the first job, commits the report or
 * flag, and answers the issue. It reads nothing of the issue's text.
 */
import { readFileSync } from 'node:fs';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { parseDocument } from '../../format/document/document.ts';
import { statementPath } from '../../format/statement/statement.ts';
import { escapeMarkdown } from '../../generator/gate/escape.ts';
import { CodeHost } from './code-host.ts';
import { commitFiles } from './commit-files.ts';
import { registryFolder, required } from './environment.ts';
import type { Environment } from './environment.ts';
import { fetchBase } from './fetch-sides.ts';
import { FILED_LABEL, FormOutcome } from './form-outcome.ts';
import { runScript } from './run-script.ts';
import { sameDayStatement } from './same-day-statement.ts';

const MARKER = '<!-- stackyard-form -->';
const LABEL_PREFIX = 'signal: ';
/** Others push to the branch as well; each try reads its position again. */
const MAX_TRIES = 10;
const MAX_PROBLEM_LENGTH = 3_000;

type Taken = Extract<FormOutcome, { outcome: 'reports' | 'flags' }>;

await runScript(() => main(process.env, registryFolder(process.env)));

async function main(env: Environment, folder: string): Promise<number> {
  const file = required(env, 'FORM_FILE');
  const outcome = parseDocument(FormOutcome, readFileSync(file), `"${file}"`);
  if (outcome.outcome === 'ignored') {
    console.log('ignored');
    return 0;
  }
  const host = new CodeHost(env);
  const { state, user } = await host.issue(outcome.issue);
  if (state !== 'open' || user?.id !== outcome.author) {
    console.log('The issue is closed, or has another author: nothing is done');
    return 0;
  }
  if (outcome.outcome === 'mend') return mend(host, outcome.issue, outcome.problem);
  const { author, statement, issue } = outcome;
  if (statement.account !== `host:${author}`) {
    throw new Error('The statement is of another account than the issue');
  }
  const filed = await fileStatement(env, folder, outcome);
  if ('other' in filed) {
    const day = `${statement.build}@${statement.version} on ${statement.day}`;
    const problem = `There is already a statement of yours about ${day}, in ${filed.other}: the form accepts one for each account, version and day. Correct it with a pull request; the last one counts`;
    return mend(host, issue, problem);
  }
  const isReport = outcome.outcome === 'reports';
  const then = isReport ? 'It counts with the next run of the ingest.' : 'An admin looks at it.';
  await host.comment(issue, MARKER, `Filed as ${code(filed.path)}. ${then}`);
  await host.label(issue, [FILED_LABEL], LABEL_PREFIX);
  // A flag waits for an admin, who closes it.
  if (isReport) await host.close(issue);
  if (filed.isNew) await host.dispatch('deploy.yml', required(env, 'BASE_BRANCH'));
  console.log(`${filed.isNew ? 'filed' : 'was there already'}: ${filed.path}`);
  return 0;
}

async function mend(host: CodeHost, issue: number, problem: string): Promise<number> {
  const text = escapeMarkdown(problem, MAX_PROBLEM_LENGTH);
  const how = 'Edit the issue: the form is read again. What counts: docs/signals.md';
  await host.comment(issue, MARKER, `This cannot be taken as it is.\n\n${text}.\n\n${how}`);
  await host.label(issue, [`${LABEL_PREFIX}mend`], LABEL_PREFIX);
  console.log('to be corrected');
  return 0;
}

async function fileStatement(
  env: Environment,
  folder: string,
  { outcome: kind, statement, issue }: Taken,
): Promise<{ path: string; isNew: boolean } | { other: string }> {
  const path = statementPath(kind, statement);
  const { build, version } = statement;
  const verb = kind === 'reports' ? 'Report' : 'Flag';
  const message = `${verb} ${build}@${version}\n\nFrom issue #${issue}`;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const base = fetchBase(env, folder);
    const other = await sameDayStatement(folder, base, kind, statement);
    if (other !== undefined) return other === path ? { path, isNew: false } : { other };
    const files = [{ path, text: canonicalJson(statement) }];
    if (commitFiles(env, folder, base, files, message) === 'landed') return { path, isNew: true };
  }
  throw new Error(`The base branch moved ${MAX_TRIES} times while the file was committed`);
}

function code(path: string): string {
  return `<code>${path}</code>`;
}
