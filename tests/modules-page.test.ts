/** docs/modules.md: its examples compile and work in both foundations, with the builds that they import. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'stackyard-modules-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The builds that the examples import. Those that they require come with them. */
const BUILDS = { express: ['account', 'module-routes'], hono: ['sqlite', 'module-routes'] };

const LISTEN = {
  express: 'const server = app.listen(0);',
  hono: "import { serve } from '@hono/node-server'; const server = serve({ fetch: app.fetch, port: 0 });",
};

test.each(['express', 'hono'] as const)(
  'its examples work in stackyard/%s-api with the builds that they use',
  (name) => {
    const project = join(folder, name);
    cpSync(join(ROOT, 'builds/stackyard', `${name}-api`), project, { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
    for (const build of withRequired(BUILDS[name])) {
      cpSync(join(ROOT, 'builds/stackyard', build), join(project, 'src', build), {
        recursive: true,
        filter: (path) => !/\/test(?:-\w+\.ts)?$|\.test\.ts$/.test(path),
      });
    }
    const examples = examplesFor(name);
    expect(examples.map(([path]) => path)).toEqual([
      'src/modules.ts',
      'src/features/notes/module.ts',
      'src/clock/index.ts',
    ]);
    for (const [path, text] of examples) write(project, path, text);
    const compile = join(ROOT, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [compile, '-p', 'tsconfig.build.json'], { cwd: project });

    const config = "{ NODE_ENV: 'test', CLOCK_ZONE: process.env.CLOCK_ZONE }";
    const script = `
import { pino } from 'pino';
import { createApp } from './dist/app.js';
import { loadConfig } from './dist/config.js';
import { checkModules, startModules } from './dist/module.js';
import { modules } from './dist/modules.js';
import { database } from './dist/sqlite/index.js';
const lines = [];
const logger = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line).msg) });
const config = loadConfig(${config}, checkModules(modules, ${config}));
const stop = await startModules(modules, ${config}, logger);
const app = createApp(config, { logger, modules });
${LISTEN[name]}
if (!server.listening) await new Promise((done) => server.once('listening', done));
const ask = (path, init) => fetch('http://127.0.0.1:' + server.address().port + path, init);
const statuses = [];
for (const path of ['/clock', '/clock/other', '/ready', '/notes']) statuses.push((await ask(path)).status);
const { paths } = await (await ask('/openapi.json')).json();
const headers = { 'Content-Type': 'application/json' };
if (${name === 'express'}) {
  const body = JSON.stringify({ email: 'a@example.com', password: '12345678' });
  const answer = await ask('/auth/register', { method: 'POST', headers, body });
  headers.Authorization = 'Bearer ' + (await answer.json()).token;
}
statuses.push((await ask('/notes', { method: 'POST', headers, body: '{"text":"Hello"}' })).status);
const { n } = database().prepare('SELECT count(*) AS n FROM notes').get();
await stop();
console.log(JSON.stringify([statuses, n, Object.keys(paths).includes('/clock'), lines.includes('the clock starts')]));
process.exit();
`;
    writeFileSync(join(project, 'run.mjs'), script);
    const run = (env: NodeJS.ProcessEnv): string =>
      execFileSync(process.execPath, ['run.mjs'], {
        cwd: project,
        env: { ...process.env, ...env },
        encoding: 'utf8',
        stdio: 'pipe',
      });
    // In Hono no login is asked for, and there is no GET.
    const notes = name === 'express' ? 401 : 405;
    expect(JSON.parse(run({}))).toEqual([[200, 404, 200, notes, 201], 1, true, true]);
    expect(() => run({ CLOCK_ZONE: 'Nowhere' })).toThrow(
      'CLOCK_ZONE: Expected a time zone such as Europe/Berlin',
    );
  },
);

/** The builds and all that they require, directly or not. */
function withRequired(builds: readonly string[]): Set<string> {
  const all = new Set(builds);
  for (const build of all) {
    const manifest = join(ROOT, 'builds/stackyard', build, 'stackyard.json');
    const { builds: required = {} } = JSON.parse(readFileSync(manifest, 'utf8'));
    for (const id of Object.keys(required)) all.add(id.replace('stackyard/', ''));
  }
  return all;
}

/** The blocks of the page that name this foundation in their first line, with their paths. */
function examplesFor(name: string): [string, string][] {
  const page = readFileSync(join(ROOT, 'docs/modules.md'), 'utf8');
  const blocks = page.matchAll(/^```ts\n\/\/ ([a-z ]+): (\S+)\n([\s\S]*?)^```$/gm);
  return Array.from(blocks).flatMap(([, names = '', path = '', text = '']) =>
    names.split(' ').includes(name) ? [[path, text] as [string, string]] : [],
  );
}

function write(project: string, path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}
