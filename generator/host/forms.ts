/** The jobs of signals.yml: reports and flags that arrive as issue forms. One reads the form and may not write; one files the statement and answers, and reads nothing of the issue's text. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isBuildId } from '../../format/build/build-id.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { StackyardError } from '../../format/errors.ts';
import {
  Flag,
  Report,
  MAX_STATEMENT_BYTES,
  parseStatementPath,
  statementPath,
  type StatementKind,
} from '../../format/statement/statement.ts';
import { entryAt, gateGitText } from '../gate/git.ts';
import { escapeMarkdown } from '../gate/verdict-text.ts';
import { countedFrom, layoutOf, loadConfig } from '../config.ts';
import { PublishedHistory } from '../gate/registry.ts';
import { ObjectReader } from '../git/object-reader.ts';
import { openRepository, type Repository } from '../git/repository.ts';
import {
  checkStatement,
  checkStatementFile,
  parseIssueForm,
  statementIn,
  type Accepted,
} from '../statements.ts';
import {
  handOver,
  openCodeHost,
  required,
  startDeployment,
  takeOver,
  type Environment,
} from './code-host.ts';
import type { GitHubHost, IssueEvent } from './github-host.ts';
import { commitFiles } from './push.ts';

const MARKER = '<!-- stackyard-form -->';
const LABEL_PREFIX = 'signal: ';
/** Set on an issue whose statement stands in the repository: it is read no more. */
const FILED_LABEL = 'signal: filed';
/** The label that each form sets. */
const KINDS = { report: 'reports', flag: 'flags' } as const;
const MAX_PROBLEM_LENGTH = 2_000;
const MAX_ANSWER_LENGTH = 3_000;
/** Files that are read at once. */
const BATCH = 500;

const Issue = { issue: z.int().positive(), author: z.int().positive() } as const;

/** What one job hands to the other. */
const FormOutcome = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('ignored'), why: z.string().max(200) }),
  z.strictObject({ outcome: z.literal('mend'), ...Issue, problem: z.string().max(10_000) }),
  z.strictObject({ outcome: z.literal('reports'), ...Issue, statement: Report }),
  z.strictObject({ outcome: z.literal('flags'), ...Issue, statement: Flag }),
]);
type FormOutcome = z.infer<typeof FormOutcome>;

/**
 * The first job of signals.yml: reads an issue that was opened with the form for reports or flags, checks it
 * against the rules, and writes the outcome to a file. It has a read-only token.
 */
export async function readForm(env: Environment, folder: string): Promise<number> {
  const bytes = readFileSync(required(env, 'GITHUB_EVENT_PATH'));
  const outcome = await outcomeOf(openCodeHost(env).issueEvent(bytes), folder);
  handOver(env, 'form', outcome);
  console.log(`outcome: ${outcome.outcome}${'why' in outcome ? `, ${outcome.why}` : ''}`);
  return 0;
}

async function outcomeOf(event: IssueEvent, folder: string): Promise<FormOutcome> {
  const { number, author, body, at } = event;
  const [kind, ...others] = kindsOf(event);
  const why = reasonToIgnore(event);
  if (why !== undefined || author === undefined || kind === undefined) {
    return {
      outcome: 'ignored',
      why: why ?? (kind === undefined ? 'it is no such form' : 'its author is gone'),
    };
  }
  const about = { issue: number, author };
  if (others.length > 0) {
    const problem = 'The issue has the labels of two forms: open one for each';
    return { outcome: 'mend', ...about, problem };
  }
  const opened = await openRepository(folder);
  const reader = new ObjectReader(opened.folder);
  try {
    const repository = await countedFrom(opened, (await loadConfig(opened, reader)).config);
    const form = { kind, body, account: author, at };
    const statement = await formStatement(repository, reader, form);
    if ('problem' in statement) {
      return { outcome: 'mend', ...about, problem: statement.problem.slice(0, MAX_PROBLEM_LENGTH) };
    }
    return 'outcome' in statement
      ? { outcome: 'reports', ...about, statement }
      : { outcome: 'flags', ...about, statement };
  } finally {
    reader.close();
  }
}

/** By the labels that a form sets, or, where the repository does not have these, by its headings. */
function kindsOf({ labels, body }: IssueEvent): StatementKind[] {
  const kinds = Object.entries(KINDS).filter(([label]) => labels.includes(label));
  if (kinds.length > 0) return kinds.map(([, kind]) => kind);
  if (!/^### Integrity\s*$/m.test(body)) return [];
  const [isReport, isFlag] = [/^### Outcome\s*$/m.test(body), /^### Reason\s*$/m.test(body)];
  return isReport === isFlag ? [] : [isReport ? 'reports' : 'flags'];
}

function reasonToIgnore(event: IssueEvent): string | undefined {
  if (event.isPull) return 'it is a pull request';
  if (!event.isOpen) return 'it is closed';
  if (event.labels.includes(FILED_LABEL)) return 'it was filed before';
  // Text that others write into an issue is not a statement of its author.
  if (event.isEdit && event.sender !== event.author) return 'another account edited it';
  return undefined;
}

/**
 * The report or flag of an issue form, checked by the same rules as a file in a pull request; `problem` is what the author
 * must correct, in one sentence. The form's text is hostile.
 * @param form its author's numeric account, and when it got its present text, in UTC, are from the code host's event
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function formStatement(
  repository: Repository,
  reader: ObjectReader,
  form: { kind: StatementKind; body: string; account: number; at: string },
): Promise<Accepted['statement'] | { readonly problem: string }> {
  const { kind, body, account, at } = form;
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

/**
 * The second job of signals.yml, which may write: takes the outcome of the first job, commits the report or
 * flag, and answers the issue. It reads nothing of the issue's text.
 */
export async function fileForm(env: Environment, folder: string): Promise<number> {
  const outcome = takeOver(env, 'form', FormOutcome);
  if (outcome.outcome === 'ignored') {
    console.log('ignored');
    return 0;
  }
  const host = openCodeHost(env);
  const { issue } = outcome;
  const { isOpen, author, labels } = await host.issue(issue);
  if (!isOpen || author !== outcome.author) {
    console.log('The issue is closed, or has another author: nothing is done');
    return 0;
  }
  if (outcome.outcome === 'mend') return mend(host, issue, outcome.problem);
  const { statement } = outcome;
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
  // The form could not set a label that the repository did not have.
  const kind = isReport ? 'report' : 'flag';
  await host.label(issue, [kind, FILED_LABEL], LABEL_PREFIX, labels);
  // A flag waits for an admin, who closes it.
  if (isReport) await host.close(issue);
  if (filed.isNew) await startDeployment(env, host);
  console.log(`${filed.isNew ? 'filed' : 'was there already'}: ${filed.path}`);
  return 0;
}

async function mend(host: GitHubHost, number: number, problem: string): Promise<number> {
  const text = escapeMarkdown(problem, MAX_ANSWER_LENGTH);
  const how = 'Edit the issue: the form is read again. What counts: docs/signals.md';
  await host.comment(number, MARKER, `This cannot be taken as it is.\n\n${text}.\n\n${how}`);
  await host.label(number, [`${LABEL_PREFIX}mend`], LABEL_PREFIX);
  console.log('to be corrected');
  return 0;
}

async function fileStatement(
  env: Environment,
  folder: string,
  { outcome: kind, statement, issue }: Extract<FormOutcome, { outcome: 'reports' | 'flags' }>,
): Promise<{ path: string; isNew: boolean } | { other: string }> {
  const { root } = layoutOf(folder);
  const path = `${root}${statementPath(kind, statement)}`;
  const { build, version } = statement;
  const verb = kind === 'reports' ? 'Report' : 'Flag';
  const message = `${verb} ${build}@${version}\n\nFrom issue #${issue}`;
  let other: string | undefined;
  const { files } = await commitFiles(env, folder, message, async (base) => {
    other = await sameDayStatement(folder, base, root, kind, statement);
    return other === undefined ? [{ path, text: canonicalJson(statement) }] : [];
  });
  return other === undefined || other === path ? { path, isNew: files.length > 0 } : { other };
}

function code(path: string): string {
  return `<code>${path}</code>`;
}

/** The path of the statement that is there already at `commit`; `undefined` where there is none. */
async function sameDayStatement(
  folder: string,
  commit: string,
  root: string,
  kind: StatementKind,
  { build, version, account, day }: Report | Flag,
): Promise<string | undefined> {
  const place = `${root}${kind}/${build}/${version}`;
  const entry = await entryAt(folder, commit, place);
  if (entry?.mode !== '040000') return undefined;
  const names = await gateGitText(folder, ['ls-tree', '-z', '--name-only', entry.oid]);
  const paths = names
    .split('\0')
    .map((name) => `${place}/${name}`)
    .filter((path) => parseStatementPath(path.slice(root.length)) !== undefined);
  const reader = new ObjectReader(folder);
  try {
    for (let start = 0; start < paths.length; start += BATCH) {
      const batch = paths.slice(start, start + BATCH);
      const budget = { left: BATCH * MAX_STATEMENT_BYTES };
      const objects = await reader.readAll(
        batch.map((path) => `${commit}:${path}`),
        budget,
      );
      const found = objects.findIndex((object) => {
        const one = statementIn(kind, object?.bytes ?? new Uint8Array());
        return !(one instanceof Error) && one.account === account && one.day === day;
      });
      if (found >= 0) return batch[found];
    }
    return undefined;
  } finally {
    reader.close();
  }
}
