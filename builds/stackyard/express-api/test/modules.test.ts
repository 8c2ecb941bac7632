import type { IncomingMessage, ServerResponse } from 'node:http';
import { pino } from 'pino';
import request from 'supertest';
import { expect, test } from 'vitest';
import { ConfigError } from '../src/config.js';
import { type Module, type ModuleHost, startModules } from '../src/module.js';
import { modules } from '../src/modules.js';
import { buildTestApp, createTestApp } from './test-app.js';

const quiet = pino({ level: 'silent' });

/** A module of another author, which knows node:http only. */
const notes = {
  name: 'notes',
  routes: [
    {
      prefix: '/notes',
      node(req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void): void {
        if (req.url === '/full') {
          const headers = { 'Retry-After': '5' };
          next(Object.assign(new Error('No more notes'), { status: 409, code: 'notes_full', expose: true, headers }));
        } else if (req.url === '/broken') next(new Error('secret'));
        else if (req.url === '/') req.pipe(res.setHeader('Content-Type', 'text/plain'));
        else next();
      },
      fetch: async () => undefined,
      openapi: {
        paths: { '/': { post: { summary: 'Add a note', security: [{ bearer: [] }], responses: {} } } },
        schemas: { Note: { type: 'object' } },
      },
    },
  ],
};

test('the modules of this application start, stop, and have different names', async () => {
  const app = await createTestApp(modules);
  expect((await request(app).get('/ready')).status).toBe(200);
  expect(new Set(modules.map(({ name }) => name)).size).toBe(modules.length);
});

test('routes of a module are mounted below their prefix, and read bodies themselves', async () => {
  const app = buildTestApp([notes]);
  const sent = await request(app).post('/notes/').type('json').send('{"a"');
  expect([sent.status, sent.text]).toEqual([200, '{"a"']);
  expect((await request(app).get('/notes/other')).body.error.message).toBe('No route for GET /notes/other');
});

test('errors of a module are answered with the one error body', async () => {
  const app = buildTestApp([notes]);
  const full = await request(app).get('/notes/full');
  expect([full.status, full.headers['retry-after']]).toEqual([409, '5']);
  expect(full.body.error).toMatchObject({ code: 'notes_full', message: 'No more notes' });
  const broken = await request(app).get('/notes/broken');
  expect(broken.body.error).toMatchObject({ status: 500, code: 'internal', message: 'Internal Server Error' });
});

test('/openapi.json has the operations and schemas of a module', async () => {
  const { body } = await request(buildTestApp([notes])).get('/openapi.json');
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
