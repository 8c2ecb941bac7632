/** The command `ingest`: brings signals/ up to what happened. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { DAY_MS } from '../../format/duration.ts';
import { statementId, statementPath } from '../../format/statement/statement.ts';
import type { StatementKind } from '../../format/statement/statement.ts';
import { countedFrom, layoutOf, loadConfig } from '../config.ts';
import { GeneratorError, formatError, usageError } from '../errors.ts';
import { ObjectReader } from '../git/object-reader.ts';
import { openRepository } from '../git/repository.ts';
import { MAX_LINE_BYTES } from '../ingest/log-lines.ts';
import { ingestDownloads } from '../ingest/downloads.ts';
import { IngestState } from '../ingest/ingest-state.ts';
import { PublishedVersions } from '../ingest/published-versions.ts';
import { ingestStatements } from '../ingest/statements.ts';
import { reporting } from '../run-report.ts';
import { writeWhole } from '../write-whole.ts';
import { checkStatement, parseIssueForm } from '../statements.ts';
import { json, repo, text, whole } from './fields.ts';

type DownloadsReport = Awaited<ReturnType<typeof ingestDownloads>>;

const DOWNLOADS = 'Downloads';
const STATEMENTS = 'Reports and flags';

const Input = z.object({
  kind: z.enum(['downloads', 'reports', 'flags']).meta({
    description: 'what is counted',
    isArgument: true,
  }),
  logs: z.array(z.string()).default([]).meta({
    description:
      'of downloads: logs in combined (or common) or JSON-lines form, gzip or not; "-" is standard input',
    isArgument: true,
  }),
  repo,
  index: text(
    'dir',
    'its generated index, for versions and sizes; by default index in the repository',
  ),
  state: text(
    'file',
    'what was counted before; keep it safe; by default .ingest.state.sqlite in the repository',
  ),
  json,
  base: z.string().default('').meta({
    description: 'path below which the index is served, such as /registry; by default the root',
    placeholder: 'path',
    group: DOWNLOADS,
  }),
  source: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'it must be 1 to 40 of a-z, 0-9 and "-"')
    .default('main')
    .meta({
      description: 'name of this collector, when several count',
      placeholder: 'name',
      group: DOWNLOADS,
    }),
  keepDays: whole(1, 3_650).default(35).meta({
    description: 'days until a day is closed and its hashes are deleted',
    placeholder: 'days',
    group: DOWNLOADS,
  }),
  issue: text(
    'file',
    'body of an issue form: writes its file, for you to commit, and counts nothing',
    STATEMENTS,
  ),
  account: z
    .int('it must be a positive number')
    .min(1, 'it must be a positive number')
    .optional()
    .meta({
      description: "numeric account of the issue's author, from the code host's event",
      placeholder: 'number',
      group: STATEMENTS,
    }),
  at: text('time', 'when the issue was opened, in UTC', STATEMENTS),
});
type Input = z.infer<typeof Input>;

/** What was refused, for people; `code` is an error's or a refusal's. */
interface Problem {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

interface Outcome {
  readonly problems: readonly Problem[];
  /** What is no fault, but nobody should miss. */
  readonly notes?: readonly string[];
  readonly summary: string;
  /** What `--json` prints. */
  readonly report: Readonly<Record<string, unknown>>;
}

export const command = defineCommand({
  description:
    'Brings signals/ up to what happened: downloads from access logs; reports and flags from the files of the newest commit. Commit signals/ afterwards. What counts: docs/signals.md',
  input: Input,
  notes: [
    'Exit status: 0 done; 1 a log or statement was refused (each is named; the sound ones count), or the run failed; 2 wrong usage.',
  ],
  examples: ['ingest downloads /var/log/nginx/access.log.1.gz'],
  run: async (input) => {
    const { problems, notes = [], summary, report } = await ingest(input, Date.now());
    for (const note of notes) console.error(`warning: ${note}`);
    for (const problem of problems) console.error(formatError(problem));
    console.log(input.json ? JSON.stringify(report, null, 2) : summary);
    return problems.length === 0 ? 0 : 1;
  },
});

/** @param now milliseconds since 1970, by the clock */
async function ingest(input: Input, now: number): Promise<Outcome> {
  const { kind, logs, issue } = input;
  if (kind === 'downloads' && logs.length === 0)
    throw usageError('ingest', 'No access log is given');
  if (kind !== 'downloads' && logs.length > 0) {
    throw usageError('ingest', `"${logs[0]}" is too much: ${kind} come from the repository`);
  }
  if (issue !== undefined && (input.account === undefined || input.at === undefined)) {
    throw usageError('ingest', 'Option --issue needs --account and --at');
  }
  const folder = resolve(input.repo);
  const index = resolve(input.index ?? join(folder, 'index'));
  const versions = new PublishedVersions(index);
  if (kind !== 'downloads') {
    if (issue !== undefined) return writeIssue(kind, issue, input, versions);
    return ingestFiles(kind, folder, versions);
  }
  const state = new IngestState(resolve(input.state ?? join(folder, '.ingest.state.sqlite')));
  try {
    const today = Math.floor(now / DAY_MS);
    const base = `/${input.base.replace(/^\/+|\/+$/g, '')}`.replace(/^\/$/, '');
    const options = { ...input, base, repo: folder, today };
    const work = (): Promise<DownloadsReport> => ingestDownloads(options, versions, state);
    return downloadsOutcome(await reporting('ingest', index, work, figuresOf));
  } finally {
    state.close();
  }
}

async function ingestFiles(
  kind: StatementKind,
  folder: string,
  versions: PublishedVersions,
): Promise<Outcome> {
  const opened = await openRepository(folder);
  const reader = new ObjectReader(opened.folder);
  try {
    const repository = await countedFrom(opened, (await loadConfig(opened, reader)).config);
    const work = { kind, repo: repository.folder };
    return statementsOutcome(kind, await ingestStatements(work, repository, reader, versions));
  } finally {
    reader.close();
  }
}

function writeIssue(
  kind: StatementKind,
  file: string,
  { repo: folder, account = 0, at = '' }: Input,
  versions: PublishedVersions,
): Outcome {
  const value = parseIssueForm(kind, readIssue(file), account, at);
  const result = checkStatement(kind, value, at, 'the issue', versions);
  if ('code' in result) {
    const problems = [{ code: result.code, message: `Cannot take the issue: ${result.message}` }];
    return { problems, summary: 'written: nothing', report: { ok: false, problems } };
  }
  const { root } = layoutOf(folder);
  const path = `${root}${statementPath(kind, result.statement)}`;
  writeWhole(join(resolve(folder), path), canonicalJson(result.statement));
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

/** What the report of the run has. */
function figuresOf({ logs, problems, changed }: DownloadsReport): {
  readonly ok: boolean;
  readonly lines: number;
  readonly downloads: number;
  readonly not_understood: number;
} & Readonly<Record<string, unknown>> {
  const sum = (count: (log: DownloadsReport['logs'][number]) => number): number =>
    logs.reduce((total, log) => total + count(log), 0);
  return {
    ok: problems.length === 0,
    lines: sum((log) => log.lines),
    downloads: sum((log) => log.verdicts.download ?? 0),
    not_understood: sum((log) => log.malformed + log.tooLong),
    changed_signals: changed.length,
    problems: problems.map(({ code, message }) => ({ code, message })),
  };
}

function downloadsOutcome(report: DownloadsReport): Outcome {
  const { logs, problems, changed, closedDays } = report;
  const { lines, downloads, not_understood: skipped } = figuresOf(report);
  return {
    problems,
    notes: logs.flatMap(({ log, malformed, malformedAt, tooLong }) => [
      ...(malformed === 0
        ? []
        : [
            `Log "${log}": ${malformed} lines about tarballs are in no known form and were not counted; the first is line ${malformedAt}. The forms: docs/signals.md`,
          ]),
      ...(tooLong === 0
        ? []
        : [
            `Log "${log}": ${tooLong} lines are longer than ${MAX_LINE_BYTES} bytes and were not read`,
          ]),
    ]),
    summary:
      `logs: ${logs.length} read, ${problems.length} refused; lines: ${lines}, ` +
      `${downloads} of them complete downloads, repeats among them, ${skipped} not understood; ` +
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

function statementsOutcome(
  kind: StatementKind,
  report: Awaited<ReturnType<typeof ingestStatements>>,
): Outcome {
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
