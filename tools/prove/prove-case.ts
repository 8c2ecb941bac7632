/** Proves one project that is started from a foundation: as a user makes it, by the guides of its builds. */
import { execFile, execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, copyFileSync, readdirSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePort } from '../free-port.ts';
import { differentPaths, readTree } from './prove-trial.ts';
import { openToolbox, type FoundationCase } from './projects.ts';
import { isExpected, readChecks } from '../../format/build/guide-checks.ts';
import { pathWith } from '../../generator/matrix/run-program.ts';
import { selectFiles } from '../../format/build/file-glob.ts';
import type { Manifest } from '../../format/build/manifest.ts';

const ROOT = join(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'client/main.ts');
const BUILDS = join(ROOT, 'builds');
/** The time limit of vitest is too short for some tests on a busy machine. */
const TEST = 'npm test -- --testTimeout 120000';
const START_TIMEOUT_MS = 30_000;

interface FoundationProof {
  readonly one: FoundationCase;
  readonly node: string;
  readonly lines: readonly string[];
  readonly failures: readonly string[];
}

/**
 * @param project a folder that does not exist yet
 * @param bin the folder with the Node.js of the project
 * @param registry the address of an index of this repository
 */
export async function proveCase(
  one: FoundationCase,
  node: string,
  project: string,
  bin: string,
  registry: string,
): Promise<FoundationProof> {
  const lines: string[] = [];
  const failures: string[] = [];
  const PATH = `${bin}${delimiter}${process.env['PATH']}`;
  const tools = one.setUp === undefined ? { ...process.env, PATH } : openToolbox(PATH, true).env;
  const env = { ...tools, NO_COLOR: '1', NODE_ENV: 'development' };
  const runtimes = { node: join(bin, 'node'), python: undefined };
  const shell = pathWith(runtimes, `${project}-shell`, process.env['PATH'] ?? '');
  const variables = { ...env, PATH: shell, STACKYARD_REGISTRY: registry };
  // The client runs on the Node.js of this program, the project on the one to prove. Not synchronous: the
  // registry is served by this very process.
  const client = async (...args: string[]): Promise<string> => {
    const options = { env: variables, maxBuffer: 1e8 };
    return (await promisify(execFile)(process.execPath, [CLIENT, ...args], options)).stdout;
  };
  const withModules = one.modules.length === 0 ? [] : ['--with', ...one.modules];
  const noInstall = one.setUp === undefined ? [] : ['--no-install'];
  await client(
    'new',
    one.foundation,
    project,
    ...withModules,
    ...noInstall,
    '--allow',
    'all',
    '--quiet',
  );

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
  const check = async (
    id: string,
    checks: readonly Parameters<typeof isExpected>[1][],
  ): Promise<void> => {
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
    for (const command of one.setUp ?? []) run(command);
    if (existsSync(join(project, 'package.json'))) {
      if (run('npm run -s typecheck') !== undefined) lines.push('types');
      const removeTests = addTests(project, one.modules);
      const tests = /Tests\s+(\d+ passed)/.exec(run(TEST) ?? '')?.[1];
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
  if (one.modules.length > 0) {
    const paths = await takeOut(one, project, client);
    if (paths.length === 0) lines.push('steps taken out, every byte as before');
    else failures.push(`These files differ after unwire: ${paths.join(', ')}`);
  }
  return { one, node, lines, failures };
}

/** Takes the steps of the modules out. Returns the files that differ from those of a project that never had them. */
async function takeOut(
  { foundation, modules }: FoundationCase,
  project: string,
  client: (...args: string[]) => Promise<string>,
): Promise<string[]> {
  await client('update', '--unwire', ...modules, '-C', project, '--quiet');
  const plain = join(dirname(project), 'plain', basename(project));
  mkdirSync(dirname(plain), { recursive: true });
  const options = ['--no-wire', '--no-install', '--allow', 'all', '--quiet'];
  await client('new', foundation, plain, '--with', ...modules, ...options);
  const written = ['package-lock.json', 'data'];
  return differentPaths(readTree(plain, written), readTree(project, written));
}

/**
 * Puts the tests of the modules, which are not installed, and the packages that only they need into the project.
 * Returns what takes them out again.
 */
function addTests(project: string, modules: readonly string[]): () => void {
  const added = modules.flatMap((id) => {
    const folder = join(project, baseOf(id));
    return copyTests(join(BUILDS, id), folder).map((path) => join(folder, path));
  });
  if (added.length > 0) {
    const text = readFileSync(join(ROOT, 'package.json'), 'utf8');
    type Table = Readonly<Record<string, string>>;
    const own = JSON.parse(text) as { dependencies: Table; devDependencies: Table };
    const versions = { ...own.dependencies, ...own.devDependencies };
    const packages = ['fast-check', 'jose'].map((name) => `${name}@${versions[name]}`);
    const args = ['install', '--no-save', '--no-audit', '--no-fund', ...packages];
    execFileSync('npm', args, { cwd: project, stdio: 'pipe' });
  }
  return () => {
    for (const path of added) rmSync(path);
  };
}

/** The folder of a project that a build is put into. */
function baseOf(id: string): string {
  const text = readFileSync(join(BUILDS, id, 'stackyard.json'), 'utf8');
  return (JSON.parse(text) as { base: string }).base;
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

/** Copies what installing the build at `build` places into `target`. Returns the paths, sorted. */
export function copyPlacedFiles(build: string, target: string): string[] {
  return copy(build, target, placedFiles(build));
}

/** Copies the tests of the build, and what only they import, which are not installed. Returns the paths, sorted. */
function copyTests(build: string, target: string): string[] {
  const placed = new Set(placedFiles(build));
  const own = filesIn(build).filter((path) => path.endsWith('.ts') && !placed.has(path));
  return copy(build, target, own);
}

/** The paths in a build that installing places, sorted. */
export function placedFiles(build: string): string[] {
  const text = readFileSync(join(build, 'stackyard.json'), 'utf8');
  return selectFiles(filesIn(build), (JSON.parse(text) as Manifest).files);
}

function filesIn(build: string): string[] {
  return readdirSync(build, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(build.length + 1))
    .sort();
}

function copy(build: string, target: string, paths: readonly string[]): string[] {
  for (const path of paths) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    copyFileSync(join(build, path), join(target, path));
  }
  return [...paths];
}
