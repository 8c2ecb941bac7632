/** The command `matrix`: arguments in, rows under `signals/`, figures and exit status out. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { clientPackage } from '../../client-package/client-package.ts';
import { GeneratorError } from '../../errors.ts';
import { readPublished } from '../../log/read-published.ts';
import { AvailableVersions } from '../../matrix/available-versions.ts';
import { unpackClient } from '../../matrix/client-program.ts';
import { measureBuild } from '../../matrix/measure-build.ts';
import type { Counts, MatrixRun } from '../../matrix/measure-build.ts';
import { passedVariables } from '../../matrix/run-program.ts';
import { newestRecords, usedBuilds } from '../../matrix/used-builds.ts';
import { sharedCaches } from '../../matrix/workplace.ts';
import { generate } from '../../pipeline/pipeline.ts';
import { serveIndex } from '../../serve/serve-index.ts';
import { USAGE, parseMatrixOptions } from './matrix-options.ts';
import type { MatrixOptions } from './matrix-options.ts';
import { reportError } from './report-error.ts';

const MINUTE_MS = 60_000;

export async function main(argv: readonly string[]): Promise<number> {
  // What is measured runs in groups of its own, which end with this process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(130));
  }
  let folder: string | undefined;
  let close: (() => void) | undefined;
  try {
    const options = parseMatrixOptions(argv);
    if (options === undefined) {
      process.stdout.write(USAGE);
      return 0;
    }
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'stackyard-matrix-'));
    const served = await openRegistry(options, folder);
    close = served.close;
    const { counts, problems } = await measureAll(options, folder, served.registry);
    for (const error of problems) reportError(error);
    const { measured, failed, kept, left } = counts;
    const unmeasured = options.isDryRun ? 'to be measured' : 'left for the next run';
    const text = `rows: ${measured} measured, of which ${failed} failed; ${kept} kept, ${left} ${unmeasured}`;
    console.log(options.json ? JSON.stringify({ ok: problems.length === 0, ...counts }) : text);
    return problems.length === 0 ? 0 : 1;
  } catch (error) {
    return reportError(error);
  } finally {
    close?.();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

interface Served {
  /** Its address. */
  readonly registry: string;
  readonly close: () => void;
}

async function openRegistry({ registry, repo }: MatrixOptions, folder: string): Promise<Served> {
  if (registry !== undefined) return { registry, close: () => {} };
  const out = join(folder, 'index');
  await generate({ repo, out, pages: false });
  const server = await serveIndex(out, 0);
  return {
    registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Measured {
  readonly counts: Counts;
  readonly problems: readonly GeneratorError[];
}

/** A build that cannot be measured keeps no other from it. */
async function measureAll(
  options: MatrixOptions,
  folder: string,
  registry: string,
): Promise<Measured> {
  const run = await prepare(options, folder, registry);
  const read = readPublished(registry);
  const ids = options.builds.length > 0 ? options.builds : await usedBuilds(read, options.limit);
  const counts: Counts = { measured: 0, failed: 0, kept: 0, left: 0 };
  const problems: GeneratorError[] = [];
  for (const id of ids) {
    try {
      for (const record of await newestRecords(read, id, options.newest)) {
        await measureBuild(run, record, counts);
      }
    } catch (error) {
      if (!(error instanceof GeneratorError) || error.code === 'ERR_USAGE') throw error;
      problems.push(error);
    }
  }
  return { counts, problems };
}

async function prepare(
  options: MatrixOptions,
  folder: string,
  registry: string,
): Promise<MatrixRun> {
  const cache = resolve(options.cache ?? join(tmpdir(), 'stackyard-matrix-cache'));
  mkdirSync(cache, { recursive: true });
  const client = await clientPackage();
  if (client === undefined) {
    throw new GeneratorError('ERR_CLIENT_PACKAGE', 'This generator has no client', {
      hint: 'run the command where the client is: in the repository of the software, or in its package',
    });
  }
  const workplace = {
    projects: join(folder, 'projects'),
    cache,
    client: unpackClient(client, cache),
    registry,
    env: sharedCaches(passedVariables(process.env), cache),
  };
  const { minutes } = options;
  const end = minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + minutes * MINUTE_MS;
  return {
    ...options,
    workplace,
    available: new AvailableVersions(workplace),
    repo: resolve(options.repo),
    today: new Date().toISOString().slice(0, 10),
    hasTime: () => Date.now() < end,
    note: (line) => console.error(line),
  };
}
