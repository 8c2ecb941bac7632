/**
 * Measures a large registry, on a repository that `git fast-import` makes:
 *
 *     npm run bench:scale -- [--builds N] [--versions N] [--files N] [--rounds N] [--folder DIR]
 *
 * Prints a row for each of: a full run (versions per second of processor time, peak memory, number and bytes of files) without pages and with them,
 * which is the default; one publication with pages, from the
 * commit to the emitted files, with the number and bytes of the files that a deployment would upload; the gate for a new version
 * and for a new name; `search` of the built client with a warm cache. Seconds are elapsed, processor time includes git's, and
 * the load of the machine is printed beside: on a busy machine only processor time means something. 100,000 builds with
 * 3 versions take about 20 minutes of processor time, 10 GB and 1.5 million files; use a folder on a disk.
 */
import { mkdtempSync, rmSync, mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { join, dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { execFileSync } from 'node:child_process';
import { serveIndex } from '../generator/serve/serve-index.ts';
import { buildClient } from '../tools/build.ts';
import { makeRepository, publishOne, repositoryOptions } from './made-repository.ts';
import { measureProcess, describeWritten, filesSince } from './measured-process.ts';
import { canonicalJson } from '../format/document/canonical-json.ts';
import { INTERFACE_VERSION } from '../format/index/registry-info.ts';
import { shardBits, writeCatalog } from '../generator/pipeline/shadcn-items.ts';
import { State } from '../generator/state/state.ts';
import { buildFolder, ownerFilePath, TOP } from '../format/registry/repository-layout.ts';

type MeasuredProcess = Awaited<ReturnType<typeof measureProcess>>;

const options = repositoryOptions({ builds: 1_000, versions: 3, files: 4, rounds: 3 });
const { builds, versions, files, rounds } = options;
const folder = mkdtempSync(join(options.folder, 'stackyard-scale-'));
const repository = join(folder, 'repository');
const out = join(folder, 'index');
const GENERATE = join(import.meta.dirname, '../generator/main.ts');

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  await makeRepository(repository, { builds, versions, files });
  const total = builds * versions;
  for (const [what, args] of [
    [', no pages', ['--full', '--no-site']],
    ['', ['--full']],
  ] as const) {
    const full = await generate(args);
    const speed = `${(total / full.processor).toFixed(0)} versions per second of processor time`;
    const size = describeWritten(filesSince(out, 0));
    print(`full run, ${builds} builds x ${versions}${what}`, full, `${speed}; ${size}`);
  }
  for (let round = 0; round < rounds; round += 1) await measurePublication(round);
  const made = { builds, versions, files };
  for await (const { what, measured } of measureGate(repository, made, rounds)) {
    for (const run of measured) print(`gate, ${what}`, run);
  }
  await measureSearch();
}

async function measurePublication(round: number): Promise<void> {
  // In the minute after the last one: after a longer time, reputations of other owners change as well.
  const minute = builds * versions + 1 + round;
  await publishOne(repository, round, versions, files, minute);
  // File systems keep times of some milliseconds.
  await setTimeout(50);
  const started = Date.now();
  const run = await generate([]);
  const note = describeWritten(filesSince(out, started));
  print('one publication', run, note);
}

async function measureSearch(): Promise<void> {
  const index = join(folder, 'catalog');
  makeCatalogShards(index, builds);
  const server = await serveIndex(index, 0);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const dist = join(folder, 'client');
  await buildClient(dist);
  const env = { ...process.env, STACKYARD_CACHE: join(folder, 'cache') };
  const args = [join(dist, 'stackyard.mjs'), 'search', 'sqlite', 'react', '--registry', origin];
  for (let round = 0; round <= rounds; round += 1) {
    const run = await measureProcess([...args, '--json'], env);
    if (run.status !== 0) throw new Error(run.stderr);
    print(round === 0 ? 'search, cold cache' : 'search, warm cache', run);
  }
  server.closeAllConnections();
  server.close();
}

async function generate(args: readonly string[]): Promise<MeasuredProcess> {
  const base = [
    '--max-semi-space-size=8',
    GENERATE,
    'generate',
    '--repo',
    repository,
    '--out',
    out,
  ];
  const run = await measureProcess([...base, '--no-client', '--json', ...args]);
  if (run.status !== 0) throw new Error(run.stderr);
  return run;
}

function print(what: string, run: MeasuredProcess, note = ''): void {
  const { seconds, processor, peakMb } = run;
  const load = `load ${loadavg()[0]!.toFixed(0)}`;
  const figures = `${seconds.toFixed(2)} s, processor ${processor.toFixed(2)} s, ${peakMb.toFixed(0)} MB`;
  console.log([what.padEnd(34), figures, note, load].filter(Boolean).join('  '));
}

/** Makes the part of an index that a search reads: the generator's own shards, of made builds. */
const SUBJECTS =
  'sqlite login queue mail table form cache search upload invoice chart editor map feed auth log'.split(
    ' ',
  );
const USES = 'react vue express hono fastapi plain typed small fast server browser worker'.split(
  ' ',
);

/** Writes the catalog of `builds` builds to the folder `out`. */
function makeCatalogShards(out: string, builds: number): void {
  const file = join(out, '.state.sqlite');
  mkdirSync(out, { recursive: true });
  const state = State.open(file);
  for (let build = 0; build < builds; build += 1) addBuild(state, build);
  writeCatalog(state, new Set(), (path, content) => {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), content);
  });
  state.close();
  rmSync(file);
  const info = {
    name: 'Made',
    interface: INTERFACE_VERSION,
    base_url: '',
    builds,
    versions: builds,
  };
  const more = { source_commit: '0'.repeat(40), log: { origin: 'localhost/log' } };
  writeFileSync(join(out, 'registry.json'), canonicalJson({ ...info, ...more }));
}

function addBuild(state: State, build: number): void {
  const owner = `owner-${Math.floor(build / 4)}`;
  const subject = SUBJECTS[build % SUBJECTS.length]!;
  const use = USES[Math.floor(build / SUBJECTS.length) % USES.length]!;
  const id = `${owner}/${use}-${subject}-${build}`;
  state.setBuild(owner, shardBits(id), {
    id,
    kind: 'module',
    latest: `1.${build % 20}.0`,
    description: `A ${subject} for ${use} projects, with tests and a guide, made for measuring`,
    keywords: [subject, use, 'made'],
    requires: { typescript: '*', [use]: '>=1' },
    provides: [`${subject}-${use}`],
    license: 'MIT',
    risk: 'ok',
    quality: 60 + (build % 40),
    downloads: (build * 7919) % 10_000,
    agent_reports: { success: build % 9, failure: build % 3, success_rate: 0.75 },
    reputation: build % 100,
    updated_at: new Date(1_767_225_600_000 + build * 60_000).toISOString(),
    deprecated: build % 50 === 0,
    yanked: build % 100 === 0,
  });
}

/**
 * Measures the gate on a made repository: a new version of a build, and a new name, which is compared with every other;
 * each without and with filters of changed paths in git's commit-graph.
 */
const GATE = join(import.meta.dirname, '../generator/main.ts');
const ACCOUNT = 7;

interface MeasuredGate {
  readonly what: string;
  /** One for each round. */
  readonly measured: readonly MeasuredProcess[];
}

/** Changes the repository: adds an owner's file, branches, and the filters. */
async function* measureGate(
  repository: string,
  { builds, versions, files }: Parameters<typeof makeRepository>[1],
  rounds: number,
): AsyncGenerator<MeasuredGate> {
  const build = Math.floor(builds / 2);
  const owner = `owner-${Math.floor(build / 4)}`;
  const file = JSON.stringify({ account_id: ACCOUNT });
  commitFiles(repository, 'main', { [ownerFilePath(owner, TOP)]: file });
  const base = git(repository, 'rev-parse', 'main');
  await publishOne(repository, build, versions + 9, files, undefined);
  const update = git(repository, 'rev-parse', 'main');
  git(repository, 'update-ref', 'refs/heads/main', base);
  git(repository, 'update-ref', 'refs/heads/name', base);
  commitFiles(repository, 'name', newBuild(`${owner}/painted-harbours`));
  const name = git(repository, 'rev-parse', 'name');
  for (const graph of ['', ', with filters of paths']) {
    if (graph !== '') git(repository, 'commit-graph', 'write', '--reachable', '--changed-paths');
    for (const [what, head, expected] of [
      ['a new version', update, 'merge'],
      ['a new name', name, 'review'],
    ] as const) {
      const measured: MeasuredProcess[] = [];
      for (let round = 0; round < rounds; round += 1) {
        measured.push(await judge(repository, { base, head, owner }, expected));
      }
      yield { what: `${what}${graph}`, measured };
    }
  }
}

async function judge(
  repository: string,
  { base, head, owner }: { base: string; head: string; owner: string },
  expected: string,
): Promise<MeasuredProcess> {
  const args = ['--repo', repository, '--base', base, '--head', head, '--json'];
  const author = ['--author', owner, '--author-id', String(ACCOUNT)];
  const run = await measureProcess([GATE, 'gate', ...args, ...author]);
  // With another verdict the gate would do other work, and the figure would be wrong.
  const { verdict } = JSON.parse(run.stdout) as { verdict: string };
  if (verdict !== expected) throw new Error(`Verdict ${verdict}, expected ${expected}`);
  return run;
}

/** A whole valid build, so that the gate does all its work. */
function newBuild(id: string): Record<string, string> {
  const folder = buildFolder(id, TOP);
  const manifest = {
    name: id.split('/')[1],
    version: '1.0.0',
    kind: 'module',
    description: 'A new name, for measuring',
    license: 'MIT',
    base: 'src/harbours',
  };
  return {
    [`${folder}/stackyard.json`]: JSON.stringify(manifest),
    [`${folder}/README.md`]: '# Painted harbours\n\nA build for measuring.\n',
    [`${folder}/LICENSE`]: 'MIT License\n',
    [`${folder}/src/harbours.ts`]: 'export const harbours = 1;\n',
  };
}

function commitFiles(
  repository: string,
  branch: string,
  files: Readonly<Record<string, string>>,
): void {
  const seconds = Number(git(repository, 'log', '-1', '--format=%ct', branch)) + 60;
  const head = `commit refs/heads/${branch}\ncommitter Bench <bench@example.org> ${seconds} +0000\n`;
  const contents = Object.entries(files).map(([path, text]) => {
    return `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
  });
  const input = `${head}data 1\nx\nfrom refs/heads/${branch}^0\n${contents.join('')}\n`;
  execFileSync('git', ['fast-import', '--quiet'], { cwd: repository, input });
}

function git(repository: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: repository,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
