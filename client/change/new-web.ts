/**
 * A front end in the same repository: `new` puts its foundation and modules into `web/`, which is a project of builds of its own
 * (`stackyard update -w web`) and a workspace of the root, so that one command installs, starts, tests and builds both.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { integrityOf } from '../../format/archive/integrity.ts';
import type { Lock } from '../../format/project/lock.ts';
import { ENV_EXAMPLE, PACKAGE_JSON } from '../edit/edited-files.ts';
import type { Plan } from '../plan/plan.ts';
import { readLock } from '../project/project.ts';
import { captureProgram } from '../project/start-program.ts';
import { npmFacts } from '../project/stack/npm.ts';
import type { Registries } from '../registry/registries.ts';
import type { BuildRequest } from '../resolve/request.ts';
import { search, withPackageManager, type PackageManager } from './new-answers.ts';
import { COMPOSE_VARIABLE, DEV_COMMAND, forManager, putIn, WEB } from '../plan/foundation-texts.ts';

/** What foundations of front ends provide. */
const WEB_TAG = 'web-app';
const EVERYWHERE = ['node', 'python', 'typescript'];

interface Parts {
  readonly modules: BuildRequest[];
  /** The foundation of the front end and its modules. */
  readonly web?: readonly [BuildRequest, ...BuildRequest[]];
}

/**
 * Divides what the user named between a started project and a front end: a foundation with the tag "web-app", and modules for a
 * stack that the project does not have and this foundation has. Without a named one, the best that has it is taken.
 */
export async function divideRequests(
  requests: readonly BuildRequest[],
  { project, registry, lock }: { project: string; registry: Registries; lock: Lock },
): Promise<Parts> {
  const facts = npmFacts(project);
  const provided = Object.values(lock.builds).flatMap(({ provides }) => provides);
  registry.assign(requests);
  const heads = await Promise.all(requests.map(({ id }) => registry.head(id)));
  const missing = requests.map((_, at) => {
    const head = heads[at];
    const { requires = {} } = head?.versions.find(({ version }) => version === head.latest) ?? {};
    const tags = Object.keys(requires).filter((tag) => !EVERYWHERE.includes(tag));
    return tags.filter((tag) => !facts.has(tag) && !provided.includes(tag));
  });
  const isOther = heads.some((head) => head?.kind === 'foundation');
  if (!isOther && missing.every((tags) => tags.length === 0)) return { modules: [...requests] };
  const found = await search(registry, 'foundation', [WEB_TAG]);
  const named = requests.find(({ id }) => found.some((build) => build.id === id));
  const has = ({ provides, brings = {} }: (typeof found)[number], tag: string): boolean =>
    provides.includes(tag) || Object.hasOwn(brings, tag);
  const foundation = found.find((build) =>
    named === undefined ? missing.flat().some((tag) => has(build, tag)) : build.id === named.id,
  );
  if (foundation === undefined) return { modules: [...requests] };
  const others = requests.filter((request) => request !== named);
  const isWeb = (request: BuildRequest): boolean =>
    missing[requests.indexOf(request)]!.some((tag) => has(foundation, tag));
  return {
    modules: others.filter((request) => !isWeb(request)),
    web: [named ?? { id: foundation.id, range: undefined }, ...others.filter(isWeb)],
  };
}

/** The plan of a project in the folder `web/` as part of that of its root. */
export function belowWeb(plan: Plan): Plan {
  const moved = (path: string): string => (path === '' ? path : `${WEB}/${path}`);
  const at = <One extends { readonly path: string }>(one: One): One => ({
    ...one,
    path: moved(one.path),
  });
  const { wiring, consent } = plan;
  return {
    ...plan,
    files: plan.files.map(at),
    edits: plan.edits.map(at),
    warnings: plan.warnings.map(at),
    pip: plan.pip.map((one) => ({ ...one, file: moved(one.file) })),
    ...(wiring === undefined
      ? {}
      : { wiring: wiring.map((one) => ({ ...one, file: moved(one.file) })) }),
    ...(consent === undefined ? {} : { consent: consent.map(at) }),
  };
}

/** Starts both parts; a part that ends, and a signal, end the other one. */
const DEV = `// What "npm run dev" runs: the server and the pages of ${WEB}/, until one of them ends or Ctrl+C.
import { spawn } from 'node:child_process';

const isWindows = process.platform === 'win32';
const children = [
  ['dev:api', '.'],
  ['dev', '${WEB}'],
].map(([script, cwd]) =>
  // Each in a group of its own, which ends as a whole.
  spawn(process.execPath, ['--run', script], { cwd, stdio: ['ignore', 'inherit', 'inherit'], detached: !isWindows }),
);
let isEnding = false;

function end(code) {
  if (isEnding) return;
  isEnding = true;
  process.exitCode = code;
  for (const { pid } of children) {
    if (isWindows) spawn('taskkill', ['/pid', String(pid), '/t', '/f']);
    else kill(pid);
  }
}

function kill(pid) {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {} // It has ended.
}

for (const child of children) child.once('exit', (code) => end(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(0));
`;

/**
 * Makes `web/` a workspace of the root: its scripts go on with those of the front end, whose built pages get into `dist/web`.
 * @returns the plan with the files that were written
 */
export function joinWeb(project: string, manager: string | undefined, plan: Plan): Plan {
  const file = join(project, PACKAGE_JSON);
  const root = JSON.parse(readFileSync(file, 'utf8')) as { scripts?: Record<string, string> };
  const own = JSON.parse(readFileSync(join(project, WEB, PACKAGE_JSON), 'utf8')) as typeof root;
  const scripts = { ...root.scripts };
  const goOn = (name: string, more = ''): void => {
    if (own.scripts?.[name] === undefined) return;
    const before = scripts[name] === undefined ? '' : `${scripts[name]} && `;
    scripts[name] = `${before}cd ${WEB} && node --run ${name}${more}`;
  };
  for (const name of ['test', 'test:browser', 'typecheck', 'lint']) goOn(name);
  goOn('build', ` -- --outDir ../dist/${WEB} --emptyOutDir`);
  const hasDev = scripts['dev'] !== undefined && own.scripts?.['dev'] !== undefined;
  if (hasDev) Object.assign(scripts, { 'dev:api': scripts['dev'], dev: DEV_COMMAND });
  const isPnpm = manager === 'pnpm';
  const next = { ...root, ...(isPnpm ? {} : { workspaces: [WEB] }), scripts };
  let made = written(project, PACKAGE_JSON, `${JSON.stringify(next, null, 2)}\n`, plan);
  if (isPnpm) made = written(project, 'pnpm-workspace.yaml', `packages:\n  - ${WEB}\n`, made);
  if (hasDev) made = written(project, 'dev.mjs', DEV, made);
  if (own.scripts?.['test:browser'] !== undefined) {
    made = edited(project, (path, text) => putIn('browser', path, text), made);
  }
  return edited(project, (path, text) => putIn('web', path, text), made);
}

/**
 * Writes the package manager into package.json, which all commands of the project read, and its commands in place of npm's into files
 * of the foundation.
 */
export async function nameManager(
  project: string,
  manager: PackageManager,
  plan: Plan,
  signal: AbortSignal,
): Promise<Plan> {
  const limits = { timeoutMs: 60_000, maxBytes: 100_000, cwd: project, signal };
  const version = (await captureProgram(manager, ['--version'], limits)) ?? '';
  const text = readFileSync(join(project, PACKAGE_JSON), 'utf8');
  const named = written(project, PACKAGE_JSON, withPackageManager(text, manager, version), plan);
  const major = /^\d+/.exec(version)?.[0] ?? '';
  return edited(project, (path, text) => forManager(manager, major, path, text), named);
}

/** With what `edit` makes of the text files of builds. */
function edited(project: string, edit: (path: string, text: string) => string, plan: Plan): Plan {
  return plan.files.reduce((made, { path }) => {
    const file = join(project, path);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const next = edit(path, text);
    return next === text ? made : written(project, path, next, made);
  }, plan);
}

/**
 * Writes `compose.yaml` for a project with a Dockerfile and a database: one container of it, beside PostgreSQL where it uses that.
 * That is in its CI then, too, for the tests.
 */
export function addCompose(project: string, before: Plan): Plan {
  const provides = Object.values(readLock(project)?.builds ?? {}).flatMap((one) => one.provides);
  const isPostgres = provides.includes('postgres');
  const plan = isPostgres
    ? edited(project, (path, text) => putIn('postgres', path, text), before)
    : before;
  const isWanted = existsSync(join(project, 'Dockerfile')) && provides.includes('database');
  if (!isWanted || existsSync(join(project, 'compose.yaml'))) return plan;
  const given = ['DATABASE_URL', 'NODE_ENV', 'PORT'];
  const required = plan.env.filter(({ required, name }) => required && !given.includes(name));
  const variables = [...new Set(required.map(({ name }) => name))].map(
    (name) => `      ${name}: \${${name}:?set it in .env}\n`,
  );
  const url = 'postgres://app:${POSTGRES_PASSWORD:?set it in .env}@database:5432/app';
  const text = `# docker compose up --build, with the variables of .env (${ENV_EXAMPLE} describes them).
services:
  app:
    build: .
    ports: ['\${PORT:-3000}:3000']
    env_file: .env
    environment:
      NODE_ENV: production
      HOST: ''
      PORT: 3000
${isPostgres ? `      DATABASE_URL: ${url}\n` : ''}${variables.join('')}    restart: unless-stopped
    stop_grace_period: 30s
${isPostgres ? POSTGRES : SQLITE}`;
  const made = written(project, 'compose.yaml', text, plan);
  const example = join(project, ENV_EXAMPLE);
  if (!isPostgres || !existsSync(example)) return made;
  return written(project, ENV_EXAMPLE, `${readFileSync(example, 'utf8')}${COMPOSE_VARIABLE}`, made);
}

const POSTGRES = `    depends_on:
      database: { condition: service_healthy }
  database:
    image: postgres:17
    environment:
      POSTGRES_USER: app
      POSTGRES_DB: app
      POSTGRES_PASSWORD: \${POSTGRES_PASSWORD:?set it in .env}
    volumes: ['data:/var/lib/postgresql/data']
    healthcheck: { test: pg_isready -U app, interval: 5s, retries: 12 }
    restart: unless-stopped
volumes:
  data:
`;
const SQLITE = `    volumes: ['data:/app/data']
volumes:
  data:
`;

function written(project: string, path: string, text: string, plan: Plan): Plan {
  const isNew = !existsSync(join(project, path));
  writeFileSync(join(project, path), text);
  const after = integrityOf(Buffer.from(text));
  const settle = <One extends { readonly path: string; readonly after?: string }>(one: One): One =>
    one.path === path ? { ...one, after } : one;
  const edits = plan.edits.map(settle);
  if (isNew) edits.push({ path, action: 'create', after });
  return {
    ...plan,
    files: plan.files.map(settle),
    edits: edits.sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}
