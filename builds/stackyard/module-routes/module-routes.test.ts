import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import {
  createRoutes, cutPage, describeRoutes, identify, json, object, readChunks, readJson, readPage, readRequestKey, RequestError,
  type RouteTable,
} from './index.js';

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const TABLE: RouteTable = {
  '/': { GET: async ({ query }) => json(200, { q: query.get('q') }), POST: async ({ request }) => json(201, await readJson(request)) },
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
    return new Response(JSON.stringify({ error: { code: error.code } }), { status: error.status, headers: error.headers });
  };
  const server = createServer((req, res) => {
    req.url = req.url?.slice('/api'.length) ?? '';
    routes.node(req, res, (error) => {
      if (!error) return void res.writeHead(404).end();
      const { status, headers } = answerError(error);
      res.writeHead(status, Object.fromEntries(headers)).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  return {
    node: (path, init) => fetch(base + path, init),
    async fetch(path, init) {
      const answer = routes.fetch(new Request(`http://a.example/api${path}`, init), { prefix: '/api' }).catch(answerError);
      return (await answer) ?? new Response(null, { status: 404 });
    },
  };
}

test.each(['node', 'fetch'] as const)('paths, methods and bodies: %s', async (form) => {
  const ask = (await hosts())[form];
  const texts = await Promise.all(['?q=a%20b', '/', '/fixed', '/fixed/', '/x.y'].map(async (path) => (await ask(path)).text()));
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
  const server = createServer((req, res) => createRoutes(TABLE).node(req, res, (error) => res.writeHead((error as RequestError).status).end()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  closers.push(() => socket.destroy());
  let text = '';
  socket.on('data', (data) => (text += data.toString()));
  socket.write('PUT /refuse HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n');
  socket.write(Buffer.alloc(2_000_000));
  socket.write('GET /fixed HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => text, { timeout: 30_000 }).toMatch(/415 Unsupported[^]*200 OK[^]*\{"fixed":true\}/);
});

test('the user, the refusal, and a host that gives neither', async () => {
  const call = { request: new Request('http://a.example/', { method: 'POST', headers: { Authorization: 'Bearer x' } }), requestId: 'r' };
  const currentUser = (host: object) => (host as { get(name: string): unknown }).get('user') as { id: number; email: string };
  const user = { id: 1, email: 'a@example.com' };
  const seen: unknown[] = [];
  const admit = async (
    c: { req: { raw: Request; header(name: string): string | undefined }; get(name: string): unknown; set(name: string, value: unknown): void },
    next: () => Promise<void>,
  ) => {
    seen.push(c.req.raw.method, c.req.header('authorization'), c.get('requestId'));
    c.set('user', user);
    await next();
  };
  expect(await identify({ currentUser, requireAuth: admit }, call)).toBe(user);
  expect(seen).toEqual(['POST', 'Bearer x', 'r']);
  const refusal = new Response(null, { status: 401 });
  expect(await identify({ currentUser, requireAuth: async () => refusal }, call)).toBe(refusal);
  await expect(identify({ currentUser, requireAuth: async () => {} }, call)).rejects.toThrow(TypeError);
});

test('pages and keys', () => {
  const rows = [3, 2, 1].map((time) => ({ time, id: `id-${time}` }));
  const { rows: page, next } = cutPage(rows, 2, (row) => row);
  expect([page.length, next]).toEqual([2, '2.id-2']);
  expect(cutPage(rows, 3, (row) => row).next).toBeNull();
  expect(readPage(new URLSearchParams({ after: next ?? '', limit: '7' }))).toEqual({ limit: 7, after: { time: 2, id: 'id-2' } });
  for (const query of ['limit=0', 'limit=101', 'limit=1e1', 'after=', 'after=1', 'after=1.%00'])
    expect(() => readPage(new URLSearchParams(query))).toThrow(RequestError);
  expect(readRequestKey(new Request('http://a', { headers: { 'Idempotency-Key': 'a-1' } }))).toBe('a-1');
  expect(() => readRequestKey(new Request('http://a', { headers: { 'Idempotency-Key': '' } }))).toThrow(RequestError);
});

test('a description', () => {
  const { paths } = describeRoutes(
    'notes',
    { '/{id}': { get: { summary: 'One', answers: { 200: object({}), 204: 'Nothing' }, refusals: { 404: 'None' } } } },
    {},
  );
  expect(paths['/{id}']).toMatchObject({
    parameters: [{ name: 'id', in: 'path', required: true }],
    get: {
      tags: ['notes'],
      responses: { 200: { content: { 'application/json': {} } }, 204: { description: 'Nothing' }, 404: { description: 'None' } },
    },
  });
});
