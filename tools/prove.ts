/**
 * Proof of install: every first-party build, installed from this repository's index into a project as users
 * do it, integrated by its own guide, type-checked, tested, and verified as its guide describes. Then the modules
 * alone: with many compilers, and in projects of many kinds.
 *
 *     npm run prove                  on all Node.js versions; writes docs/proofs.md and docs/compatibility.md
 *     npm run prove -- --check       the same, and fails where a page differs instead of writing it
 *     npm run prove -- --node 24     the installs on one version, and writes nothing
 */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { generate } from '../generator/pipeline/pipeline.ts';
import { findFreePort } from './free-port.ts';
import { carryOut } from './prove/carry-out.ts';
import { pathWithNode } from './prove/shell-node.ts';
import { isExpected, readChecks } from './prove/guide.ts';
import { copyTests } from './prove/placed-files.ts';
import { proveCompatibility } from './prove/compatibility.ts';
import type { Compatibility } from './prove/compatibility.ts';
import { nameOf } from './prove/version-name.ts';
import { writePage } from './prove/write-page.ts';
import type { GuideCheck } from './prove/guide.ts';
import { serveIndex } from './serve.ts';

const ROOT = join(import.meta.dirname, '..');
const CLIENT = join(ROOT, 'client/main.ts');
const BUILDS = join(ROOT, 'builds');
const PROOFS = join(ROOT, 'docs/proofs.md');
const COMPATIBILITY = join(ROOT, 'docs/compatibility.md');
const START_TIMEOUT_MS = 30_000;

/** One project: a foundation, and modules in the order in which they are integrated. */
interface Case {
  readonly foundation: string;
  readonly modules: readonly string[];
  /** Node.js versions on which it is proved; the client itself needs 22.14. */
  readonly nodes: readonly string[];
}

const CASES: readonly Case[] = [
  { foundation: 'stackyard/express-api', modules: [], nodes: ['22.12.0', '22.14.0', '24'] },
  { foundation: 'stackyard/express-api', modules: ['stackyard/sqlite'], nodes: ['22.14.0', '24'] },
  {
    foundation: 'stackyard/express-api',
    modules: ['stackyard/sqlite', 'stackyard/account'],
    nodes: ['22.14.0', '24'],
  },
  { foundation: 'stackyard/fastapi-api', modules: [], nodes: ['24'] },
];

interface Proof {
  readonly one: Case;
  readonly node: string;
  readonly lines: readonly string[];
  readonly failures: readonly string[];
}

const { values } = parseArgs({
  options: { node: { type: 'string' }, check: { type: 'boolean', default: false } },
});
process.exitCode = await prove(values.node, values.check);

async function prove(node: string | undefined, isCheck: boolean): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-prove-'));
  await generate({ repo: ROOT, out: join(folder, 'index') });
  const server = await serveIndex(join(folder, 'index'), 0);
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proofs: Proof[] = [];
  let compatibility: Compatibility | undefined;
  try {
    for (const one of CASES) {
      for (const version of one.nodes.filter((v) => node === undefined || v === node)) {
        const project = join(folder, `project-${proofs.length}`);
        const proof = await proveCase(one, version, project, nodeFolder(folder, version), registry);
        proofs.push(proof);
        const name = [one.foundation, ...one.modules].join(' + ');
        const result = proof.failures.length === 0 ? 'proved' : 'FAILED';
        console.log(`${result}: ${name} on Node.js ${version}: ${proof.lines.join(', ')}`);
        for (const failure of proof.failures) console.error(`error: ${failure}`);
      }
    }
    if (node === undefined) compatibility = await proveCompatibility(BUILDS, folder, registry);
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
  if (proofs.length === 0) {
    console.error(`error: Nothing is proved on Node.js "${node}"`);
    return 2;
  }
  const hasFailed = proofs.some(({ failures }) => failures.length > 0);
  if (compatibility === undefined) return hasFailed ? 1 : 0;
  const isCurrent = [
    writePage(PROOFS, formatProofs(proofs), isCheck),
    writePage(COMPATIBILITY, compatibility.page, isCheck),
  ].every(Boolean);
  return hasFailed || compatibility.hasFailed || !isCurrent ? 1 : 0;
}

async function proveCase(
  one: Case,
  node: string,
  project: string,
  bin: string,
  registry: string,
): Promise<Proof> {
  const lines: string[] = [];
  const failures: string[] = [];
  const path = `${bin}${delimiter}${process.env['PATH']}`;
  const env = { ...process.env, PATH: path, NO_COLOR: '1', NODE_ENV: 'development' };
  const shell = pathWithNode(join(bin, 'node'), dirname(project));
  const variables = { ...env, PATH: shell, STACKYARD_REGISTRY: registry };
  // The client runs on the Node.js of this program, the project on the one to prove. Not synchronous: the
  // registry is served by this very process.
  const client = async (...args: string[]): Promise<string> => {
    const options = { env: variables, maxBuffer: 1e8 };
    return (await promisify(execFile)(process.execPath, [CLIENT, ...args], options)).stdout;
  };
  const withModules = one.modules.length === 0 ? [] : ['--with', ...one.modules];
  await client('new', one.foundation, project, ...withModules, '--quiet');
  for (const id of one.modules) carryOut(project, id, await client('info', id, '--integration'));

  const port = await findFreePort();
  const running: ChildProcess[] = [];
  const run = (command: string): string | undefined => {
    const options = { cwd: project, env, encoding: 'utf8', shell: true } as const;
    const { status, stdout, stderr } = spawnSync(withPort(command, port), options);
    if (status === 0) return stdout;
    failures.push(
      `"${command}" ended with status ${status}: ${(stdout + stderr).trim().slice(-2000)}`,
    );
    return undefined;
  };
  const check = async (id: string, checks: readonly GuideCheck[]): Promise<void> => {
    for (const wanted of checks) {
      const last = wanted.commands.at(-1);
      if (last === undefined) continue;
      for (const command of wanted.commands.slice(0, -1)) {
        if (running.length === 0) running.push(await start(command, project, env, port));
      }
      const output = run(last);
      if (output !== undefined && !isExpected(output, wanted)) {
        failures.push(`"${last}" of ${id} gives ${JSON.stringify(output.slice(0, 500))}`);
      }
    }
    lines.push(`Verify of ${id} (${checks.length})`);
  };
  try {
    if (one.foundation === 'stackyard/express-api') {
      if (run('npm run -s typecheck') !== undefined) lines.push('types');
      const removeTests = addTests(project, one.modules);
      const tests = /Tests\s+(\d+ passed)/.exec(run('npm test') ?? '')?.[1];
      if (tests !== undefined) lines.push(`tests (${tests})`);
      removeTests();
    } else {
      const tests = /(\d+ passed)/.exec(run('.venv/bin/python -m pytest -W error') ?? '')?.[1];
      if (tests !== undefined) lines.push(`tests (${tests})`);
    }
    // With modules the foundation has more tests than its own guide counts.
    if (one.modules.length === 0) {
      await check(
        one.foundation,
        readChecks(await client('info', one.foundation, '--integration')),
      );
    } else {
      run('npm run -s build');
      running.push(await start('node dist/server.js', project, env, port));
    }
    for (const id of one.modules)
      await check(id, readChecks(await client('info', id, '--integration')));
  } finally {
    for (const child of running) stop(child);
  }
  return { one, node, lines, failures };
}

/**
 * Puts the tests of the modules, which are not installed, and the packages that only they need into the project.
 * Returns what takes them out again.
 */
function addTests(project: string, modules: readonly string[]): () => void {
  const added = modules.flatMap((id) => {
    const folder = join(project, 'src', id.slice(id.indexOf('/') + 1));
    return copyTests(join(BUILDS, id), folder).map((path) => join(folder, path));
  });
  if (added.length > 0) {
    const text = readFileSync(join(ROOT, 'package.json'), 'utf8');
    const { devDependencies } = JSON.parse(text) as { devDependencies: Record<string, string> };
    const packages = ['fast-check', 'jose'].map((name) => `${name}@${devDependencies[name]}`);
    const args = ['install', '--no-save', '--no-audit', '--no-fund', ...packages];
    execFileSync('npm', args, { cwd: project, stdio: 'pipe' });
  }
  return () => {
    for (const path of added) rmSync(path);
  };
}

/** Starts a server in a group of its own and waits until it listens. */
async function start(
  command: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  port: number,
): Promise<ChildProcess> {
  const options = {
    cwd,
    env: { ...env, PORT: String(port) },
    shell: true,
    detached: true,
  } as const;
  const child = spawn(command, { ...options, stdio: 'ignore' });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
    if (answer?.ok === true) return child;
    await sleep(100);
  }
  stop(child);
  throw new Error(`"${command}" did not answer on port ${port}`);
}

function stop({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already exited.
  }
}

/** Guides name the default ports; here a free one is taken. */
function withPort(command: string, port: number): string {
  return command.replace(/(localhost|127\.0\.0\.1):(?:3000|8000)/g, `127.0.0.1:${port}`);
}

/** The folder with the programs of a Node.js version; `24` is the one that runs this. */
function nodeFolder(folder: string, version: string): string {
  if (version === process.versions.node.split('.')[0]) return dirname(process.execPath);
  const home = join(folder, `node-${version}`);
  mkdirSync(home, { recursive: true });
  const manifest = {
    private: true,
    devDependencies: { node: version },
    allowScripts: { node: true },
  };
  writeFileSync(join(home, 'package.json'), JSON.stringify(manifest));
  execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: home, stdio: 'pipe' });
  return join(home, 'node_modules/node/bin');
}

function formatProofs(proofs: readonly Proof[]): string {
  const rows = proofs.map(({ one, node, lines, failures }) => {
    const modules =
      one.modules.length === 0 ? '' : one.modules.map((id) => nameOf(BUILDS, id)).join(', ');
    const result = failures.length === 0 ? 'passed' : `FAILED: ${failures.length}`;
    return `| ${nameOf(BUILDS, one.foundation)} | ${modules} | ${node} | ${lines.join(', ')} | ${result} |`;
  });
  return `# Proofs of install

Written by \`npm run prove\`: each first-party build, installed by the client from this repository's index with real
packages, integrated by the code blocks of its own INTEGRATION.md, then checked by what the last column but one names.
The tests of modules are not installed: they are copied in for this.

| Foundation | Modules | Node.js | What ran | Result |
|---|---|---|---|---|
${rows.join('\n')}
`;
}
