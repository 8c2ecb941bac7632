import { pino } from 'pino';
import { expect, test } from 'vitest';
import { ConfigError } from '../src/config.js';
import { type Module, type ModuleHost, startModules } from '../src/module.js';
import { modules } from '../src/modules.js';
import { ask, buildTestApp, createTestApp } from './test-app.js';

const quiet = pino({ level: 'silent' });

/** A module of another author, which knows the web standard only. */
const notes = {
  name: 'notes',
  routes: [
    {
      prefix: '/notes',
      node: () => undefined,
      async fetch(request: Request, info: { prefix: string; requestId?: string }): Promise<Response | undefined> {
        const path = new URL(request.url).pathname.slice(info.prefix.length);
        if (path === '/full') {
          const headers = { 'Retry-After': '5' };
          throw Object.assign(new Error('No more notes'), { status: 409, code: 'notes_full', expose: true, headers });
        }
        if (path === '/broken') throw new Error('secret');
        if (path !== '') return undefined;
        return new Response(`${info.requestId} ${await request.text()}`, { headers: { 'X-Frame-Options': 'DENY' } });
      },
      openapi: {
        paths: { '/': { post: { summary: 'Add a note', security: [{ bearer: [] }], responses: {} } } },
        schemas: { Note: { type: 'object' } },
      },
    },
  ],
};

test('the modules of this application start, stop, and have different names', async () => {
  const app = await createTestApp(modules);
  expect((await ask(app, 'GET /ready')).status).toBe(200);
  expect(new Set(modules.map(({ name }) => name)).size).toBe(modules.length);
});

test('routes of a module are mounted below their prefix, and read bodies themselves', async () => {
  const app = buildTestApp([notes]);
  const headers = { 'Content-Type': 'application/json', 'X-Request-Id': 'id-1' };
  const sent = await ask(app, 'POST /notes', { body: '{"a"', headers });
  expect([sent.status, sent.text]).toEqual([200, 'id-1 {"a"']);
  expect(sent.headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
  expect((await ask(app, 'GET /notes/other')).body.error.message).toBe('No route for GET /notes/other');
  expect((await ask(app, 'GET /notesother')).status).toBe(404);
});

test('errors of a module are answered with the one error body', async () => {
  const app = buildTestApp([notes]);
  const full = await ask(app, 'GET /notes/full');
  expect([full.status, full.headers['retry-after']]).toEqual([409, '5']);
  expect(full.body.error).toMatchObject({ code: 'notes_full', message: 'No more notes' });
  const broken = await ask(app, 'GET /notes/broken');
  expect(broken.body.error).toMatchObject({ status: 500, code: 'internal', message: 'Internal Server Error' });
});

test('/openapi.json has the operations and schemas of a module', async () => {
  const { body } = await ask(buildTestApp([notes]), 'GET /openapi.json');
  expect(body.paths['/notes'].post.summary).toBe('Add a note');
  expect(Object.keys(body.components.schemas)).toEqual(['Note', 'Error']);
  expect(body.components.securitySchemes).toEqual({ bearer: { type: 'http', scheme: 'bearer' } });
});

test('problems of all settings are one list', () => {
  const strict = (name: string): Module => ({ name, checkSettings: () => [{ name, message: 'Expected a value' }] });
  const build = () => buildTestApp([strict('JWT_SECRET'), strict('DATABASE_URL')], { PORT: 'x' });
  expect(build).toThrow(ConfigError);
  expect(build).toThrow(/ {2}PORT: .*\n {2}JWT_SECRET: Expected a value\n {2}DATABASE_URL: Expected a value$/);
});

test('modules start in order with all migrations, and stop in the reverse order', async () => {
  const steps: string[] = [];
  const hosts: ModuleHost[] = [];
  const traced = (name: string): Module => ({
    name,
    migrations: [`0001_${name}`],
    start(host) {
      hosts.push(host);
      steps.push(`start ${name}`);
    },
    stop: () => void steps.push(`stop ${name}`),
  });
  const stop = await startModules([traced('database'), traced('account')], { A: '1' }, quiet);
  await stop();
  expect(steps).toEqual(['start database', 'start account', 'stop account', 'stop database']);
  expect(hosts[0]).toEqual({ env: { A: '1' }, log: quiet, migrations: ['0001_database', '0001_account'] });
});

test('a module that cannot start stops those before it, and is named', async () => {
  const steps: string[] = [];
  const first: Module = { name: 'database', stop: () => void steps.push('stop database') };
  const second: Module = { name: 'account', start: () => Promise.reject(new Error('no table')) };
  await expect(startModules([first, second], {}, quiet)).rejects.toThrow('Cannot start module "account": no table');
  expect(steps).toEqual(['stop database']);
});

test('a module that cannot stop is logged, and the others stop', async () => {
  const lines: string[] = [];
  const steps: string[] = [];
  const log = pino({ base: null }, { write: (line) => void lines.push(line) });
  const database: Module = { name: 'database', stop: () => void steps.push('stop database') };
  const mail: Module = { name: 'mail', stop: () => Promise.reject(new Error('no answer')) };
  const stop = await startModules([database, mail], {}, log);
  await stop();
  expect(steps).toEqual(['stop database']);
  expect(lines.join('')).toMatch(/"no answer".*cannot stop module \\"mail\\"/);
});
