/** The command `dev`: serves the site of the working tree, makes it again when files change, and reloads pages. */
import { existsSync, mkdtempSync, rmSync, watch } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import { StackyardError } from '../../format/errors.ts';
import { layoutOf } from '../config.ts';
import { formatError } from '../errors.ts';
import { type ProgressStep, formatStep } from '../pipeline/progress.ts';
import { runGenerator } from '../serve/generator-process.ts';
import { LiveReload, serveIndex } from '../serve/serve-index.ts';
import { WorkingCopy, readPaths } from '../serve/working-copy.ts';
import { port, repo, threads } from './fields.ts';

const DEFAULT_PORT = 4174;
/** Editors write a file several times. */
const QUIET_MS = 80;
const SITE = join(import.meta.dirname, '../site');

export const command = defineCommand({
  description:
    'Serves the site of the files in builds/ as they are, without a commit. A change of builds/, of registry.config.json or of generator/site/ makes it again, and pages in browsers reload. Changed files of a published version are shown as its next patch. The index is in a temporary folder and goes away at the end',
  input: z.object({ repo, port: port(DEFAULT_PORT), threads }),
  examples: ['dev --port 4180'],
  run: async ({ repo: place, port: at, threads: count }) => {
    const folder = mkdtempSync(join(tmpdir(), 'stackyard-dev-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => process.exit(0));
    const copy = new WorkingCopy(place, join(folder, 'repository'));
    const out = join(folder, 'index');
    const options = count === undefined ? [] : ['--threads', String(count)];
    const live = new LiveReload();
    let step: string | undefined = 'starting the generator';
    const server = await serveIndex(out, at, { live, waitingFor: () => step });
    await makeIndex(copy, out, options, (next) => (step = formatStep(next)));
    step = undefined;
    console.log(`Serving the site on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const again = oneAtATime(async () => {
      await makeIndex(copy, out, options);
      live.reload();
    });
    const read = readPaths(layoutOf(place).root).map((path) => join(place, path));
    for (const path of [...read, SITE].filter((one) => existsSync(one))) {
      watch(path, { recursive: true }, (_, name) => {
        if (isSource(name)) again();
      });
    }
    return 0;
  },
});

/** In a process of its own, which has the newest sources. What it finds wrong it prints; the last site stays. */
async function makeIndex(
  copy: WorkingCopy,
  out: string,
  options: readonly string[],
  onStep?: (step: ProgressStep) => void,
): Promise<void> {
  for (const build of copy.update()) console.log(`Changed: ${build}`);
  await runGenerator(['--repo', copy.folder, '--out', out, '--unsigned', ...options], onStep);
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
      await run().catch((error: unknown) => {
        if (!(error instanceof StackyardError)) throw error;
        console.error(formatError(error));
      });
    }
    isRunning = false;
  };
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => void start(), QUIET_MS);
  };
}
