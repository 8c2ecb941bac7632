/** docs/modules.md: its examples compile in both foundations, and the module that knows neither works in both. */
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

/** What the page states about builds with the tags "database" and "auth", as their types. */
const PROMISED = {
  'src/sqlite/index.ts': `
export interface Migration { readonly id: string; readonly up: string | ((db: object) => void) }
export declare function database(): { prepare(sql: string): { run(...values: unknown[]): unknown } };
export declare function migrate(db: object, migrations: readonly Migration[]): void;
export declare const sqliteModule: { readonly name: 'database'; start(host: { readonly migrations: readonly unknown[] }): void };
`,
  'src/account/index.ts': `
import type { IncomingMessage, ServerResponse } from 'node:http';
export declare const requireAuth: {
  (c: { readonly req: object }, next: () => Promise<void>): Promise<Response | void>;
  (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void): void;
};
export declare function currentUser(host: object): { readonly id: number; readonly email: string };
export declare function onUserDeleted(listener: (user: { readonly id: number }) => void): () => void;
export declare const accountModule: { readonly name: 'account' };
`,
};

const ASK = {
  express: `const server = app.listen(0); await new Promise((done) => server.once('listening', done));
const ask = (path) => fetch('http://127.0.0.1:' + server.address().port + path);`,
  hono: 'const ask = (path) => app.request(path);',
};

test.each(['express', 'hono'] as const)('its examples compile in stackyard/%s-api', (name) => {
  const project = join(folder, name);
  cpSync(join(ROOT, 'builds/stackyard', `${name}-api`), project, { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  for (const [path, text] of Object.entries(PROMISED)) write(project, path, text);
  const examples = examplesFor(name);
  expect(examples.map(([path]) => path)).toEqual([
    'src/modules.ts',
    'src/features/notes/module.ts',
    'src/clock/index.ts',
    'src/features/notes/forget.ts',
  ]);
  for (const [path, text] of examples) write(project, path, text);
  const compile = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compile, '-p', 'tsconfig.build.json'], { cwd: project });

  // What only has a type is not there: the module that knows no foundation is run alone.
  const config = "{ NODE_ENV: 'test', CLOCK_ZONE: process.env.CLOCK_ZONE }";
  const script = `
import { pino } from 'pino';
import { createApp } from './dist/app.js';
import { clockModule } from './dist/clock/index.js';
import { loadConfig } from './dist/config.js';
import { checkModules, startModules } from './dist/module.js';
const lines = [];
const logger = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line).msg) });
const config = loadConfig(${config}, checkModules([clockModule], ${config}));
const stop = await startModules([clockModule], {}, logger);
const app = createApp(config, { logger, modules: [clockModule] });
${ASK[name]}
const statuses = [];
for (const path of ['/clock', '/clock/other', '/ready']) statuses.push((await ask(path)).status);
const { paths } = await (await ask('/openapi.json')).json();
await stop();
console.log(JSON.stringify([statuses, Object.keys(paths), lines[0]]));
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
  expect(JSON.parse(run({}))).toEqual([[200, 404, 200], ['/clock'], 'the clock starts']);
  expect(() => run({ CLOCK_ZONE: 'Nowhere' })).toThrow(
    'CLOCK_ZONE: Expected a time zone such as Europe/Berlin',
  );
});

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
