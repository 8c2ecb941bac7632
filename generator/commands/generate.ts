/** The command `generate`: brings the index of a repository up to its newest commit. */
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import type { NoteSigner } from '../../format/log/note-key.ts';
import { chooseClient } from '../client-package/chosen-client.ts';
import { readPublished } from '../log/published-log.ts';
import { signersFrom } from '../log/log-files.ts';
import type { GenerateOptions } from '../pipeline/pipeline.ts';
import type { Progress } from '../pipeline/progress.ts';
import {
  formatDifference,
  formatProblem,
  formatSummary,
  remedyOf,
  reportJson,
  type Report,
} from '../pipeline/report.ts';
import { reporting } from '../run-report.ts';
import { openProgress, tell } from '../serve/parent-process.ts';
import { stateFile } from '../state/files-elsewhere.ts';
import { flag, json, out, repo, text, threads } from './fields.ts';

const UNSIGNED = `warning: The transparency log is not signed: clients cannot notice a host that alters it
hint: make a key with "stackyard-registry log:key" and give it as STACKYARD_LOG_KEY`;

const NEW_LOG = `note: This run begins a transparency log. If the registry is published already, clients will refuse this log:
  run again with --published and its address, so that the log goes on`;

const Input = z.object({
  repo,
  out,
  full: flag(
    'read the whole history, take nothing from earlier runs but what the log decided, and name each document that the same software had made in another way',
  ),
  state: text('file', 'the state file; by default .<name of out>.state.sqlite beside the index'),
  client: z.string().optional().meta({
    description: 'the client that the index serves; by default the one beside this generator',
    placeholder: 'file',
    excludes: 'noClient',
  }),
  noClient: flag('serve no client'),
  noSite: flag('make no pages for people; "site": false in registry.config.json does the same'),
  published: text(
    'place',
    'address or folder where the index is published: this run must continue its log, as it continues that of the index at --out',
  ),
  fromStore: text(
    'target',
    'on a machine without state, take that which "deploy --state" kept in s3://bucket/prefix or file:/folder, and continue the log of that place; files that do not change stay there',
  ),
  unsigned: flag(
    'make the index without the private key of the log, though registry.config.json names its key: for looking and comparing, clients refuse it',
  ),
  threads,
  json,
});
type Input = z.infer<typeof Input>;

export const command = defineCommand({
  description:
    'Brings the static index up to the newest commit of a git repository with a builds/ folder',
  input: Input,
  notes: [
    'Environment: STACKYARD_LOG_KEY is the private key that signs the transparency log ("stackyard-registry log:key" makes one); while a key is replaced, the new one and the old one, each on its line. STACKYARD_OSV is the folder of a dump of OSV (.json files, or the all.zip of npm and PyPI): heads then name packages whose every admitted version has a known fault. AWS_ENDPOINT_URL and AWS_REGION are of the store, beside what else the SDK of AWS reads.',
    'Exit status: 0 done; 1 faults were found (each is printed; what is sound was still written), or the run failed; 2 wrong usage.',
  ],
  examples: ['generate --repo ../registry --out /var/www/registry'],
  run: async (input) => {
    const { progress, end } = openProgress();
    try {
      return await run(input, progress, end);
    } finally {
      end();
    }
  },
});

async function run(input: Input, progress: Progress | undefined, end: () => void): Promise<number> {
  const { generate } = await import('../pipeline/pipeline.ts');
  const started = performance.now();
  progress?.begin('opening the repository');
  const client = chooseClient(input);
  // Awaited where it is needed; an earlier failure is the one to report.
  void client?.catch(() => undefined);
  const signers = signersFrom(process.env['STACKYARD_LOG_KEY']);
  const { state, threads: count } = input;
  const osv = process.env['STACKYARD_OSV'];
  const work = async (): Promise<Report> => {
    const published = await publishedOf(input, signers);
    return generate({
      repo: input.repo,
      out: input.out,
      full: input.full,
      pages: !input.noSite,
      client,
      signers,
      unsigned: input.unsigned,
      ...(published === undefined ? {} : { published }),
      ...(state === undefined ? {} : { state }),
      ...(osv === undefined ? {} : { osv }),
      ...(count === undefined ? {} : { threads: count }),
      ...(progress === undefined ? {} : { progress }),
    });
  };
  const seconds = (): number => (performance.now() - started) / 1000;
  const report = await reporting('generate', input.out, work, (ended) =>
    reportJson(ended, seconds()),
  );
  end();
  tell({ isWritten: true });
  if (report.isUnsigned) console.error(UNSIGNED);
  if (report.isNewLog) console.error(NEW_LOG);
  if (report.unusable > 0) {
    console.error(`warning: Files of the OSV dump that are not OSV entries: ${report.unusable}`);
  }
  for (const problem of report.problems.failing) {
    console.error(`${formatProblem(problem)}\nhint: ${remedyOf(problem)}`);
  }
  for (const path of report.differences) console.error(formatDifference(path));
  for (const problem of report.problems.acknowledged) {
    console.error(`${formatProblem(problem, 'note')} (acknowledged: ${problem.reason})`);
  }
  const summary = formatSummary(report, seconds());
  console.log(input.json ? JSON.stringify(reportJson(report, seconds()), null, 2) : summary);
  return report.problems.failing.length + report.differences.length === 0 ? 0 : 1;
}

/**
 * The log that the run continues. With a store, its state is restored, where there is none on this machine, and the run
 * continues the log of the store.
 */
async function publishedOf(
  { published, fromStore: place, out: index, state: file = stateFile(index) }: Input,
  signers: readonly NoteSigner[],
): Promise<GenerateOptions['published']> {
  const read = published === undefined ? undefined : readPublished(published);
  if (place === undefined) return read;
  const { openStore } = await import('../deploy/open-store.ts');
  const { readFromStore, restoreState } = await import('../state/restore-state.ts');
  const store = openStore(place);
  console.error(`note: ${await restoreState(store, { out: index, file, signers })}`);
  return read ?? readFromStore(store);
}
