/**
 * Measures how long the built client takes, as a whole process, compared with other tools that copy files:
 *
 *     npm run bench:client -- [--rounds N] [--tiny]
 *
 * `add` of a build of 20 files from a server on this machine, against `shadcn add` of an item with the
 * same files from the same server, and giget of the same tarball; each into a new empty project, with an
 * empty cache of its own and with a filled one. Then `--help` compared with `node -e 0`, by elapsed time and by
 * processor time, which other work on the machine affects less. None of them installs packages. Rounds
 * are interleaved. Prints medians, and ratios of medians, as Markdown. `--tiny`: one round, without the other tools.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { noteSigner } from '../format/log/note-key.ts';
import { generate } from '../generator/pipeline/pipeline.ts';
import { buildClient } from '../tools/build.ts';
import { serveIndex } from '../generator/serve/serve-index.ts';
import { commitFiles, OWNER } from './made-repository.ts';
import { median } from './figures.ts';

const PEERS = { shadcn: '4.23.0', giget: '3.3.1' };
const FILES = 20;
const LINES = 120;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, tiny: { type: 'boolean', default: false } },
});
const rounds = values.tiny ? 1 : Number(values.rounds);
const folder = mkdtempSync(join(tmpdir(), 'stackyard-bench-client-'));

interface Contender {
  readonly name: string;
  /** Program file and arguments; `placed` is the folder below the project that receives the files. */
  readonly args: (project: string) => readonly string[];
  readonly placed: string;
}

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const files = makeFiles();
  const index = await makeIndex(files);
  const server = await serveIndex(index, 0);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (!values.tiny) installPeers();
  await buildClient(join(folder, 'client'));
  const client = join(folder, 'client/stackyard.mjs');
  const own = stackyardAt(origin, client);
  const contenders = values.tiny ? [own] : [own, ...peersAt(origin)];

  const times = new Map<string, number[]>();
  const note = (name: string, ms: number): void =>
    void times.set(name, [...(times.get(name) ?? []), ms]);
  if (!values.tiny)
    for (const contender of contenders) await measure(contender, files, newFolder());
  const warm = new Map(contenders.map(({ name }) => [name, newFolder()]));
  for (const contender of contenders) await measure(contender, files, warm.get(contender.name)!);
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of contenders) {
      const { name } = contender;
      note(`${name}, cold`, await measure(contender, files, newFolder()));
      note(`${name}, warm`, await measure(contender, files, warm.get(name)!));
    }
    for (const [name, args] of [
      ['node -e 0', ['-e', '0']],
      ['stackyard --help', [client, '--help']],
    ] as const) {
      note(name, (await run(args, folder, {})).ms);
      note(`${name}, processor`, processorTime(args));
    }
  }
  server.closeAllConnections();
  server.close();
  print(times);
}

function stackyardAt(origin: string, client: string): Contender {
  const options = ['--registry', origin, '--no-install'];
  return {
    name: 'stackyard add',
    args: (project) => [client, 'add', 'bench/kit', '-C', project, ...options],
    placed: 'src/kit',
  };
}

function peersAt(origin: string): Contender[] {
  const bin = (name: string): string => {
    const home = join(folder, 'peers/node_modules', name);
    const { bin: bins } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
      bin: string | Record<string, string>;
    };
    return join(home, typeof bins === 'string' ? bins : bins[name]!);
  };
  return [
    {
      name: 'shadcn add',
      args: (project) => [bin('shadcn'), 'add', `${origin}/kit.json`, '--yes', '--cwd', project],
      placed: 'src/kit',
    },
    {
      name: 'giget',
      args: (project) => [
        bin('giget'),
        `${origin}/builds/bench/kit/1.0.0.tgz`,
        join(project, 'src/kit'),
      ],
      placed: 'src/kit',
    },
  ];
}

/** One run into a new project; also checks that every file is there. */
async function measure(
  contender: Contender,
  files: ReadonlyMap<string, string>,
  home: string,
): Promise<number> {
  const project = newFolder();
  writeFileSync(join(project, 'package.json'), '{\n  "name": "app"\n}\n');
  const caches = {
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_STATE_HOME: join(home, 'state'),
  };
  const { ms, output } = await run(contender.args(project), project, caches);
  for (const [path, text] of files) {
    const place = join(project, contender.placed, path);
    let found: string | undefined;
    try {
      found = readFileSync(place, 'utf8');
    } catch {
      found = undefined;
    }
    if (found !== text) throw new Error(`${contender.name} did not place ${path}: ${output}`);
  }
  rmSync(project, { recursive: true });
  return ms;
}

async function run(
  args: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>>,
): Promise<{ ms: number; output: string }> {
  const env = { PATH: process.env['PATH'] ?? '', NO_COLOR: '1', ...variables };
  const started = performance.now();
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const [status] = (await once(child, 'close')) as [number | null];
  const ms = performance.now() - started;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${output}`);
  return { ms, output };
}

/** Milliseconds of processor time of a run, which the process writes to a file when it ends. */
function processorTime(args: readonly string[]): number {
  const measured = join(folder, 'processor-time');
  const hook = join(folder, 'write-processor-time.cjs');
  writeFileSync(
    hook,
    `process.on('exit', () => {
       const { userCPUTime, systemCPUTime } = process.resourceUsage();
       require('node:fs').writeFileSync(${JSON.stringify(measured)}, String(userCPUTime + systemCPUTime));
     });`,
  );
  execFileSync(process.execPath, ['--require', hook, ...args], { cwd: folder, stdio: 'ignore' });
  return Number(readFileSync(measured, 'utf8')) / 1000;
}

function makeFiles(): Map<string, string> {
  const files = new Map<string, string>();
  for (let at = 0; at < FILES; at += 1) {
    const lines = Array.from(
      { length: LINES },
      (_, n) => `export const value${at}x${n} = ${at * n};`,
    );
    files.set(`part-${String(at).padStart(2, '0')}.ts`, `${lines.join('\n')}\n`);
  }
  return files;
}

/** An index with the build, and the same files as an item of the other registry's form. */
async function makeIndex(files: ReadonlyMap<string, string>): Promise<string> {
  const repository = join(folder, 'repository');
  const kit = join(repository, 'builds/bench/kit');
  mkdirSync(kit, { recursive: true });
  for (const [path, text] of files) writeFileSync(join(kit, path), text);
  const common = { name: 'kit', version: '1.0.0', kind: 'module', license: 'MIT' };
  const manifest = { ...common, description: 'For the bench', base: 'src/kit', files: ['*.ts'] };
  writeFileSync(join(kit, 'stackyard.json'), JSON.stringify(manifest));
  cpSync(join(import.meta.dirname, '../LICENSE'), join(kit, 'LICENSE'));
  writeFileSync(join(kit, '../owner.json'), OWNER);
  commitFiles(repository);
  const index = join(folder, 'index');
  const signers = [noteSigner('localhost/log', 'note', new Uint8Array(32).fill(7))];
  await generate({ repo: repository, out: index, threads: 1, pages: false, signers });
  const item = {
    name: 'kit',
    type: 'registry:item',
    files: [...files].map(([path, content]) => ({
      path,
      content,
      type: 'registry:file',
      target: `~/src/kit/${path}`,
    })),
  };
  writeFileSync(join(index, 'kit.json'), JSON.stringify(item));
  return index;
}

function installPeers(): void {
  const peers = join(folder, 'peers');
  mkdirSync(peers);
  writeFileSync(
    join(peers, 'package.json'),
    JSON.stringify({ private: true, dependencies: PEERS }),
  );
  const env = {
    ...process.env,
    PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
  };
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', ['install', ...flags], { cwd: peers, env, stdio: 'pipe' });
}

function newFolder(): string {
  return mkdtempSync(join(folder, 'run-'));
}

function print(times: ReadonlyMap<string, readonly number[]>): void {
  const middle = (name: string): number => median(times.get(name)!);
  const [{ model } = { model: 'unknown' }] = cpus();
  console.log(`Node.js ${process.versions.node}, ${availableParallelism()} processors (${model})`);
  console.log(`${rounds} rounds, ${FILES} files\n`);
  console.log('| Whole process | Median ms | Fastest | Slowest |\n| --- | ---: | ---: | ---: |');
  for (const [name, all] of times) {
    const row = [middle(name), Math.min(...all), Math.max(...all)].map((ms) => ms.toFixed(0));
    console.log(`| ${name} | ${row.join(' | ')} |`);
  }
  const over = (suffix: string): string =>
    (middle(`stackyard --help${suffix}`) - middle(`node -e 0${suffix}`)).toFixed(0);
  console.log(
    `--help over node -e 0: ${over('')} ms, ${over(', processor')} ms of processor time (target: at most 60)`,
  );
  if (values.tiny) return;
  const ratio = (a: string, b: string): string => (middle(a) / middle(b)).toFixed(2);
  console.log(
    `\nstackyard add to shadcn ${PEERS.shadcn} add: cold ${ratio('stackyard add, cold', 'shadcn add, cold')}, warm ${ratio('stackyard add, warm', 'shadcn add, warm')} (target: at most 0.50)`,
  );
  console.log(
    `stackyard add to giget ${PEERS.giget}: cold ${ratio('stackyard add, cold', 'giget, cold')}, warm ${ratio('stackyard add, warm', 'giget, warm')}`,
  );
}
