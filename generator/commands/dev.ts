/** The command `dev`: serves the site of the working tree, makes it again when files change, and reloads pages. */
import { existsSync, mkdtempSync, rmSync, watch } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { WorkingCopy } from '../dev/working-copy.ts';
import { usageError } from '../errors.ts';
import { LiveReload } from '../serve/live-reload.ts';
import type { Step } from '../pipeline/progress.ts';
import { formatStep } from '../pipeline/progress.ts';
import { runGenerator } from '../serve/generator-process.ts';
import { serveIndex } from '../serve/serve-index.ts';
import { parsePort } from './main/parse-port.ts';
import { parseOrRefuse, reportError } from './main/report-error.ts';

const usage = usageError('npm run dev -- --help');

const USAGE = `Usage: npm run dev -- [--repo DIR] [--port N] [--threads N]

Serves the site of the files in builds/ as they are, without a commit. A change of builds/, of registry.config.json or of
generator/site/ makes it again, and pages in browsers reload. Changed files of a published version are shown as its next
patch. The index is in a temporary folder and goes away at the end.

  --repo DIR  the repository (default: this folder)
  --port N    the port (default: the variable PORT, or 4174)
  --threads N threads of the generator (default: one per core)
  --help      print this
`;

const DEFAULT_PORT = '4174';
/** Editors write a file several times. */
const QUIET_MS = 80;
const SITE = join(import.meta.dirname, '../site');

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = reportError(error);
}

async function main(argv: readonly string[]): Promise<number> {
  const { repo = '.', port: given, threads, help: isHelp } = parseValues(argv);
  if (isHelp === true) {
    process.stdout.write(USAGE);
    return 0;
  }
  const name = given === undefined ? 'Variable "PORT"' : 'Option --port';
  const port = parsePort(given ?? process.env['PORT'] ?? DEFAULT_PORT, name, usage);
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-dev-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
  const copy = new WorkingCopy(repo, join(folder, 'repository'));
  const out = join(folder, 'index');
  const options = threads === undefined ? [] : ['--threads', threads];
  const live = new LiveReload();
  let step: string | undefined = 'starting the generator';
  const server = await serveIndex(out, port, { live, waitingFor: () => step });
  await makeIndex(copy, out, options, (next) => (step = formatStep(next)));
  step = undefined;
  console.log(`Serving the site on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const again = oneAtATime(async () => {
    await makeIndex(copy, out, options);
    live.reload();
  });
  const read = ['builds', 'signals', 'registry.config.json'].map((path) => join(repo, path));
  for (const path of [...read, SITE].filter((one) => existsSync(one))) {
    watch(path, { recursive: true }, (_, name) => {
      if (isSource(name)) again();
    });
  }
  return 0;
}

/** In a process of its own, which has the newest sources. What it finds wrong it prints; the last site stays. */
async function makeIndex(
  copy: WorkingCopy,
  out: string,
  options: readonly string[],
  onStep?: (step: Step) => void,
): Promise<void> {
  for (const build of copy.update()) console.log(`Changed: ${build}`);
  await runGenerator(['--repo', copy.folder, '--out', out, ...options], onStep);
}

function isSource(name: string | null): boolean {
  return name === null || !/(?:^|\/)node_modules\/|\.test\.ts$|~$/.test(name);
}

/** Calls during a run lead to one more run after it. */
function oneAtATime(run: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  let isWanted = false;
  const start = async (): Promise<void> => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      // A tree that cannot be read at this moment is read at the next change.
      await run().catch(reportError);
    }
    isRunning = false;
  };
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => void start(), QUIET_MS);
  };
}

function parseValues(argv: readonly string[]) {
  return parseOrRefuse(
    () =>
      parseArgs({
        args: [...argv],
        options: {
          threads: { type: 'string' },
          repo: { type: 'string' },
          port: { type: 'string' },
          help: { type: 'boolean', short: 'h' },
        },
      }).values,
    usage,
  );
}
