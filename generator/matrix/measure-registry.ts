/** Measures the builds of a registry, the most used first: the index of a repository is made and served for that. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { BuildSummary } from '../../format/index/record.ts';
import { clientPackage } from '../client-package/client-package.ts';
import { GeneratorError } from '../errors.ts';
import { readPublished, type ReadPublished } from '../log/published-log.ts';
import { generate } from '../pipeline/pipeline.ts';
import { serveIndex } from '../serve/serve-index.ts';
import { AvailableVersions } from './available-versions.ts';
import { measureBuild, type Counts } from './measure-build.ts';
import { newestRecord, readSummaries } from './measured-builds.ts';
import { passedVariables } from './run-program.ts';
import { sharedCaches, unpackClient } from './workplace.ts';

export interface MeasureOptions {
  /** Top folder of the repository whose `signals/` are written. */
  readonly repo: string;
  /** Address of the index; without it, that of the repository is made. */
  readonly registry?: string | undefined;
  /** These builds; all that are not yanked when empty. */
  readonly builds: readonly string[];
  readonly cache?: string | undefined;
  /** After these no row is begun. */
  readonly minutes?: number | undefined;
  readonly isDryRun: boolean;
}

interface Measured {
  readonly counts: Counts;
  readonly problems: readonly GeneratorError[];
}

const MINUTE_MS = 60_000;

/** A build that cannot be measured keeps no other from it. @throws {GeneratorError} `ERR_USAGE` for an unknown build */
export async function measureRegistry(options: MeasureOptions): Promise<Measured> {
  // What is measured runs in groups of its own, which end with this process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(130));
  }
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'stackyard-matrix-'));
  let close: (() => void) | undefined;
  try {
    const served = await openRegistry(options, folder);
    close = served.close;
    const read = readPublished(served.registry);
    let known: Promise<BuildSummary[]> | undefined;
    const summaries = (): Promise<BuildSummary[]> => (known ??= readSummaries(read));
    const run = await prepare(options, folder, served.registry, read, summaries);
    const all = options.builds.length > 0 ? [] : await summaries();
    const used = all.filter(({ yanked }) => !yanked).map(({ id }) => id);
    const counts: Counts = { measured: 0, failed: 0, kept: 0, left: 0 };
    const problems: GeneratorError[] = [];
    for (const id of [...options.builds, ...used]) {
      try {
        const record = await newestRecord(read, id);
        if (record !== undefined) await measureBuild(run, record, counts);
      } catch (error) {
        if (!(error instanceof GeneratorError) || error.code === 'ERR_USAGE') throw error;
        problems.push(error);
      }
    }
    return { counts, problems };
  } finally {
    close?.();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openRegistry(
  { registry, repo }: MeasureOptions,
  folder: string,
): Promise<{ readonly registry: string; readonly close?: () => void }> {
  if (registry !== undefined) return { registry: registry.replace(/\/+$/, '') };
  const out = join(folder, 'index');
  await generate({ repo, out, pages: false, unsigned: true });
  const server = await serveIndex(out, 0);
  return {
    registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function prepare(
  { repo, cache: given, minutes, isDryRun }: MeasureOptions,
  folder: string,
  registry: string,
  read: ReadPublished,
  summaries: () => Promise<BuildSummary[]>,
): Promise<Parameters<typeof measureBuild>[0]> {
  const cache = resolve(given ?? join(tmpdir(), 'stackyard-matrix-cache'));
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
  const end = minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + minutes * MINUTE_MS;
  return {
    isDryRun,
    workplace,
    available: new AvailableVersions(workplace),
    registry: { summaries, manifest: async (id) => (await newestRecord(read, id))?.manifest },
    repo: resolve(repo),
    today: new Date().toISOString().slice(0, 10),
    hasTime: () => Date.now() < end,
    note: (line) => console.error(line),
  };
}
