/** The command `matrix`: measures builds with versions of their stack, and writes the rows under `signals/`. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { isBuildId } from '../../format/build/build-id.ts';
import { defineCommand } from '../../format/command/command.ts';
import { clientPackage } from '../client-package/client-package.ts';
import { GeneratorError, formatError } from '../errors.ts';
import { readPublished, type ReadPublished } from '../log/published-log.ts';
import { AvailableVersions, sharedCaches } from '../matrix/available-versions.ts';
import { measureBuild, type Counts } from '../matrix/measure-build.ts';
import { passedVariables } from '../matrix/run-program.ts';
import { generate } from '../pipeline/pipeline.ts';
import { serveIndex } from '../serve/serve-index.ts';
import { flag, json, repo, text, texts, whole } from './fields.ts';
import { readTarball } from '../../format/archive/tarball.ts';
import { writeWhole } from '../write-whole.ts';
import {
  CATALOG_PATH,
  recordPath,
  shardPath,
  versionRecordPath,
} from '../../format/index/layout.ts';
import {
  Catalog,
  CatalogShard,
  PackageRecord,
  type BuildSummary,
} from '../../format/index/record.ts';
import { parseDocument } from '../../format/document/document.ts';
import { compareVersions, isPrerelease } from '../../format/version/semver-range.ts';

/** The client as users get it: the package that indexes serve, unpacked. */
const PROGRAM = 'dist/stackyard.mjs';

/** Absolute path of the program. @param bytes the package */
function unpackClient(
  { bytes, integrity }: { readonly bytes: Uint8Array; readonly integrity: string },
  cache: string,
): string {
  const name = integrity.replaceAll(/[^a-zA-Z0-9]/g, '').slice(0, 40);
  const folder = join(cache, `client-${name}`);
  const file = join(folder, PROGRAM);
  if (existsSync(file)) return file;
  const entries = readTarball(bytes).filter(({ path }) => path.startsWith('dist/'));
  // The program last: where it is, the others are.
  entries.sort((a, b) => Number(a.path === PROGRAM) - Number(b.path === PROGRAM));
  if (entries.at(-1)?.path !== PROGRAM) {
    throw new GeneratorError('ERR_CLIENT_PACKAGE', `The client has no file "${PROGRAM}"`, {
      hint: 'build the client again',
    });
  }
  for (const { path, bytes: content } of entries) {
    writeWhole(join(folder, path), new TextDecoder().decode(content));
  }
  return file;
}

const MAX_COUNT = 999_999;
const MINUTE_MS = 60_000;

const Input = z.object({
  build: z.array(z.string().refine(isBuildId, 'it must be <owner>/<name>')).default([]).meta({
    description: 'this build, which may be repeated; by default the most used ones',
    placeholder: 'id',
  }),
  limit: whole(1, MAX_COUNT).default(20).meta({
    description: 'how many of the most used builds',
    placeholder: 'count',
  }),
  newest: whole(1, MAX_COUNT).default(1).meta({
    description: 'how many of the newest versions of a build',
    placeholder: 'count',
  }),
  tag: texts('tag', 'only this stack tag or package, which may be repeated'),
  minutes: whole(0, MAX_COUNT)
    .optional()
    .meta({ description: 'begin no row after this many minutes', placeholder: 'count' }),
  dryRun: flag('print what would be measured'),
  registry: z
    .string()
    .regex(/^https?:\/\/./, 'it must be an address with https')
    .optional()
    .meta({
      description:
        'a registry that is served; by default the index of the repository, served for this run',
      placeholder: 'url',
    }),
  repo: repo.meta({
    description: 'the repository whose signals/ are written',
    placeholder: 'dir',
  }),
  cache: text(
    'dir',
    'packages and runtimes, for all projects; by default a folder below the temporary one',
  ),
  json,
});
type Input = z.infer<typeof Input>;

export const command = defineCommand({
  description:
    'Measures with which versions of its stack tags and packages a build works, and writes signals/<owner>/<name>.matrix.json. Of each range: the lowest version that it admits, the newest of each major, the newest; of a range without a lower end, such as "*", the newest of the four newest majors. One varies, the others are the newest; what fails is tried with the lowest of the others. Each is a new project: the build is added, packages are installed, types are checked, the code is loaded, and the commands under Verify of the guide are run',
  input: Input,
  notes: [
    'IT RUNS CODE OF BUILDS AND OF PACKAGES: run it where nothing can be taken, such as a CI job without secrets.',
    'Exit status: 0 done, whatever was found; 1 something could not be measured; 2 wrong usage. Every row is written as soon as it is measured: a run that is killed loses one.',
  ],
  examples: ['matrix --build stackyard/sqlite --newest 2'],
  run: async (input) => {
    // What is measured runs in groups of its own, which end with this process.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => process.exit(130));
    }
    const folder = mkdtempSync(join(realpathSync(tmpdir()), 'stackyard-matrix-'));
    let close: (() => void) | undefined;
    try {
      const served = await openRegistry(input, folder);
      close = served.close;
      const { counts, problems } = await measureAll(input, folder, served.registry);
      for (const error of problems) console.error(formatError(error));
      const { measured, failed, kept, left } = counts;
      const unmeasured = input.dryRun ? 'to be measured' : 'left for the next run';
      const text = `rows: ${measured} measured, of which ${failed} failed; ${kept} kept, ${left} ${unmeasured}`;
      console.log(input.json ? JSON.stringify({ ok: problems.length === 0, ...counts }) : text);
      return problems.length === 0 ? 0 : 1;
    } finally {
      close?.();
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

interface Served {
  /** Its address. */
  readonly registry: string;
  readonly close: () => void;
}

async function openRegistry({ registry, repo: place }: Input, folder: string): Promise<Served> {
  if (registry !== undefined) return { registry: registry.replace(/\/+$/, ''), close: () => {} };
  const out = join(folder, 'index');
  await generate({ repo: place, out, pages: false, unsigned: true });
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
async function measureAll(options: Input, folder: string, registry: string): Promise<Measured> {
  const read = readPublished(registry);
  const run = await prepare(options, folder, registry, read);
  const ids = options.build.length > 0 ? options.build : await usedBuilds(read, options.limit);
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
  options: Input,
  folder: string,
  registry: string,
  read: ReadPublished,
): Promise<Parameters<typeof measureBuild>[0]> {
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
  let summaries: Promise<BuildSummary[]> | undefined;
  return {
    tags: options.tag,
    isDryRun: options.dryRun,
    workplace,
    available: new AvailableVersions(workplace),
    registry: {
      summaries: () => (summaries ??= readSummaries(read)),
      manifest: async (id) => (await newestRecords(read, id, 1))[0]?.manifest,
    },
    repo: resolve(options.repo),
    today: new Date().toISOString().slice(0, 10),
    hasTime: () => Date.now() < end,
    note: (line) => console.error(line),
  };
}

/** Ids of the first `limit`; builds of which every version is yanked are not used. */
export async function usedBuilds(read: ReadPublished, limit: number): Promise<string[]> {
  const builds = await readSummaries(read);
  return builds
    .filter(({ yanked }) => !yanked)
    .slice(0, limit)
    .map(({ id }) => id);
}

/** The most used ones first. */
async function readSummaries(read: ReadPublished): Promise<BuildSummary[]> {
  const { shards } = parseDocument(Catalog, await need(read, CATALOG_PATH), CATALOG_PATH);
  const builds: BuildSummary[] = [];
  for (const { sha256 } of shards) {
    const path = shardPath(sha256);
    builds.push(...parseDocument(CatalogShard, await need(read, path), path).builds);
  }
  return builds.sort(byUse);
}

/**
 * The records of the newest versions of a build that are neither yanked nor prereleases.
 * @throws {GeneratorError} `ERR_USAGE` for a build that the index does not have
 */
export async function newestRecords(
  read: ReadPublished,
  id: string,
  count: number,
): Promise<PackageRecord[]> {
  const path = recordPath(id);
  const bytes = await read(path);
  if (bytes === undefined) {
    throw new GeneratorError('ERR_USAGE', `The registry has no build "${id}"`, {
      hint: 'give the id of a published build, such as alice/web',
    });
  }
  const versions = parseDocument(PackageRecord, bytes, path)
    .versions.filter(({ version, yanked }) => !yanked && !isPrerelease(version))
    .map(({ version }) => version)
    .sort((a, b) => compareVersions(b, a));
  const records: PackageRecord[] = [];
  for (const version of versions.slice(0, count)) {
    const place = versionRecordPath(id, version);
    records.push(parseDocument(PackageRecord, await need(read, place), place));
  }
  return records;
}

function byUse(a: BuildSummary, b: BuildSummary): number {
  const reports = ({ agent_reports: of }: BuildSummary): number => of.success + of.failure;
  return b.downloads - a.downloads || reports(b) - reports(a) || (a.id < b.id ? -1 : 1);
}

async function need(read: ReadPublished, path: string): Promise<Uint8Array> {
  const bytes = await read(path);
  if (bytes !== undefined) return bytes;
  throw new GeneratorError('ERR_INDEX', `The index has no "${path}"`, {
    hint: 'check that the address is that of a Stackyard index',
  });
}
