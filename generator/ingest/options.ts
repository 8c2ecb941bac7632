/** The command line of `ingest`. */
import { parseArgs } from 'node:util';
import { join } from 'node:path';
import type { StatementKind } from '../../format/statement/statement.ts';
import { usageError } from '../errors.ts';

const usage = usageError('npm run ingest -- --help');

export const USAGE: string = `Usage: npm run ingest -- downloads [options] <access-log>...
       npm run ingest -- reports|flags [options] [--from <export.jsonl>]...
       npm run ingest -- reports|flags [options] --issue <body.md> --account N --at TIME

Brings signals/ up to what happened: downloads from access logs; reports and flags from the files of the
newest commit and from exports. Commit signals/ afterwards. What counts: docs/signals.md

  --repo DIR      the registry's working tree (default: this folder)
  --index DIR     its generated index, for versions and sizes (default: index in the repository)
  --state FILE    what was counted before; keep it safe (default: .ingest.state.sqlite in the repository)
  --json          print the report as JSON on standard output
  --help          print this

downloads: logs in common, combined, CloudFront or JSON-lines form, gzip or not; "-" is standard input
  --base PATH     path below which the index is served, such as /registry (default: the root)
  --source NAME   name of this collector, when several count (default: main)
  --keep-days N   days until a day is closed and its sketches are deleted (default: 35)

reports, flags
  --from FILE     an export of an account service, in JSON lines
  --issue FILE    body of an issue form: writes its file, for you to commit, and counts nothing
  --account N     numeric account of the issue's author, from the code host's event
  --at TIME       when the issue was opened, in UTC

Exit status: 0 done; 1 a log or statement was refused (each is named; the sound ones count), or the run
failed; 2 wrong usage.

Example: npm run ingest -- downloads /var/log/nginx/access.log.1.gz
`;

export interface IngestOptions {
  readonly command: 'downloads' | StatementKind;
  readonly repo: string;
  readonly index: string;
  readonly state: string;
  readonly json: boolean;
  readonly logs: readonly string[];
  readonly base: string;
  readonly source: string;
  readonly keepDays: number;
  readonly from: readonly string[];
  readonly issue:
    | { readonly file: string; readonly account: number; readonly at: string }
    | undefined;
}

/**
 * Reads the arguments; `undefined` for `--help`.
 * @throws {GeneratorError} `ERR_USAGE`
 */
export function parseIngestOptions(argv: readonly string[]): IngestOptions | undefined {
  const { values, positionals } = parseValues(argv);
  if (values.help === true) return undefined;
  const [command, ...logs] = positionals;
  if (command !== 'downloads' && command !== 'reports' && command !== 'flags') {
    throw usage(`Command is "${command ?? ''}": it must be downloads, reports or flags`);
  }
  if (command === 'downloads' && logs.length === 0) throw usage('No access log is given');
  if (command !== 'downloads' && logs.length > 0) {
    throw usage(`"${logs[0]}" is too much: give exports with --from`);
  }
  const { repo = '.', base = '', source = 'main' } = values;
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(source)) {
    throw usage(`Option --source is "${source}": it must be 1 to 40 of a-z, 0-9 and "-"`);
  }
  return {
    command,
    repo,
    index: values.index ?? join(repo, 'index'),
    state: values.state ?? join(repo, '.ingest.state.sqlite'),
    json: values.json ?? false,
    logs,
    base: base === '' ? '' : `/${base.replace(/^\/+|\/+$/g, '')}`.replace(/^\/$/, ''),
    source,
    keepDays: numberOption('keep-days', values['keep-days'] ?? '35', 1, 3_650),
    from: values.from ?? [],
    issue: issueOf(values),
  };
}

function issueOf(values: {
  issue?: string | undefined;
  account?: string | undefined;
  at?: string | undefined;
}): IngestOptions['issue'] {
  const { issue, account, at } = values;
  if (issue === undefined) return undefined;
  if (account === undefined || at === undefined) {
    throw usage('Option --issue needs --account and --at');
  }
  const limit = Number.MAX_SAFE_INTEGER;
  return { file: issue, account: numberOption('account', account, 1, limit), at };
}

function numberOption(name: string, text: string, least: number, most: number): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw usage(`Option --${name} is "${text}": it must be a number from ${least} to ${most}`);
}

function parseValues(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        repo: { type: 'string' },
        index: { type: 'string' },
        state: { type: 'string' },
        json: { type: 'boolean' },
        base: { type: 'string' },
        source: { type: 'string' },
        'keep-days': { type: 'string' },
        from: { type: 'string', multiple: true },
        issue: { type: 'string' },
        account: { type: 'string' },
        at: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (cause) {
    throw usage(cause instanceof Error ? cause.message.split('. ')[0]! : String(cause));
  }
}
