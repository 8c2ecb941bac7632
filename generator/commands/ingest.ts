/** The command `ingest`: brings signals/ up to what happened. */
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import { DAY_MS } from '../../format/duration.ts';
import type { StatementKind } from '../../format/statement/statement.ts';
import { countedFrom, loadConfig } from '../config.ts';
import { formatError, usageError } from '../errors.ts';
import { ObjectReader } from '../git/object-reader.ts';
import { openRepository } from '../git/repository.ts';
import { ingestDownloads } from '../ingest/downloads.ts';
import { IngestState } from '../ingest/ingest-state.ts';
import { downloadsOutcome, figuresOf, statementsOutcome, type Outcome } from '../ingest/outcome.ts';
import { PublishedVersions } from '../ingest/published-versions.ts';
import { ingestStatements } from '../ingest/statements.ts';
import { reporting } from '../run-report.ts';
import { json, repo, text } from './fields.ts';

const DOWNLOADS = 'Downloads';

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
  json,
  state: text(
    'file',
    'what was counted before; keep it safe; by default .ingest.state.sqlite in the repository',
    DOWNLOADS,
  ),
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
});

export const command = defineCommand({
  description:
    'Brings signals/ up to what happened: downloads from access logs; reports and flags from the files of the newest commit. Commit signals/ afterwards. What counts: docs/signals.md',
  input: Input,
  notes: [
    'Exit status: 0 done; 1 a log or statement was refused (each is named; the sound ones count), or the run failed; 2 wrong usage.',
  ],
  examples: ['ingest downloads /var/log/nginx/access.log.1.gz'],
  run: async (input) => {
    const { problems, notes = [], summary, report } = await ingest(input);
    for (const note of notes) console.error(`warning: ${note}`);
    for (const problem of problems) console.error(formatError(problem));
    console.log(input.json ? JSON.stringify(report, null, 2) : summary);
    return problems.length === 0 ? 0 : 1;
  },
});

async function ingest({
  kind,
  logs,
  repo: place,
  ...input
}: z.infer<typeof Input>): Promise<Outcome> {
  if (kind === 'downloads' && logs.length === 0)
    throw usageError('ingest', 'No access log is given');
  if (kind !== 'downloads' && logs.length > 0) {
    throw usageError('ingest', `"${logs[0]}" is too much: ${kind} come from the repository`);
  }
  const folder = resolve(place);
  const index = resolve(input.index ?? join(folder, 'index'));
  const versions = new PublishedVersions(index);
  if (kind !== 'downloads') return ingestFiles(kind, folder, versions);
  const state = new IngestState(resolve(input.state ?? join(folder, '.ingest.state.sqlite')));
  try {
    const today = Math.floor(Date.now() / DAY_MS);
    const base = `/${input.base.replace(/^\/+|\/+$/g, '')}`.replace(/^\/$/, '');
    const options = { logs, repo: folder, source: input.source, base, today };
    const work = (): ReturnType<typeof ingestDownloads> =>
      ingestDownloads(options, versions, state);
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
