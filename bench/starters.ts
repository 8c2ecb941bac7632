/**
 * Compares each starter with the bare framework that it is made of: requests per second and processor time per request.
 *
 *     npm run bench:starters                     all starters
 *     npm run bench:starters -- --only express-api --rounds 30 --seconds 2 --connections 50
 *     npm run bench:starters -- --tiny           one short round of express-api, to show that it runs
 *
 * A starter is installed as users do it: by `stackyard new` from an index of the commit `HEAD`, with its packages. It runs in
 * production mode with its log on, which goes nowhere. The bare server runs on the same packages. Rounds of autocannon
 * alternate, and the ratio is the median over pairs of neighbours, because other work on the machine affects both
 * halves of a pair alike. Prints one line for each path; exits with status 1 when a starter takes more processor time than it may.
 */
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { generate } from '../generator/pipeline/pipeline.ts';
import { findFreePort } from '../tools/free-port.ts';
import { pathWith } from '../generator/matrix/runtimes.ts';
import { serveIndex } from '../generator/serve/serve-index.ts';
import { readCpuSeconds } from './auth-servers.ts';
import { commitFiles, OWNER } from './made-repository.ts';
import { comparePairs, median, readLoadAverage, type Pair } from './figures.ts';

/** `/health` is not logged, `/example` is. */
const PATHS = ['/health', '/example'] as const;

interface Starter {
  readonly build: string;
  readonly bare: string;
  /** The file of the bare server, copied from `bench/peers` into the project. */
  readonly peer: string;
  /** Commands in the project before it starts. */
  readonly prepare: readonly string[];
  readonly start: string;
  readonly startBare: string;
  readonly env: Readonly<Record<string, string>>;
  /** The processor time per request that it may take, of that of the bare server. */
  readonly limits: Readonly<Record<(typeof PATHS)[number], number>>;
}

/** One entry for each starter. */
const STARTERS: readonly Starter[] = [
  {
    build: 'stackyard/express-api',
    bare: 'Express',
    peer: 'bare-express.mjs',
    prepare: ['npm run -s build'],
    start: 'node --enable-source-maps dist/server.js',
    startBare: 'node bare-express.mjs',
    env: { NODE_ENV: 'production' },
    limits: { '/health': 1.05, '/example': 1.4 },
  },
  {
    build: 'stackyard/hono-api',
    bare: 'Hono',
    peer: 'bare-hono.mjs',
    prepare: ['npm run -s build'],
    start: 'node --enable-source-maps dist/server.js',
    startBare: 'node bare-hono.mjs',
    env: { NODE_ENV: 'production' },
    limits: { '/health': 1.5, '/example': 1.8 },
  },
  {
    build: 'stackyard/fastapi-api',
    bare: 'FastAPI under uvicorn',
    peer: 'bare_fastapi.py',
    prepare: [],
    start: '.venv/bin/python -m app',
    // Its own line for each request is off, as that of the bare Express.
    startBare: '.venv/bin/python -m uvicorn bare_fastapi:app --port $PORT --no-access-log',
    env: {},
    limits: { '/health': 2.5, '/example': 2.5 },
  },
];

const ROOT = join(import.meta.dirname, '..');
const AUTOCANNON = 'autocannon@9.0.0';
const START_TIMEOUT_MS = 30_000;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '50' },
    tiny: { type: 'boolean', default: false },
  },
});
const { only, rounds, seconds } = values.tiny
  ? { only: 'express-api', rounds: '1', seconds: '1' }
  : values;
/** They are not counted. */
const WARM_ROUNDS = values.tiny ? 0 : 1;
/** As many requests per second as can be had, or a few. */
const RATE = values.tiny ? ['-R', '50'] : [];
const folder = mkdtempSync(join(tmpdir(), 'stackyard-starters-'));
const runtimes = { node: process.execPath, python: undefined };
const shellPath = pathWith(runtimes, join(folder, 'shell'), process.env['PATH'] ?? '');
const running: ChildProcess[] = [];
try {
  process.exitCode = (await measureAll()) ? 0 : 1;
} finally {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

async function measureAll(): Promise<boolean> {
  const started = STARTERS.filter(({ build }) => only === undefined || build.endsWith(only));
  const repo = join(folder, 'repository');
  const archive = join(folder, 'builds.tar');
  const builds = started.map(({ build }) => `builds/${build}`);
  execFileSync('git', ['archive', '-o', archive, 'HEAD', ...builds], { cwd: ROOT });
  mkdirSync(repo);
  execFileSync('tar', ['-xf', archive, '-C', repo]);
  writeFileSync(join(repo, 'builds/stackyard/owner.json'), OWNER);
  commitFiles(repo);
  await generate({ repo, out: join(folder, 'index'), pages: false });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  execFileSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', AUTOCANNON],
    { cwd: folder },
  );
  console.log(
    `${rounds} rounds of ${seconds} s, ${values.connections} connections, load ${readLoadAverage()}`,
  );
  console.log('| Starter | Path | Bare | Starter | Requests | Processor time per request |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  let isReached = true;
  for (const starter of started) isReached = (await measureStarter(starter)) && isReached;
  return isReached;
}

async function measureStarter(starter: Starter): Promise<boolean> {
  const project = join(folder, starter.build.replace('/', '-'));
  await install(starter, project);
  const bare = await startServer(starter.startBare, project, starter.env);
  const own = await startServer(starter.start, project, starter.env);
  let isReached = true;
  for (const path of PATHS) {
    const bareSlices: Pair[] = [];
    const ownSlices: Pair[] = [];
    for (let round = -WARM_ROUNDS; round < Number(rounds); round++) {
      const pair = [
        [bare, bareSlices],
        [own, ownSlices],
      ] as const;
      for (const [server, slices] of round % 2 === 0 ? pair : [...pair].reverse()) {
        const slice = await measure(server, path);
        if (round >= 0) slices.push(slice);
      }
    }
    const { perSecond, cpu } = comparePairs(ownSlices, bareSlices);
    const figures = [bareSlices, ownSlices].map(
      (slices) => `${median(slices.map((s) => s.perSecond)).toFixed(0)}/s`,
    );
    const cells = [
      `\`${starter.build}\`, ${starter.bare}`,
      `\`${path}\``,
      ...figures,
      percent(perSecond),
      `x ${cpu.toFixed(2)}`,
    ];
    console.log(`| ${cells.join(' | ')} |`);
    const limit = starter.limits[path];
    if (cpu > limit && !values.tiny) {
      const text = `takes x ${cpu.toFixed(2)} of ${starter.bare} for ${path}, the limit is x ${limit}`;
      console.error(`error: ${starter.build} ${text}`);
      isReached = false;
    }
  }
  for (const { child } of [bare, own]) child.kill('SIGKILL');
  return isReached;
}

/** Installs the starter by the client of this repository, as users do. */
async function install({ build, peer, prepare }: Starter, project: string): Promise<void> {
  const server = await serveIndex(join(folder, 'index'), 0);
  const { port } = server.address() as AddressInfo;
  const env = { ...environment(), STACKYARD_REGISTRY: `http://127.0.0.1:${port}` };
  const client = join(ROOT, 'client/main.ts');
  const args = [client, 'new', build, project, '--allow', 'all', '--quiet'];
  await promisify(execFile)(process.execPath, args, { env });
  server.closeAllConnections();
  server.close();
  for (const command of prepare)
    execFileSync(command, { cwd: project, env, shell: true, stdio: 'pipe' });
  cpSync(join(import.meta.dirname, 'peers', peer), join(project, peer));
}

interface Server {
  readonly child: ChildProcess;
  readonly origin: string;
}

async function startServer(
  command: string,
  cwd: string,
  variables: Starter['env'],
): Promise<Server> {
  const port = await findFreePort();
  const env = { ...environment(), ...variables, PORT: String(port), HOST: '127.0.0.1' };
  // Not a shell in between: the processor time is that of the server.
  const [program = '', ...args] = command.replace('$PORT', String(port)).split(' ');
  const file = program === 'node' ? process.execPath : join(cwd, program);
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
  running.push(child);
  const origin = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const answer = await fetch(`${origin}/health`).catch(() => undefined);
    if (answer?.ok === true) return { child, origin };
    await sleep(100);
  }
  throw new Error(`"${command}" did not start`);
}

async function measure({ child, origin }: Server, path: string): Promise<Pair> {
  const pid = child.pid ?? 0;
  const program = join(folder, 'node_modules/autocannon/autocannon.js');
  const options = ['--json', '--no-progress', '-c', values.connections, '-d', seconds, ...RATE];
  const before = readCpuSeconds(pid);
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    ...options,
    origin + path,
  ]);
  const cpuSeconds = readCpuSeconds(pid) - before;
  const result = JSON.parse(stdout) as {
    requests: { average: number; total: number };
    non2xx: number;
    errors: number;
  };
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`Requests to ${origin}${path} failed`);
  const { average, total } = result.requests;
  return { perSecond: average, cpuMs: (cpuSeconds * 1000) / total };
}

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: shellPath };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
