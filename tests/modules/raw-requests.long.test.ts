/** Whatever a socket sends to routes of modules gets an answer that is not a fault of the server, and the server stays. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createJobsModule } from '../../builds/stackyard/jobs/index.ts';
import { createMailModule } from '../../builds/stackyard/mail/index.ts';
import {
  createRoutes,
  json,
  readChunks,
  readJson,
  RequestError,
} from '../../builds/stackyard/module-routes/index.ts';
import {
  createSqliteModule,
  database as sqliteDatabase,
} from '../../builds/stackyard/sqlite/index.ts';
import { createUploadsModule } from '../../builds/stackyard/uploads/index.ts';
import { installOnce } from '../run/install-once.ts';
import { runNpm } from '../run/provide-node.ts';
import { expectToSurvive, statusLine } from '../run/raw-request.ts';
import { createAccounts, startHost } from './module-host.ts';

const ROUTES = createRoutes({
  '/': {
    GET: async ({ query }) => json(200, { q: query.get('q') }),
    POST: async ({ request }) => json(201, await readJson(request)),
  },
  '/:id': { GET: async ({ params }) => json(200, params) },
  '/:id/content': {
    async PUT({ request }) {
      let bytes = 0;
      for await (const chunk of readChunks(request)) bytes += chunk.length;
      return json(200, { bytes });
    },
  },
});
const MODULE = { name: 'files', routes: [{ prefix: '/files', ...ROUTES }] };

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Express 4.10.0, as the oldest that modules take, with a handler of errors as a guide shows it. */
async function startExpress4(): Promise<string> {
  const home = await installOnce('express-4.10.0', async (folder) => {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    await runNpm(folder, [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      'express@4.10.0',
    ]);
  });
  const app = createRequire(join(home, 'index.js'))('express')();
  app.use('/files', ROUTES.node);
  type End = { statusCode: number; end(): void };
  app.use((error: unknown, _req: unknown, res: End, _next: unknown) => {
    res.statusCode = error instanceof RequestError ? error.status : 500;
    res.end();
  });
  return listen(app as RequestListener);
}

/** The application of a foundation with all modules that have routes. */
async function startFoundation(framework: 'express' | 'hono'): Promise<string> {
  const database = () => sqliteDatabase();
  const { authenticate } = createAccounts(true);
  const uploads = createUploadsModule({ database, authenticate });
  const modules = [
    createSqliteModule(),
    createJobsModule({ database, operators: { authenticate, isOperator: () => true } }),
    createMailModule({ database }),
    { ...uploads, routes: [{ ...uploads.routes[0]!, prefix: '/uploads' }] },
    MODULE,
  ];
  return (await startHost(framework, modules)).url;
}

const HOSTS = {
  'Express 4.10': startExpress4,
  'Express 5': () => startFoundation('express'),
  Hono: () => startFoundation('hono'),
};

const PATHS = [
  '/files',
  '/files/x',
  '/files/x/content',
  '/ops/jobs',
  '/ops/jobs/items',
  '/dev/mail',
  '/uploads',
];

test.each(Object.entries(HOSTS))('%s answers all of them', async (_name, start) => {
  const rejections: unknown[] = [];
  const note = (error: unknown): void => void rejections.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const url = await start();
  await expectToSurvive(url, PATHS, 1000);
  expect(rejections).toEqual([]);
  expect((await fetch(`${url}/files`)).status).toBe(200);
  expect(await statusLine(url, 'TRACE /files HTTP/1.1')).toContain(' 405 ');
});
