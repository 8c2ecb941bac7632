import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import {
  createRoutes, cutPage, identify, json, readChunks, readJson, readPage, readRequestKey, RequestError, type RouteTable,
} from './index.js';

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const TABLE: RouteTable = {
  '/': {
    GET: async ({ query }) => json(200, { q: query.get('q') }),
    POST: async ({ request }) => json(201, await readJson(request)),
  },
  '/fixed': { GET: async () => json(200, { fixed: true }) },
  '/refuse': {
    async PUT({ request }) {
      for await (const _chunk of readChunks(request)) throw new RequestError(415, 'refused', 'Refused');
      return json(200, {});
    },
  },
  '/:id': { GET: async ({ params }) => json(200, params) },
  '/:id/headers': { PUT: async ({ request }) => json(200, Object.fromEntries(request.headers)) },
};

/** Both forms behind one function. */
async function hosts(): Promise<Record<'node' | 'fetch', (path: string, init?: RequestInit) => Promise<Response>>> {
  const routes = createRoutes(TABLE);
  const answerError = (error: unknown): Response => {
    if (!(error instanceof RequestError)) throw error;
    const { status, headers, code } = error;
    return new Response(JSON.stringify({ error: { code } }), { status, headers });
  };
  const base = await serve((req, res) => {
    req.url = req.url?.slice('/api'.length) ?? '';
    routes.node(req, res, (error) => {
      if (!error) return void res.writeHead(404).end();
      const { status, headers } = answerError(error);
      res.writeHead(status, Object.fromEntries(headers)).end();
    });
  });
  return {
    node: (path, init) => fetch(`${base}/api${path}`, init),
    async fetch(path, init) {
      const answer = routes.fetch(new Request(`http://a.example/api${path}`, init), { prefix: '/api' });
      return (await answer.catch(answerError)) ?? new Response(null, { status: 404 });
    },
  };
}

test.each(['node', 'fetch'] as const)('paths, methods and bodies: %s', async (form) => {
  const ask = (await hosts())[form];
  const paths = ['?q=a%20b', '/', '/fixed', '/fixed/', '/x.y'];
  const texts = await Promise.all(paths.map(async (path) => (await ask(path)).text()));
  expect(texts).toEqual(['{"q":"a b"}', '{"q":null}', '{"fixed":true}', '{"fixed":true}', '{"id":"x.y"}']);
  for (const path of ['/a/b/c', '/a//', '/refuse/x']) expect((await ask(path)).status).toBe(404);
  const wrong = await ask('/fixed', { method: 'DELETE' });
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  expect((await ask('/', { method: 'OPTIONS' })).headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS');
  const head = await ask('/fixed', { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '14']);
  expect(await (await ask('/', { method: 'POST', body: '{"a":1}' })).json()).toEqual({ a: 1 });
  for (const body of ['', '[]', 'null', '{', `{"a":"${'x'.repeat(20_000)}"}`]) {
    expect((await ask('/', { method: 'POST', body })).status).toBe(body.length > 100 ? 413 : 400);
  }
  const headers = { Cookie: 'a=b', Origin: 'http://a.example', 'X-Own': '\u00e4' };
  expect(await (await ask('/1/headers', { method: 'PUT', headers })).json()).toMatchObject({
    cookie: 'a=b',
    origin: 'http://a.example',
    'x-own': '\u00e4',
  });
});

test('a connection goes on after a body that was refused in the middle', async () => {
  const { node } = createRoutes(TABLE);
  const base = await serve((req, res) => {
    node(req, res, (error) => void res.writeHead((error as RequestError).status).end());
  });
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  closers.push(() => socket.destroy());
  let text = '';
  socket.on('data', (data) => (text += data.toString()));
  socket.write('PUT /refuse HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n');
  socket.write(Buffer.alloc(2_000_000));
  socket.write('GET /fixed HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => text, { timeout: 30_000 }).toMatch(/415 Unsupported[^]*200 OK[^]*\{"fixed":true\}/);
});

test('the user with a text as id, and the refusal', async () => {
  const request = new Request('http://a.example/');
  const email = 'a@example.com';
  expect(await identify(async () => ({ id: 1, email, role: 'x' }), request)).toEqual({ id: '1', email });
  expect(await identify(async () => ({ id: 'x', email }), request)).toEqual({ id: 'x', email });
  const refusal = new Response(null, { status: 401 });
  expect(await identify(async () => refusal, request)).toBe(refusal);
});

test('what fails on the way to an answer goes to the host, and a host that fails ends the request alone', async () => {
  const table: RouteTable = {
    '/throws': { GET: () => { throw new Error('at once'); } },
    '/no-answer': { GET: async () => undefined as never },
    '/bad-header': { GET: async () => ({ status: 200, headers: new Map([['X-Bad', 'a\u0100']]) }) as never },
    '/trace': { TRACE: async () => json(200, {}) },
    '/cookies': { GET: async () => new Response(null, { headers: [['Set-Cookie', 'a=1'], ['Set-Cookie', 'b=2']] }) },
  };
  const seen: unknown[] = [];
  const base = await serve((req, res) => {
    createRoutes(table).node(req, res, (error) => {
      seen.push(error);
      if (req.url?.endsWith('?host')) throw new Error('The host fails');
      res.writeHead(500).end();
    });
  });
  for (const path of ['/throws', '/no-answer', '/bad-header']) expect((await fetch(base + path)).status).toBe(500);
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  socket.write('TRACE /trace HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 500/);
  socket.destroy();
  expect(seen).toHaveLength(4);
  await expect(fetch(`${base}/throws?host`)).rejects.toThrow('fetch failed');
  expect((await fetch(`${base}/cookies`)).headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  const call = createRoutes(table).fetch(new Request('http://a/x/throws', { method: 'constructor' }), { prefix: '/x' });
  await expect(call).rejects.toMatchObject({ status: 405 });
});

test('pages and keys', () => {
  const rows = [3, 2, 1].map((time) => ({ time, id: `id-${time}` }));
  const { rows: page, next } = cutPage(rows, 2, (row) => row);
  expect([page.length, next]).toEqual([2, '2.id-2']);
  expect(cutPage(rows, 3, (row) => row).next).toBeNull();
  const query = new URLSearchParams({ after: next ?? '', limit: '7' });
  expect(readPage(query)).toEqual({ limit: 7, after: { time: 2, id: 'id-2' } });
  for (const query of ['limit=0', 'limit=101', 'limit=1e1', 'after=', 'after=1', 'after=1.%00'])
    expect(() => readPage(new URLSearchParams(query))).toThrow(RequestError);
  expect(readRequestKey(new Request('http://a', { headers: { 'Idempotency-Key': 'a-1' } }))).toBe('a-1');
  expect(() => readRequestKey(new Request('http://a', { headers: { 'Idempotency-Key': '' } }))).toThrow(RequestError);
});
