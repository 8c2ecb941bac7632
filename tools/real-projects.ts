/**
 * Tries our builds in public projects that other people wrote, at fixed commits, and writes docs/real-projects.md:
 *
 *     node tools/real-projects.ts <folder of git repositories> [<name of a project>...]
 *
 * The folder has one repository for each project, `<owner>+<name>`, or `<owner>+<name>/repo`. Needs `npm run generate` before, and npm, pnpm and PyPI.
 * Runs code of the projects and their packages: only where nothing can be taken.
 */
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
import { delimiter, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findFreePort } from './free-port.ts';

interface RealProject {
  readonly repository: string;
  readonly commit: string;
  readonly kind: string;
  readonly build: string;
  /** The folder of the project in its repository, and the options that name it. */
  readonly folder?: string;
  readonly options?: readonly string[];
  /** What installs its packages. */
  readonly install?: readonly string[];
  /** What starts it, and the variables that its own documentation asks for; without it no login is tried, for the reason in `noStart`. */
  readonly start?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly noStart?: string;
  /** Where it listens, where it reads no PORT. */
  readonly port?: number;
}

const NPM = ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'];
const PNPM = ['pnpm', 'install', '--frozen-lockfile', '--ignore-scripts'];
const TSX = ['node', '--import=tsx', 'src/index.ts'];
const ACCOUNT = 'stackyard/account';

const PROJECTS: readonly RealProject[] = [
  {
    repository: 'w3cj/express-api-starter-ts',
    commit: 'c46ad4526400',
    kind: 'Express 5, TypeScript',
    build: ACCOUNT,
    install: PNPM,
    start: TSX,
  },
  {
    repository: 'gothinkster/node-express-realworld-example-app',
    commit: '30b68e1e8814',
    kind: 'Express 4, Nx',
    build: ACCOUNT,
    install: NPM,
    noStart: 'its start needs a PostgreSQL and the generated client of Prisma',
  },
  {
    repository: 'edwinhern/express-typescript',
    commit: 'f795eab92073',
    kind: 'Express 5, Biome',
    build: ACCOUNT,
    install: PNPM,
    start: TSX,
    variables: {
      HOST: 'localhost',
      CORS_ORIGIN: 'http://localhost:1',
      COMMON_RATE_LIMIT_MAX_REQUESTS: '1000',
      COMMON_RATE_LIMIT_WINDOW_MS: '1000',
    },
  },
  {
    repository: 'w3cj/hono-open-api-starter',
    commit: '803d5edfb21f',
    kind: 'Hono, zod-openapi',
    build: 'stackyard/account-sqlite',
    install: PNPM,
    start: TSX,
    variables: { LOG_LEVEL: 'silent', DATABASE_URL: 'file::memory:' },
  },
  {
    repository: 'santiq/bulletproof-nodejs',
    commit: '7ce1b4690c4e',
    kind: 'Express 4, TypeScript 4.0.3',
    build: ACCOUNT,
  },
  {
    repository: 'nestjs/typescript-starter',
    commit: 'c4d9330f5513',
    kind: 'NestJS',
    build: 'stackyard/account-nest',
    install: NPM,
    start: ['npm', 'start'],
    port: 3000,
  },
  {
    repository: 'fastify/demo',
    commit: '1f50cc1dc6c2',
    kind: 'Fastify',
    build: 'stackyard/account-fastify',
    install: ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund'],
    // As its .env.example; the database server has to be there.
    start: ['npm', 'start'],
    variables: {
      MYSQL_HOST: '127.0.0.1',
      MYSQL_PORT: '33306',
      MYSQL_DATABASE: 'test_db',
      MYSQL_USER: 'test_user',
      MYSQL_PASSWORD: 'test_password',
      COOKIE_SECRET: 'a'.repeat(40),
      COOKIE_NAME: 'session_id',
      COOKIE_SECURED: 'false',
      RATE_LIMIT_MAX: '1000',
    },
  },
  {
    repository: 't3-oss/create-t3-turbo',
    commit: 'e69b5858fc42',
    kind: 'pnpm and turbo monorepo',
    build: 'stackyard/account-next',
    options: ['-w', '@acme/nextjs'],
    install: PNPM,
    start: ['pnpm', '--filter', '@acme/nextjs', 'dev'],
    variables: {
      POSTGRES_URL: 'postgresql://none@localhost/none',
      SQLITE_PATH: 'data/app.db',
    },
  },
  {
    repository: 'nextjs/saas-starter',
    commit: 'e0dc5d40ce26',
    kind: 'Next.js, Drizzle',
    build: 'stackyard/account-next',
    install: PNPM,
    start: ['pnpm', 'dev'],
    variables: {
      POSTGRES_URL: 'postgresql://none@localhost/none',
      STRIPE_SECRET_KEY: 'sk_test_none',
      AUTH_SECRET: 'a'.repeat(40),
      SQLITE_PATH: 'data/app.db',
    },
  },
  {
    repository: 'w3cj/express-api-starter',
    commit: 'ece2dc561ada',
    kind: 'Express, JavaScript, ES modules',
    build: ACCOUNT,
  },
  {
    repository: 'hagopj13/node-express-boilerplate',
    commit: '179ae84efec6',
    kind: 'Express 4, JavaScript, CommonJS',
    build: ACCOUNT,
  },
  {
    repository: 'fastapi/full-stack-fastapi-template',
    commit: '68adb40d3742',
    kind: 'FastAPI, uv workspace',
    build: 'stackyard/fastapi-account',
    options: ['-w', 'backend'],
    noStart: 'its start needs a PostgreSQL and Python 3.14',
  },
  {
    repository: 'nsidnev/fastapi-realworld-example-app',
    commit: '029eb7781c60',
    kind: 'FastAPI, poetry',
    build: 'stackyard/fastapi-account',
  },
  { repository: 'wsvincent/djangox', commit: '56aa62e0e2e9', kind: 'Django', build: ACCOUNT },
  {
    repository: 'alan2207/bulletproof-react',
    commit: '9506629ed003',
    kind: 'Vite, React',
    folder: 'apps/react-vite',
    build: ACCOUNT,
  },
];

/** A command and what came of it. */
type Row = readonly [command: string, result: string];

interface Trial {
  readonly fits: string;
  readonly login: string;
  readonly removed: string;
  readonly undone: string;
  readonly rows: readonly Row[];
}

const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs/real-projects.md');
const NOT_TRIED = '–';
const START_MS = 120_000;

const work = mkdtempSync(join(tmpdir(), 'stackyard-real-'));
mkdirSync(join(work, 'bin'));
// The client leaves out the programs of its own packages, so the Node.js of a user stands elsewhere.
symlinkSync(process.execPath, join(work, 'bin/node'));
const environment = {
  ...process.env,
  PATH: [join(work, 'bin'), process.env['PATH']].join(delimiter),
  NO_COLOR: '1',
  // pnpm would download the version that a project names, and check its signature.
  npm_config_manage_package_manager_versions: 'false',
  CI: '1',
  STACKYARD_CACHE: join(work, 'cache'),
  STACKYARD_STATE: join(work, 'state'),
};

/** Runs a program; returns its status, and all that it printed. */
function run(
  cwd: string,
  program: string,
  args: readonly string[],
): { status: number | null; text: string } {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env: environment,
    encoding: 'utf8',
    timeout: 300_000,
    maxBuffer: 100_000_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { status, text: `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}` };
}

async function tryProject(project: RealProject, repositories: string): Promise<Trial> {
  const { repository, commit, build, folder = '.', options = [], install } = project;
  const root = join(work, repository.replace('/', '+'));
  checkOut(repository, commit, repositories, root);
  const cwd = join(root, folder);
  const rows: Row[] = [];
  const untried = { login: NOT_TRIED, removed: NOT_TRIED, undone: NOT_TRIED, rows };
  const stackyard = (...args: string[]): { status: number | null; text: string } => {
    const ended = run(cwd, 'node', [join(ROOT, 'client/main.ts'), ...args]);
    rows.push([
      `stackyard ${args.filter((arg) => !arg.startsWith('--registry=')).join(' ')}`,
      resultOf(ended),
    ]);
    return ended;
  };
  const registry = `--registry=file://${join(ROOT, 'index')}`;
  if (install !== undefined) {
    const ended = run(root, install[0]!, install.slice(1));
    rows.push([install.join(' '), `status ${ended.status}`]);
    keep(root);
  }
  const dry = stackyard('add', build, ...options, '--dry-run', registry);
  if (dry.status !== 0) return { fits: `no: ${reasonOf(dry.text)}`, ...untried };
  const consent = ['--yes', '--allow', 'all'];
  const add = ['add', build, ...options, '--wire', ...consent, '--no-prove', registry];
  const without = install === undefined ? ['--no-install'] : [];
  const added = stackyard(...add, ...without);
  if (added.status !== 0) return { ...untried, fits: `yes, but add ended with ${added.status}` };
  const login =
    project.start === undefined
      ? (project.noStart ?? NOT_TRIED)
      : await tryLogin(project, cwd, rows);
  discardCaches(root);
  stackyard('remove', build, ...options, ...consent, ...without);
  const removed = difference(root, rows);
  if (removed !== 'yes') run(root, 'git', ['stash', '--include-untracked']);
  stackyard(...add, ...without);
  stackyard('undo', ...options, '--yes');
  return { fits: 'yes', login, removed, undone: difference(root, rows), rows };
}

function checkOut(repository: string, commit: string, repositories: string, root: string): void {
  const place = join(resolve(repositories), repository.replace('/', '+'));
  const source = existsSync(join(place, 'repo')) ? join(place, 'repo') : place;
  mkdirSync(root);
  const tar = execFileSync('git', ['-C', source, 'archive', commit], { maxBuffer: 1e9 });
  execFileSync('tar', ['x', '-C', root], { input: tar });
  run(root, 'git', ['init', '--quiet']);
  keep(root);
}

/** Commits what is there, so that git names every byte that differs later. */
function keep(root: string): void {
  run(root, 'git', ['add', '--all']);
  const names = [
    '-c',
    'user.name=t',
    '-c',
    'user.email=t@example.org',
    '-c',
    'core.hooksPath=/dev/null',
  ];
  run(root, 'git', [...names, 'commit', '--quiet', '--allow-empty', '-m', 'state']);
}

/** What the project's own run wrote, such as caches of compilers, and no change of ours. */
function discardCaches(root: string): void {
  for (const name of ['.tsbuildinfo', 'tsconfig.tsbuildinfo'])
    rmSync(join(root, name), { force: true });
}

/** `yes`, or the files that are not as they were. */
function difference(root: string, rows: Row[]): string {
  const { text } = run(root, 'git', ['status', '--porcelain', '--untracked-files=all']);
  const files = text.split('\n').filter((line) => line !== '');
  rows.push(['git status', files.length === 0 ? 'clean' : files.slice(0, 5).join(', ')]);
  if (files.length === 0) return 'yes';
  const isLock = files.every((file) =>
    /(?:package-lock\.json|pnpm-lock\.yaml|uv\.lock)$/.test(file),
  );
  return isLock ? 'all but the lock of the package manager' : `no: ${files.length} files differ`;
}

/** Starts the application, registers, logs in and reads the account. */
async function tryLogin(
  { start = [], variables = {}, port: own }: RealProject,
  cwd: string,
  rows: Row[],
): Promise<string> {
  const port = own ?? (await findFreePort());
  const env = {
    ...environment,
    NODE_ENV: 'development',
    PORT: String(port),
    SQLITE_PATH: ':memory:',
    JWT_SECRET: 'a'.repeat(64),
    ...variables,
  };
  const child = spawn(start[0]!, start.slice(1), {
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
  const url = `http://localhost:${port}/auth`;
  const account = JSON.stringify({ email: 'a@example.org', password: 'correct horse battery' });
  const post = async (path: string): Promise<Response> =>
    fetch(`${url}/${path}`, {
      method: 'POST',
      body: account,
      headers: { 'content-type': 'application/json' },
    });
  const answers: string[] = [];
  try {
    for (const end = Date.now() + START_MS; ; await setTimeout(200)) {
      const isUp = await fetch(url).then(
        () => true,
        () => false,
      );
      if (isUp) break;
      if (isEnded || Date.now() > end) throw new Error(`does not listen: ${lastLine(printed)}`);
    }
    for (const path of ['register', 'login']) {
      const response = await post(path);
      answers.push(`${path} ${response.status}`);
      const { token } = (await response.json().catch(() => ({}))) as { readonly token?: string };
      if (path === 'register') continue;
      const me = await fetch(`${url}/me`, { headers: { authorization: `Bearer ${token}` } });
      answers.push(`me ${me.status}`);
    }
  } catch (error) {
    answers.push(error instanceof Error ? error.message : String(error));
  } finally {
    if (child.pid !== undefined && !isEnded) process.kill(-child.pid, 'SIGTERM');
  }
  const text = answers.join(', ');
  rows.push([start.join(' '), text]);
  return text === 'register 201, login 200, me 200' ? `works (${text})` : text;
}

function resultOf({
  status,
  text,
}: {
  readonly status: number | null;
  readonly text: string;
}): string {
  const telling = text
    .split('\n')
    .filter((line) => /^(?:error|hint|warning|It does not fit|Not wired|By hand)/.test(line));
  return [`status ${status}`, ...telling.slice(0, 6)].join('; ');
}

function reasonOf(text: string): string {
  return /^error: (.*)$/m.exec(text)?.[1] ?? lastLine(text);
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.slice(0, 200) ?? '';
}

function cell(text: string): string {
  return text
    .replaceAll(work, '')
    .replaceAll(ROOT, '')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ');
}

function pageOf(trials: ReadonlyMap<RealProject, Trial>): string {
  const table = [...trials].map(
    ([{ repository, commit, kind, build }, { fits, login, removed, undone }]) => {
      return `| ${repository} \`${commit}\` | ${kind} | ${build} | ${[fits, login, removed, undone].map(cell).join(' | ')} |`;
    },
  );
  const details = [...trials].map(([{ repository }, { rows }]) => {
    return `### ${repository}\n\n| Command | Result |\n|---|---|\n${rows.map(([command, result]) => `| \`${cell(command)}\` | ${cell(result)} |`).join('\n')}`;
  });
  return `# Real projects

Written by \`node tools/real-projects.ts <folder of git repositories>\`: do not edit. Public projects that other people wrote, at these commits; our builds come
from the index of this repository. "Login" is register, login and me over HTTP in the application, started as the details have it, without an edit by hand. "Byte for byte"
is what git finds after \`remove\`, and after \`add\` and \`undo\`, lock files of package managers included where packages were installed.

| Project | Kind | Build | Fits | Login | Byte for byte after remove | after undo |
|---|---|---|---|---|---|---|
${table.join('\n')}

## What was run

${details.join('\n\n')}
`;
}

const [repositories, ...names] = process.argv.slice(2);
if (repositories === undefined)
  throw new Error('Give the folder with the repositories of the projects');
const trials = new Map<RealProject, Trial>();
for (const project of PROJECTS) {
  if (names.length > 0 && !names.includes(project.repository)) continue;
  const trial = await tryProject(project, repositories);
  trials.set(project, trial);
  console.log(
    `${project.repository}: fits ${trial.fits}; login ${trial.login}; remove ${trial.removed}; undo ${trial.undone}`,
  );
}
const page = pageOf(trials);
if (names.length === 0) writeFileSync(PAGE, page);
else console.log(page);
if (existsSync(PAGE)) console.log(readFileSync(PAGE).length, 'bytes');
rmSync(work, { recursive: true, force: true });
