/** Whatever a socket sends to routes of modules gets an answer that is not a fault of the server, and the server stays. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, METHODS, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, connect } from 'node:net';
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
const OTHERS = ['/ops/jobs', '/ops/jobs/items', '/dev/mail', '/uploads'];

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

const SUFFIXES = [
  '',
  '/',
  '//',
  '//x',
  '/x',
  '/%',
  '/%00',
  '/%2e%2e',
  '/../..',
  '/x//',
  '/x/content',
];
const MORE = [
  '/x/content/',
  '?q=1',
  '?',
  '?%',
  '?q=%E0%A4%A',
  '/?q=\x7f',
  '/\xe4',
  '/x;y',
  '/:id',
  '/*',
];
const LONG = [
  `/${'x'.repeat(9000)}`,
  `/${'x'.repeat(20_000)}`,
  `?${'a=b&'.repeat(2000)}`,
  '/a'.repeat(4000),
];
const ENDS = [...SUFFIXES, ...MORE, ...LONG];
const ELSEWHERE = [
  '/',
  '//',
  '//x',
  '//files',
  '/%',
  '/..',
  '*',
  '',
  'x',
  'files',
  '/files\0',
  '/\\',
  '/#',
];
const ABSOLUTE = [
  'http://other/files',
  'http://other/files/x?q=1',
  'http://',
  'http:///files',
  'x://y/files',
];
const BAD_METHODS = [
  '',
  'get',
  'GETX',
  'TRACK',
  '\0',
  'G T',
  '__proto__',
  'constructor',
  'x'.repeat(3000),
];
const HEADERS = [
  'Content-Length: 5\r\n\r\n{"a":',
  'Content-Length: 500\r\n\r\n{}',
  'Content-Length: 2\r\n\r\n{}GET / HTTP/1.1\r\n',
  'Content-Length: -1\r\n\r\n',
  'Content-Length: 1\r\nContent-Length: 2\r\n\r\nab',
  'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
  'Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n',
  'Transfer-Encoding: chunked\r\n\r\nzz\r\n',
  'Transfer-Encoding: gzip\r\n\r\nx',
  'Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}',
  'Expect: x\r\n\r\n',
  'Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  'X-A: \x01\r\n\r\n',
  'X-A: \xff\xfe\r\n\r\n',
  ': x\r\n\r\n',
  'X A: x\r\n\r\n',
  'X-A: a\r\n b\r\n\r\n',
  `X-A: ${'x'.repeat(20_000)}\r\n\r\n`,
  `Cookie: ${'a=b; '.repeat(1000)}\r\n\r\n`,
  'X-Request-Id: \x7f\r\n\r\n',
  'Authorization: Bearer \x80\r\n\r\n',
  'Range: bytes=9-1\r\nIf-Range: "x\r\n\r\n',
  'Content-Type: application/json\r\nContent-Length: 4\r\n\r\nnull',
];

/** Every method on every path, and all headers on some: 1,500 and more. */
function requests(): string[] {
  const lines = [...METHODS, ...BAD_METHODS].flatMap((method, row) => {
    const all = [...ENDS.map((end) => `/files${end}`), ...ELSEWHERE, ...ABSOLUTE];
    // All paths for the methods that routes have, every second for the others.
    const some = ['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'TRACE', 'DELETE', 'QUERY'].includes(
      method,
    );
    return all
      .filter((_, index) => some || (index + row) % 2 === 0)
      .map((path) => `${method} ${path}`);
  });
  for (const method of ['GET', 'POST', 'TRACE']) {
    lines.push(...OTHERS.flatMap((prefix) => ENDS.map((end) => `${method} ${prefix}${end}`)));
  }
  const plain = lines.map((line) => `${line} HTTP/1.1\r\nHost: a\r\n\r\n`);
  const odd = ['GET', 'POST', 'PUT', 'TRACE'].flatMap((method) =>
    ['/files', '/files/x/content', '/files//', '/uploads'].flatMap((path) =>
      HEADERS.map((header) => `${method} ${path} HTTP/1.1\r\nHost: a\r\n${header}`),
    ),
  );
  const forms = [
    'GET /files\r\n\r\n',
    'GET /files HTTP/0.9\r\n\r\n',
    'GET /files HTTP/1.0\r\n\r\n',
    'GET /files HTTP/3\r\n\r\n',
    'GET /files HTTP/1.1\r\n\r\n',
    '\x16\x03\x01\x02\0',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\r\n\r\n',
    'GET /files HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  ];
  return [...plain, ...odd, ...forms];
}

/** The status of the answer; nothing where the connection ended without one. */
async function statusOf(port: number, bytes: string): Promise<number | undefined> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  // No more comes: a body that was announced is cut off here.
  socket.end(Buffer.from(bytes, 'latin1'));
  let answer = '';
  for await (const chunk of socket.setEncoding('latin1')) answer += String(chunk);
  // Behind an interim answer comes the other one.
  const status = /^(?:HTTP\/1\.1 1\d\d [^]*?\r\n\r\n)?HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
  return status === undefined ? undefined : Number(status);
}

test.each(Object.entries(HOSTS))('%s answers all of them', async (_name, start) => {
  const rejections: unknown[] = [];
  const note = (error: unknown): void => void rejections.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const url = await start();
  const port = Number(new URL(url).port);
  const all = requests();
  expect(all.length).toBeGreaterThan(1500);
  const wrong: [string, number | undefined][] = [];
  const next = all.values();
  const worker = async (): Promise<void> => {
    for (const bytes of next) {
      const status = await statusOf(port, bytes).catch(() => undefined);
      const isAnswered = status !== undefined && status >= 200 && status < 600 && status !== 500;
      if (!isAnswered && !hasNoAnswer(bytes)) wrong.push([bytes.slice(0, 200), status]);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  expect(wrong).toEqual([]);
  expect(rejections).toEqual([]);
  expect((await fetch(`${url}/files`)).status).toBe(200);
  const trace = 'TRACE /files HTTP/1.1\r\nHost: a\r\n\r\n';
  expect(await statusOf(port, trace)).toBe(405);
});

/** Node.js itself closes these: a tunnel, a body that ends before its length, and no request at all. */
function hasNoAnswer(bytes: string): boolean {
  return /^CONNECT |^(?:\r\n)*$|Content-Length: 500|Content-Length: 5\r\n\r\n\{"a":$/.test(bytes);
}
