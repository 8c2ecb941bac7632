/** One run of `ingest`, from its options to its output. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { statementId, statementPath } from '../../format/statement/statement.ts';
import type { StatementKind } from '../../format/statement/statement.ts';
import { GeneratorError } from '../errors.ts';
import { ObjectReader } from '../git/object-reader.ts';
import { openRepository } from '../git/repository.ts';
import { ingestDownloads } from './downloads.ts';
import type { DownloadsReport } from './downloads.ts';
import { IngestState } from './ingest-state.ts';
import { parseIssueForm } from '../statement/issue-form.ts';
import type { IngestOptions } from './options.ts';
import { PublishedVersions } from './published-versions.ts';
import { writeWhole } from '../files/write-whole.ts';
import { checkStatement } from '../statement/statement-check.ts';
import { ingestStatements } from './statements.ts';
import type { StatementsReport } from './statements.ts';

const MS_PER_DAY = 86_400_000;

/** What was refused, for people; `code` is an error's or a refusal's. */
interface Problem {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

export interface IngestOutcome {
  readonly problems: readonly Problem[];
  readonly summary: string;
  /** What `--json` prints. */
  readonly report: Readonly<Record<string, unknown>>;
}

/**
 * Runs a command.
 * @param now milliseconds since 1970, by the clock
 * @throws {GeneratorError}
 */
export async function runIngest(options: IngestOptions, now: number): Promise<IngestOutcome> {
  const versions = new PublishedVersions(resolve(options.index));
  const { command } = options;
  if (command !== 'downloads' && options.issue !== undefined) {
    return writeIssue(command, { ...options, issue: options.issue }, versions);
  }
  const state = new IngestState(resolve(options.state));
  try {
    if (command !== 'downloads') return await runStatements(command, options, versions, state);
    const today = Math.floor(now / MS_PER_DAY);
    const report = await ingestDownloads(
      { ...options, repo: resolve(options.repo), today },
      versions,
      state,
    );
    return downloadsOutcome(report);
  } finally {
    state.close();
  }
}

async function runStatements(
  kind: StatementKind,
  options: IngestOptions,
  versions: PublishedVersions,
  state: IngestState,
): Promise<IngestOutcome> {
  const repository = await openRepository(resolve(options.repo));
  const reader = new ObjectReader(repository.folder);
  try {
    const { from } = options;
    const { folder: repo } = repository;
    return statementsOutcome(
      kind,
      await ingestStatements({ kind, repo, from }, repository, reader, versions, state),
    );
  } finally {
    reader.close();
  }
}

function writeIssue(
  kind: StatementKind,
  { issue, repo }: IngestOptions & { issue: NonNullable<IngestOptions['issue']> },
  versions: PublishedVersions,
): IngestOutcome {
  const body = readIssue(issue.file);
  const value = parseIssueForm(kind, body, issue.account, issue.at);
  const result = checkStatement(kind, value, issue.at, 'the issue', versions);
  if ('code' in result) {
    const problems = [{ code: result.code, message: `Cannot take the issue: ${result.message}` }];
    return { problems, summary: 'written: nothing', report: { ok: false, problems } };
  }
  const path = statementPath(kind, result.statement);
  writeWhole(join(resolve(repo), path), canonicalJson(result.statement));
  const report = { ok: true, path, id: statementId(result.statement) };
  return { problems: [], summary: `written: ${path}`, report };
}

function readIssue(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const problem = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new GeneratorError('ERR_LOG', `Cannot read "${file}": ${problem}`, { cause });
  }
}

function downloadsOutcome({ logs, problems, changed, closedDays }: DownloadsReport): IngestOutcome {
  const sum = (count: (log: DownloadsReport['logs'][number]) => number): number =>
    logs.reduce((total, log) => total + count(log), 0);
  const lines = sum((log) => log.lines);
  const downloads = sum((log) => log.verdicts.download ?? 0);
  return {
    problems,
    summary:
      `logs: ${logs.length} read, ${problems.length} refused; lines: ${lines}, ` +
      `${downloads} of them complete downloads, repeats among them; ` +
      `signals: ${changed.length} changed; days closed: ${closedDays}`,
    report: {
      ok: problems.length === 0,
      logs,
      changed,
      closed_days: closedDays,
      problems: problems.map(({ code, message }) => ({ code, message })),
    },
  };
}

function statementsOutcome(kind: StatementKind, report: StatementsReport): IngestOutcome {
  const { accepted, superseded, own, dismissed, refusals, changed } = report;
  const problems = refusals.map(({ code, where, message }) => {
    return { code, message: `${where}: ${message}` };
  });
  return {
    problems,
    summary:
      `${kind}: ${accepted} accepted (${superseded} superseded, ${own} of the publisher, ` +
      `${dismissed} dismissed), ${refusals.length} refused; signals: ${changed.length} changed`,
    report: { ok: refusals.length === 0, ...report },
  };
}
