/** The command `generate`: arguments in, index, report and exit status out. The only catch. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { clientPackageLater } from '../../client-package/client-package.ts';
import { readClientPackage } from '../../client-package/read-client-package.ts';
import type { ClientPackage } from '../../client-package/read-client-package.ts';
import type { NoteSigner } from '../../../format/log/note-key.ts';
import { readPublished } from '../../log/read-published.ts';
import { signersFrom } from '../../log/sign-log.ts';
import { MAX_SCAN_SECONDS } from '../../../examine/within-time.ts';
import { parseScanSeconds, usageError } from '../../errors.ts';
import { stateFile } from '../../state/state-file.ts';
import type { GenerateOptions } from '../../pipeline/pipeline.ts';
import { progressLine, progressTo } from '../../pipeline/progress.ts';
import type { Progress, Step } from '../../pipeline/progress.ts';
import {
  formatDifference,
  formatProblem,
  formatSummary,
  reportJson,
} from '../../pipeline/report.ts';
import { LISTENS } from '../../serve/generator-process.ts';
import type { GeneratorMessage } from '../../serve/generator-process.ts';
import { parseOrRefuse, reportError } from './report-error.ts';

const usage = usageError('npm run generate -- --help');

const USAGE = `Usage: npm run generate -- [--repo DIR] [--out DIR] [--full] [--json]

Brings the static index up to the newest commit of a git repository with a builds/ folder.

  --repo DIR      the repository (default: this folder)
  --out DIR       the index (default: index)
  --full          read the whole history, take nothing from earlier runs but what the log decided, and name each document
                  that the same software had made in another way
  --state FILE    the state file (default: .<name of out>.state.sqlite beside the index)
  --client FILE   the client that the index serves (default: the one beside this generator)
  --no-client     serve no client
  --no-site       make no pages for people; "site": false in registry.config.json does the same
  --published AT  address or folder where the index is published: this run must continue its log, as it
                  continues that of the index at --out
  --from-store TARGET  on a machine without state, take that which "deploy --state" kept in s3://bucket/prefix or
                  file:/folder, and continue the log of that place; files that do not change stay there
  --endpoint URL, --region NAME  of that store, as for deploy
  --osv FOLDER    a dump of OSV (.json files, or the all.zip of npm and PyPI): heads then name packages whose
                  every admitted version has a known fault
  --threads N     threads for examining builds (default: one per core)
  --scan-seconds N  processor time that the scan of one build may take (default: ${MAX_SCAN_SECONDS})
  --json          print the report as JSON on standard output
  --help          print this

Environment: STACKYARD_LOG_KEY  the private key that signs the transparency log ("npm run log:key" makes one);
while a key is replaced, the new one and the old one, each on its line

Exit status: 0 done; 1 faults were found (each is printed; what is sound was still written, except
a changed published version, after which nothing is written), or the run failed; 2 wrong usage.

Example: npm run generate -- --repo ../registry --out /var/www/registry
`;

const UNSIGNED = `warning: The transparency log is not signed: clients cannot notice a host that alters it
hint: make a key with "npm run log:key" and give it as STACKYARD_LOG_KEY`;

const NEW_LOG = `note: This run begins a transparency log. If the registry is published already, clients will refuse this log:
  run again with --published and its address, so that the log goes on`;

export async function main(argv: readonly string[]): Promise<number> {
  const { progress, end } = openProgress();
  try {
    const { options, json, choice, storeOptions } = parseOptions(argv);
    if (options === undefined) {
      process.stdout.write(USAGE);
      return 0;
    }
    const { generate } = await import('../../pipeline/pipeline.ts');
    // With one thread, this one examines builds: what it needs for that is loaded before the run is measured.
    if (options.threads === 1) await import('../../pipeline/job.ts');
    const started = performance.now();
    progress?.begin('opening the repository');
    const client = chooseClient(choice);
    // Awaited where it is needed; an earlier failure is the one to report.
    void client?.catch(() => undefined);
    const signers = signersFrom(process.env['STACKYARD_LOG_KEY']);
    const stored = storeOptions === undefined ? {} : await restored(options, storeOptions, signers);
    const work = { ...options, ...stored, client, signers };
    const report = await generate(progress === undefined ? work : { ...work, progress });
    end();
    tell({ isWritten: !report.isViolated });
    const seconds = (performance.now() - started) / 1000;
    if (report.isUnsigned) console.error(UNSIGNED);
    if (report.isNewLog) console.error(NEW_LOG);
    if (report.unusable > 0) {
      console.error(`warning: Files of the OSV dump that are no OSV entries: ${report.unusable}`);
    }
    for (const problem of report.problems.failing) console.error(formatProblem(problem));
    for (const path of report.differences) console.error(formatDifference(path));
    for (const problem of report.problems.acknowledged) {
      console.error(`${formatProblem(problem, 'note')} (acknowledged: ${problem.reason})`);
    }
    if (report.isViolated) {
      console.error('error: Nothing was written: a published version never changes');
      console.error(
        'hint: restore the published content and publish the change as a new version; a commit that must stay is listed under "acknowledged" in registry.config.json',
      );
    }
    const summary = formatSummary(report, seconds);
    console.log(json ? JSON.stringify(reportJson(report, seconds), null, 2) : summary);
    return report.problems.failing.length + report.differences.length === 0 ? 0 : 1;
  } catch (error) {
    end();
    return reportError(error);
  }
}

/** To the process that serves the index, where that started this one; this one ends with it. */
function tell(message: GeneratorMessage): void {
  if (isHeard() && process.connected) process.send?.(message);
}

function isHeard(): boolean {
  return process.send !== undefined && process.env[LISTENS] === '1';
}

/** Steps go to that process, or to a terminal. */
function openProgress(): { progress?: Progress; end: () => void } {
  if (isHeard()) {
    process.once('disconnect', () => process.exit(1));
    process.channel?.unref();
    const send = (step: Step): void => tell({ step });
    return { progress: progressTo(send, Date.now), end: () => {} };
  }
  if (!process.stderr.isTTY) return { end: () => {} };
  const line = progressLine((text) => void process.stderr.write(text));
  return { progress: progressTo(line.show, Date.now), end: line.end };
}

interface StoreChoice {
  readonly place: string;
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
}

/** Restores the state from a store, where there is none on this machine; the run continues the log of the store. */
async function restored(
  { out, state = stateFile(out), published }: GenerateOptions,
  { place, ...options }: StoreChoice,
  signers: readonly NoteSigner[],
): Promise<Pick<GenerateOptions, 'published'>> {
  const { openStore } = await import('../../deploy/open-store.ts');
  const { readFromStore, restoreState } = await import('../../deploy/restore-state.ts');
  const store = openStore(place, options);
  console.error(`note: ${await restoreState(store, { out, file: state, signers })}`);
  return { published: published ?? readFromStore(store) };
}

/** A file, no client, or by default the one beside the generator. */
type ClientChoice = { readonly file?: string | undefined; readonly isNone: boolean };

/** @returns nothing for an index without a client */
function chooseClient({
  file,
  isNone,
}: ClientChoice): Promise<ClientPackage | undefined> | undefined {
  if (isNone) return undefined;
  if (file !== undefined) {
    return Promise.resolve(readClientPackage(readGiven(file), file));
  }
  const client = clientPackageLater();
  if (client === undefined) {
    console.error(
      'note: The index serves no client: this generator has none; give one with --client',
    );
  }
  return client;
}

function readGiven(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch {
    throw usage(`Option --client is "${file}": there is no such file`);
  }
}

function parseOptions(argv: readonly string[]): {
  options?: GenerateOptions;
  json: boolean;
  choice: ClientChoice;
  storeOptions?: StoreChoice | undefined;
} {
  const values = parseValues(argv);
  const choice = { file: values.client, isNone: values['no-client'] === true };
  if (choice.isNone && choice.file !== undefined) {
    throw usage('Options --client and --no-client exclude each other');
  }
  if (values.help === true) return { json: false, choice };
  const { repo = '.', out = 'index', full = false, state, published, osv } = values;
  const threads = values.threads === undefined ? undefined : Number(values.threads);
  if (threads !== undefined && !(Number.isInteger(threads) && threads >= 1 && threads <= 64)) {
    throw usage(`Option --threads is "${values.threads}": it must be a number from 1 to 64`);
  }
  const options: GenerateOptions = {
    repo,
    out,
    full,
    pages: values['no-site'] !== true,
    ...(state === undefined ? {} : { state }),
    ...(published === undefined ? {} : { published: readPublished(published) }),
    ...(osv === undefined ? {} : { osv }),
    ...(threads === undefined ? {} : { threads }),
    scanSeconds: parseScanSeconds(values['scan-seconds'], usage),
  };
  const { 'from-store': place, endpoint, region } = values;
  if (place === undefined && (endpoint ?? region) !== undefined) {
    throw usage('Options --endpoint and --region are those of --from-store');
  }
  const storeOptions = place === undefined ? undefined : { place, endpoint, region };
  return { options, json: values.json ?? false, choice, storeOptions };
}

function parseValues(argv: readonly string[]) {
  return parseOrRefuse(
    () =>
      parseArgs({
        args: [...argv],
        options: {
          repo: { type: 'string' },
          out: { type: 'string' },
          full: { type: 'boolean' },
          state: { type: 'string' },
          client: { type: 'string' },
          published: { type: 'string' },
          'from-store': { type: 'string' },
          endpoint: { type: 'string' },
          region: { type: 'string' },
          osv: { type: 'string' },
          'no-client': { type: 'boolean' },
          'no-site': { type: 'boolean' },
          threads: { type: 'string' },
          'scan-seconds': { type: 'string' },
          json: { type: 'boolean' },
          help: { type: 'boolean', short: 'h' },
        },
      }).values,
    usage,
  );
}
