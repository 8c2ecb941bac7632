/** One project: fits, added, linted, started, removed, added again in its style with a proof, undone. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findFreePort } from '../free-port.ts';
import type { RealProject } from './projects.ts';
import { startServices } from './services.ts';

/** A command and what came of it. */
export type Row = readonly [command: string, result: string];

/** What is kept of a project, as JSON. */
export interface Trial {
  readonly repository: string;
  readonly fits: string;
  readonly login: string;
  /** New problems of the project's linter: with the files as shipped, and in the project's style. */
  readonly lint: string;
  readonly proof: string;
  readonly handEdits: string;
  readonly removed: string;
  readonly undone: string;
  readonly rows: readonly Row[];
}

export interface Places {
  /** The folder with the repositories. */
  readonly repositories: string;
  /** The folder with pnpm, yarn, uv and Python of projects. */
  readonly tools: string;
}

interface Ended {
  readonly status: number | null;
  readonly text: string;
  readonly stdout: string;
}

/** The document that the client prints with `--json`, as far as it is read here. */
interface Printed {
  readonly error?: { readonly message: string; readonly hint?: string };
  readonly warnings?: readonly { readonly message: string }[];
  readonly data?: {
    readonly plan?: Plan;
    readonly proof?: {
      readonly facts: readonly string[];
      readonly problems: readonly { readonly text: string }[];
    };
  };
}

interface Plan {
  readonly wiring?: readonly {
    readonly build: string;
    readonly action: string;
    readonly file?: string;
    readonly why?: string;
  }[];
}

const ROOT = join(import.meta.dirname, '../..');
const NOT_TRIED = '–';
const START_MS = 180_000;
const ANSWER_MS = 60_000;
const WORKS = 'register 201, login 200, me 200';

/** A folder for the copies of projects, with the environment of what runs there. */
export interface Workplace {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  remove(): void;
}

export function makeWorkplace(tools: string): Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-real-'));
  mkdirSync(join(folder, 'bin'));
  // The client leaves out the programs of its own packages, so the Node.js of a user stands elsewhere.
  symlinkSync(process.execPath, join(folder, 'bin/node'));
  const kept = (process.env['PATH'] ?? '').split(delimiter).filter((one) => !one.startsWith(ROOT));
  const paths = [
    join(folder, 'bin'),
    ...['node_modules/.bin', 'bin'].map((one) => join(tools, one)),
  ];
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    PATH: [...paths, ...kept].join(delimiter),
    NO_COLOR: '1',
    // pnpm would download the version that a project names, and check its signature.
    npm_config_manage_package_manager_versions: 'false',
    CI: '1',
    UV_PYTHON_DOWNLOADS: 'never',
    POETRY_VIRTUALENVS_IN_PROJECT: 'true',
    STACKYARD_CACHE: join(folder, 'cache'),
    STACKYARD_STATE: join(folder, 'state'),
    STACKYARD_REGISTRY: `file://${join(ROOT, 'index')}`,
  };
  return { folder, environment, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs a program; returns its status, and all that it printed. */
export function run({ environment }: Workplace, cwd: string, command: readonly string[]): Ended {
  const { status, stdout, stderr, error } = spawnSync(command[0]!, command.slice(1), {
    cwd,
    env: environment,
    encoding: 'utf8',
    timeout: 900_000,
    maxBuffer: 500_000_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return {
    status,
    stdout: stdout ?? '',
    text: `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`,
  };
}

/** A copy of the project at its commit, with its packages, as a repository of its own. */
export function prepare(
  project: RealProject,
  places: Places,
  place: Workplace,
  rows: Row[],
): string {
  const { repository, commit, install = [], stubs = {} } = project;
  const root = join(place.folder, repository.replace('/', '+'));
  const source = join(resolve(places.repositories), repository.replace('/', '+'));
  mkdirSync(root);
  const bare = existsSync(join(source, 'repo')) ? join(source, 'repo') : source;
  const tar = execFileSync('git', ['-C', bare, 'archive', commit], { maxBuffer: 1e9 });
  execFileSync('tar', ['x', '-C', root], { input: tar });
  run(place, root, ['git', 'init', '--quiet']);
  for (const command of install) {
    const { status, text } = run(place, root, command.split(' '));
    rows.push([command, status === 0 ? 'status 0' : `status ${status}: ${lastLine(text)}`]);
  }
  for (const [file, text] of Object.entries(stubs)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  if (project.stubNote !== undefined) rows.push([Object.keys(stubs).join(', '), project.stubNote]);
  commitAll(place, root);
  return root;
}

/** Commits what is there, so that git names every byte that differs later. */
export function commitAll(place: Workplace, root: string): void {
  run(place, root, ['git', 'add', '--all']);
  const settings = ['user.name=t', 'user.email=t@example.org', 'core.hooksPath=/dev/null'];
  const options = settings.flatMap((setting) => ['-c', setting]);
  run(place, root, ['git', ...options, 'commit', '--quiet', '--allow-empty', '-m', 'state']);
}

/** Runs the client in `cwd`; notes the command and what it printed. */
export function stackyard(
  place: Workplace,
  cwd: string,
  args: readonly string[],
  rows: Row[],
): Printed & { readonly status: number | null } {
  const { status, stdout, text } = run(place, cwd, [
    'node',
    join(ROOT, 'client/main.ts'),
    ...args,
    '--json',
  ]);
  const printed = parse(stdout, text);
  rows.push([`stackyard ${args.join(' ')}`, resultOf(status, printed)]);
  return { ...printed, status };
}

function parse(stdout: string, text: string): Printed {
  try {
    return JSON.parse(stdout) as Printed;
  } catch {
    return { error: { message: lastLine(text) } };
  }
}

export async function tryProject(
  project: RealProject,
  places: Places,
  place: Workplace,
): Promise<Trial> {
  const { repository, build, folder = '.', options = [], install, edits = [] } = project;
  const rows: Row[] = [];
  const root = prepare(project, places, place, rows);
  const cwd = join(root, folder);
  const client = (...args: string[]): ReturnType<typeof stackyard> =>
    stackyard(place, cwd, args, rows);
  const untried = {
    repository,
    login: NOT_TRIED,
    lint: NOT_TRIED,
    proof: NOT_TRIED,
    handEdits: NOT_TRIED,
    removed: NOT_TRIED,
    undone: NOT_TRIED,
    rows,
  };
  let dry = client('add', build, ...options, '--dry-run');
  const refusal = dry.error?.message;
  if (dry.status !== 0 && project.hint !== undefined) {
    const { status, text } = run(place, root, project.hint.split(' '));
    rows.push([project.hint, status === 0 ? 'status 0' : `status ${status}: ${lastLine(text)}`]);
    commitAll(place, root);
    dry = client('add', build, ...options, '--dry-run');
  }
  if (dry.status !== 0) return { ...untried, fits: `no: ${dry.error?.message}` };
  const fits = refusal === undefined ? 'yes' : `no: ${refusal}; after the hint: yes`;
  const consent = ['--yes', '--allow', 'all'];
  const without = install === undefined ? ['--no-install'] : [];
  const add = ['add', build, ...options, '--wire', ...consent, ...without];
  const problems = lint(project, place, cwd, rows);
  const added = client(...add, '--no-prove');
  if (added.status !== 0)
    return {
      ...untried,
      fits: `${fits}, but add ended with ${added.status}: ${added.error?.message}`,
    };
  const shipped = lint(project, place, cwd, rows);
  const left = leftSteps(added);
  for (const [file, find, replace] of edits) {
    const text = find === '' ? '' : readFileSync(join(cwd, file), 'utf8');
    if (!text.includes(find)) throw new Error(`${repository}: ${file} has no ${find}`);
    writeFileSync(join(cwd, file), text.replace(find, replace));
    rows.push([`edit ${file}`, replace.slice(0, 300)]);
  }
  const tryIt = async (): Promise<string> =>
    project.start === undefined
      ? (project.noStart ?? NOT_TRIED)
      : tryLogin(project, places, place, cwd, rows);
  const login = await tryIt();
  for (const [file, find] of edits) {
    if (find === '') rmSync(join(cwd, file));
    else run(place, cwd, ['git', 'checkout', '--', file]);
  }
  client('remove', build, ...options, ...consent, ...without);
  const removed = difference(place, root, rows);
  run(place, root, ['git', 'stash', '--include-untracked']);
  const isProved = login.startsWith('works') && edits.length === 0;
  const services = await startServices(isProved ? (project.services ?? []) : [], places.tools);
  const environment = { ...place.environment, ...variablesOf(project, services.values) };
  const proving = isProved ? { ...place, environment } : place;
  const styledAdd = [...add, '--style=project', isProved ? '--prove' : '--no-prove'];
  const again = stackyard(proving, cwd, styledAdd, rows);
  services.stop();
  const styled = lint(project, place, cwd, rows);
  const second = isProved ? await tryIt() : login;
  client('undo', ...options, '--yes');
  const undone = difference(place, root, rows);
  const proof = again.data?.proof === undefined ? NOT_TRIED : proofOf(again.data.proof);
  return {
    repository,
    fits,
    login: second === login ? login : `${login}; in the project's style: ${second}`,
    lint: [shipped, styled].map((now) => newProblems(problems, now)).join(', '),
    proof,
    handEdits:
      left.length === 0 ? '0' : `${Math.max(edits.length, left.length)}: ${left.join('; ')}`,
    removed,
    undone,
    rows,
  };
}

/** The steps that wiring left to the user; those for a file that only our foundations have are nothing to do elsewhere. */
function leftSteps({ data }: Pick<Printed, 'data'>): string[] {
  const steps = data?.plan?.wiring?.filter(
    ({ action, why }) => action === 'by_hand' && why !== 'the project has no such file',
  );
  return [
    ...new Set(
      steps?.map(({ why = '' }) => why.replace('the project has no such file; otherwise: ', '')),
    ),
  ];
}

function proofOf({ facts, problems }: NonNullable<NonNullable<Printed['data']>['proof']>): string {
  const shown = problems.slice(0, 3).map(({ text }) => `problem: ${text}`);
  const more = problems.length > 3 ? [`${problems.length - 3} more problems`] : [];
  return [...facts, ...shown, ...more].join('; ');
}

/** How many problems the project's linter reports; `undefined` without one. */
function lint(
  project: RealProject,
  place: Workplace,
  cwd: string,
  rows: Row[],
): number | undefined {
  if (project.lint === undefined) return undefined;
  const { stdout, text } = run(place, cwd, project.lint.split(' '));
  let count: number | undefined;
  try {
    const printed = JSON.parse(stdout.slice(stdout.search(/[[{]/))) as unknown;
    count = Array.isArray(printed)
      ? printed.reduce((sum: number, { messages }) => sum + (messages?.length ?? 1), 0)
      : countOf(printed);
  } catch {
    rows.push([project.lint, `no result: ${lastLine(text)}`]);
    return undefined;
  }
  rows.push([project.lint, `${count} problems`]);
  return count;
}

function countOf(printed: unknown): number {
  const { summary } = printed as {
    readonly summary: { readonly errors: number; readonly warnings: number };
  };
  return summary.errors + summary.warnings;
}

function newProblems(before: number | undefined, after: number | undefined): string {
  return before === undefined || after === undefined ? NOT_TRIED : String(after - before);
}

/** `yes`, or the files that are not as they were. */
function difference(place: Workplace, root: string, rows: Row[]): string {
  // What the project's own run wrote, such as caches of compilers, is no change of ours.
  for (const name of ['.tsbuildinfo', 'tsconfig.tsbuildinfo', 'data', 'apps/nextjs/data'])
    rmSync(join(root, name), { force: true, recursive: true });
  const { stdout } = run(place, root, ['git', 'status', '--porcelain', '--untracked-files=all']);
  const files = stdout.split('\n').filter((line) => line !== '');
  rows.push(['git status', files.length === 0 ? 'clean' : files.slice(0, 5).join(', ')]);
  if (files.length === 0) return 'yes';
  const isLock = files.every((file) =>
    /(?:package-lock\.json|pnpm-lock\.yaml|uv\.lock|yarn\.lock)$/.test(file),
  );
  return isLock ? 'all but the lock of the package manager' : `no: ${files.length} files differ`;
}

/** What a user sets to start the project with accounts. */
function variablesOf(
  project: RealProject,
  values: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  const own = Object.entries(project.variables ?? {}).map(([name, value]) => [
    name,
    filled(value, values),
  ]);
  const common = { NODE_ENV: 'development', SQLITE_PATH: ':memory:', JWT_SECRET: 'a'.repeat(64) };
  return { ...common, ...Object.fromEntries(own) };
}

function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => values[name] ?? '');
}

/** Starts the application, registers, logs in and reads the account. */
async function tryLogin(
  project: RealProject,
  { tools }: Places,
  place: Workplace,
  cwd: string,
  rows: Row[],
): Promise<string> {
  const services = await startServices(project.services ?? [], tools);
  const port = project.port ?? (await findFreePort());
  const values: Record<string, string> = { ...services.values, PORT: String(port) };
  const env = { ...place.environment, PORT: String(port), ...variablesOf(project, values) };
  const [program, ...args] = filled(project.start!, values).split(' ');
  const child = spawn(program!, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk));
  let isEnded = false;
  child.on('close', () => (isEnded = true));
  child.on('error', (error) => (printed += error.message));
  const answers: string[] = [];
  try {
    const url = await waitFor(
      port,
      () => isEnded,
      () => printed,
    );
    const account = JSON.stringify({
      email: `a${Date.now()}@example.org`,
      password: 'correct horse battery',
    });
    const headers = { 'content-type': 'application/json' };
    for (const path of ['register', 'login']) {
      const response = await fetch(`${url}/${path}`, {
        method: 'POST',
        body: account,
        headers,
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      answers.push(`${path} ${response.status}`);
      const { token } = (await response.json().catch(() => ({}))) as { readonly token?: string };
      if (path === 'register') continue;
      const me = await fetch(`${url}/me`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      answers.push(`me ${me.status}`);
    }
  } catch (error) {
    answers.push(error instanceof Error ? error.message : String(error));
  } finally {
    if (child.pid !== undefined && !isEnded) process.kill(-child.pid, 'SIGKILL');
    services.stop();
  }
  const text = answers.join(', ');
  rows.push([
    project.start!,
    text === WORKS
      ? text
      : `${text}; ${printed.trim().split('\n').slice(-3).join(' ').slice(0, 300)}`,
  ]);
  return text === WORKS ? `works (${text})` : text;
}

/** The address of the accounts, once the application listens on one of the names of the loopback interface. */
async function waitFor(
  port: number,
  isEnded: () => boolean,
  printed: () => string,
): Promise<string> {
  for (const end = Date.now() + START_MS; ; await setTimeout(200)) {
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      const url = `http://${host}:${port}/auth`;
      const isUp = await fetch(`${url}/me`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
        // A project that watches its own load refuses at first.
        ({ status }) => status !== 503,
        () => false,
      );
      if (isUp) return url;
    }
    if (isEnded() || Date.now() > end) throw new Error(`does not listen: ${errorLine(printed())}`);
  }
}

function resultOf(status: number | null, { error, warnings = [], data = {} }: Printed): string {
  const left = leftSteps({ data });
  const lines = [
    ...(error === undefined
      ? []
      : [`error: ${error.message}`, ...(error.hint === undefined ? [] : [`hint: ${error.hint}`])]),
    ...warnings.slice(0, 4).map(({ message }) => `warning: ${message}`),
    ...left.map((one) => `left to the user: ${one}`),
    ...(data.proof === undefined ? [] : [proofOf(data.proof)]),
  ];
  return [`status ${status}`, ...lines].join('; ');
}

function errorLine(text: string): string {
  const line = text.split('\n').find((one) => /error/i.test(one));
  return (line ?? lastLine(text)).trim().slice(0, 200);
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.slice(0, 200) ?? '';
}
