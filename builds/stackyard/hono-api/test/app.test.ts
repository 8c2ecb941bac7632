import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { AppEnv } from '../src/http/context.js';
import { HttpError } from '../src/http/errors.js';
import { parseInput } from '../src/http/input.js';
import { ask, buildTestApp, type Sent } from './test-app.js';

const Input = z.object({ name: z.string() });
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** An application whose route `/t` echoes JSON and whose route `/t/fail` fails as the test wants. */
function createApp(failure: () => unknown = () => undefined, env: NodeJS.ProcessEnv = {}): Hono<AppEnv> {
  const router = new Hono<AppEnv>();
  router.post('/', (c) => c.json(parseInput(Input, c.get('body'))));
  router.post('/again', async (c) => c.json(await c.req.json()));
  router.get('/fail', async () => {
    throw failure();
  });
  router.get('/params/:id', (c) => c.json(c.req.param()));
  return buildTestApp([{ name: 't', routes: [{ prefix: '/t', router }] }], env);
}

function postJson(body: Sent['body'] & {}, headers: Readonly<Record<string, string>> = {}, path = '/t') {
  return ask(createApp(), `POST ${path}`, { body, headers: { ...JSON_TYPE, ...headers } });
}

test('GET /health answers ok and is not cached', async () => {
  const { status, headers, body } = await ask(createApp(), 'GET /health');
  expect(status).toBe(200);
  expect(body).toEqual({ status: 'ok' });
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
  expect(headers).not.toHaveProperty('etag');
});

test('HEAD /health answers like GET, without the body', async () => {
  const { status, headers, text } = await ask(createApp(), 'HEAD /health');
  expect([status, headers['content-length'], text]).toEqual([200, '15', '']);
});

test('a slash at the end of a path is ignored', async () => {
  expect((await ask(createApp(), 'GET /health/')).status).toBe(200);
});

test('an unknown path answers 404 without its query', async () => {
  const { status, body } = await ask(createApp(), 'PUT /nowhere?token=secret');
  expect(status).toBe(404);
  expect(body.error).toEqual({
    status: 404,
    code: 'not_found',
    message: 'No route for PUT /nowhere',
    requestId: expect.stringMatching(UUID),
  });
});

test('a wrong method answers 405, OPTIONS 204, both with Allow', async () => {
  const refused = await ask(createApp(), 'DELETE /health');
  expect([refused.status, refused.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
  expect(refused.body.error.code).toBe('method_not_allowed');
  const options = await ask(createApp(), 'OPTIONS /health');
  expect([options.status, options.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS']);
});

test.each(['{"name":', '', 'nope', Buffer.from([0x22, 0xff, 0x22])])('the body %j is malformed JSON', async (sent) => {
  const { status, body } = await postJson(sent);
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: 'invalid_json', message: 'Invalid JSON body' });
});

test.each(['null', '"x"', '[]', '{}'])('the body %s is JSON of the wrong type', async (text) => {
  const { status, body } = await postJson(text);
  expect(status).toBe(400);
  expect(body.error.code).toBe('invalid_request');
});

test('failed validation names each field, and the body when there is none', async () => {
  const wrong = await postJson('{"name":1}');
  const message = 'Invalid input: expected string, received number';
  expect(wrong.body.error).toMatchObject({
    message: `Invalid request: name: ${message}`,
    issues: [{ path: 'name', message }],
  });
  const missing = await ask(createApp(), 'POST /t');
  expect(missing.body.error.message).toMatch(/^Invalid request: body: /);
  expect(missing.body.error.issues).toEqual([{ path: 'body', message: expect.any(String) }]);
});

test('application/*+json is JSON', async () => {
  const { body } = await postJson('{"name":"a"}', { 'Content-Type': 'application/vnd.api+json' });
  expect(body).toEqual({ name: 'a' });
});

test.each([
  ['as it is', '{"name":"a"}', {}],
  ['compressed', gzipSync('{"name":"a"}'), { 'Content-Encoding': 'gzip' }],
])('a body can be read again by c.req, %s', async (_name, sent, headers) => {
  expect((await postJson(sent, headers, '/t/again')).body).toEqual({ name: 'a' });
});

test('a body of unknown length is read up to the limit', async () => {
  const post = (size: number) => {
    const body = new Blob([JSON.stringify({ name: 'a'.repeat(size) })]).stream();
    const headers = { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' };
    return createApp().request('/t', { method: 'POST', headers, body, duplex: 'half' });
  };
  expect([(await post(10)).status, (await post(200_000)).status]).toEqual([200, 413]);
});

test.each([
  ['Content-Type', 'application/json; charset=iso-8859-1'],
  ['Content-Encoding', 'compress'],
])('%s: %s answers 415', async (name, value) => {
  const { status, body } = await postJson('{}', { [name]: value });
  expect([status, body.error.code]).toEqual([415, 'unsupported_media_type']);
});

test('a body over the limit answers 413, compressed or not', async () => {
  const json = JSON.stringify({ name: 'a'.repeat(200_000) });
  expect((await postJson(json)).status).toBe(413);
  const { status, body } = await postJson(gzipSync(json), { 'Content-Encoding': 'gzip' });
  expect([status, body.error.code]).toEqual([413, 'payload_too_large']);
});

test('a corrupt gzip body answers 400 without text of the library', async () => {
  const { status, body } = await postJson('not gzip', { 'Content-Encoding': 'gzip' });
  expect([status, body.error.message]).toEqual([400, 'Bad Request']);
});

test('a path that cannot be decoded answers 400', async () => {
  expect((await ask(createApp(), 'GET /t/params/%ff')).status).toBe(400);
  expect((await ask(createApp(), 'GET /t/params/%C3%A9')).body).toEqual({ id: 'é' });
});

test('__proto__ in a body pollutes nothing', async () => {
  const { body } = await postJson('{"name":"a","__proto__":{"polluted":true}}');
  expect(body).toEqual({ name: 'a' });
  expect({}).not.toHaveProperty('polluted');
});

test('an HttpError keeps status, code, message and headers', async () => {
  const failure = () => new HttpError(409, 'Taken', { code: 'taken', headers: { 'Retry-After': '1' } });
  const { status, headers, body } = await ask(createApp(failure), 'GET /t/fail');
  expect([status, headers['retry-after']]).toEqual([409, '1']);
  expect(body.error).toMatchObject({ status: 409, code: 'taken', message: 'Taken' });
});

test('an HTTPException of middleware of Hono keeps status, message and headers', async () => {
  const res = new Response('Unauthorized', { headers: { 'WWW-Authenticate': 'Basic realm="x"' } });
  const { status, headers, body } = await ask(
    createApp(() => new HTTPException(401, { message: 'No', res })),
    'GET /t/fail',
  );
  expect([status, headers['www-authenticate'], headers['content-type']]).toEqual([
    401,
    'Basic realm="x"',
    'application/json',
  ]);
  expect(body.error).toMatchObject({ code: 'unauthorized', message: 'No' });
  const hidden = await ask(
    createApp(() => new HTTPException(503, { message: 'secret' })),
    'GET /t/fail',
  );
  expect([hidden.status, hidden.body.error.message]).toEqual([503, 'Service Unavailable']);
});

test.each([
  ['an error', new Error('secret')],
  ['a text', 'secret'],
  ['an error with status 200', Object.assign(new Error('secret'), { status: 200 })],
  ['an error with status 999', Object.assign(new Error('secret'), { status: 999 })],
  ['a ZodError, which no input of the client caused,', Input.safeParse({ secret: 1 }).error],
])('%s answers 500 and reveals nothing, in production and elsewhere', async (_name, thrown) => {
  for (const NODE_ENV of ['development', 'test', 'production']) {
    const { status, body } = await ask(
      createApp(() => thrown, { NODE_ENV }),
      'GET /t/fail',
    );
    expect(status).toBe(500);
    expect(body.error).toEqual({
      status: 500,
      code: 'internal',
      message: 'Internal Server Error',
      requestId: expect.stringMatching(UUID),
    });
  }
});

test('a library error shows its message only when it is marked for clients', async () => {
  const teapot = (more: object) => () => Object.assign(new Error('/srv/secret'), { status: 418, ...more });
  const texts = [];
  for (const more of [{}, { expose: true, syscall: 'stat' }, { expose: true }]) {
    const { status, body } = await ask(createApp(teapot(more)), 'GET /t/fail');
    texts.push([status, body.error.message]);
  }
  expect(texts).toEqual([
    [418, "I'm a Teapot"],
    [418, "I'm a Teapot"],
    [418, '/srv/secret'],
  ]);
});

test('security headers are on every answer', async () => {
  for (const path of ['/health', '/nowhere', '/t/fail']) {
    const { headers } = await ask(
      createApp(() => new Error('x')),
      `GET ${path}`,
    );
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'SAMEORIGIN' });
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers).not.toHaveProperty('x-powered-by');
  }
});

test('the request id of the client is kept when it is harmless', async () => {
  const get = (id: string) => ask(createApp(), 'GET /nowhere', { headers: { 'X-Request-Id': id } });
  const kept = await get('a.b:c-1');
  expect([kept.headers['x-request-id'], kept.body.error.requestId]).toEqual(['a.b:c-1', 'a.b:c-1']);
  for (const id of ['two words', 'a'.repeat(129)]) {
    expect((await get(id)).headers['x-request-id']).toMatch(UUID);
  }
});

test('CORS is off by default', async () => {
  const { headers } = await ask(createApp(), 'GET /health', { headers: { Origin: 'https://app.example' } });
  expect(headers).not.toHaveProperty('access-control-allow-origin');
});

test('CORS admits exactly the origins that are set, on errors too', async () => {
  const app = createApp(undefined, { CORS_ORIGINS: 'https://app.example' });
  const preflight = await ask(app, 'OPTIONS /t', {
    headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' },
  });
  expect(preflight.status).toBe(204);
  const allowed = await ask(app, 'GET /nowhere', { headers: { Origin: 'https://app.example' } });
  expect(allowed.headers).toMatchObject({ 'access-control-allow-origin': 'https://app.example', vary: 'Origin' });
  expect(allowed.headers['access-control-expose-headers']).toMatch(/Retry-After, WWW-Authenticate, X-Request-Id$/);
  expect(allowed.headers).not.toHaveProperty('access-control-allow-credentials');
  const other = await ask(app, 'GET /health', { headers: { Origin: 'https://other.example' } });
  expect(other.headers).not.toHaveProperty('access-control-allow-origin');
});

test('CORS admits cookies of these origins when it is set', async () => {
  const app = createApp(undefined, { CORS_ORIGINS: 'https://app.example', CORS_CREDENTIALS: 'on' });
  const allowed = await ask(app, 'GET /health', { headers: { Origin: 'https://app.example' } });
  expect(allowed.headers['access-control-allow-credentials']).toBe('true');
  const other = await ask(app, 'GET /health', { headers: { Origin: 'https://other.example' } });
  expect(other.headers).not.toHaveProperty('access-control-allow-credentials');
});
