import { gzipSync } from 'node:zlib';
import { Router } from 'express';
import request from 'supertest';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { HttpError } from '../src/http/errors.js';
import { parseInput } from '../src/http/input.js';
import { buildTestApp } from './test-app.js';

const Input = z.object({ name: z.string() });
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** An application whose route `/t` echoes JSON and whose route `/t/fail` fails as the test wants. */
function createApp(failure: () => unknown = () => undefined, env: NodeJS.ProcessEnv = {}) {
  const router = Router();
  router.post('/', (req, res) => void res.json(parseInput(Input, req.body)));
  router.get('/fail', async () => {
    throw failure();
  });
  router.get('/params/:id', (req, res) => void res.json(req.params));
  return buildTestApp([{ name: 't', routes: [{ prefix: '/t', router }] }], env);
}

function postJson(body: string, type = 'application/json') {
  return request(createApp()).post('/t').set('Content-Type', type).send(body);
}

test('GET /health answers ok and is not cached', async () => {
  const { status, headers, body } = await request(createApp()).get('/health');
  expect(status).toBe(200);
  expect(body).toEqual({ status: 'ok' });
  expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  expect(headers).not.toHaveProperty('etag');
});

test('HEAD /health answers like GET, without the body', async () => {
  const { status, headers, text } = await request(createApp()).head('/health');
  expect([status, headers['content-length'], text]).toEqual([200, '15', undefined]);
});

test('an unknown path answers 404 without its query', async () => {
  const { status, body } = await request(createApp()).put('/nowhere?token=secret');
  expect(status).toBe(404);
  expect(body.error).toEqual({
    status: 404,
    code: 'not_found',
    message: 'No route for PUT /nowhere',
    requestId: expect.stringMatching(UUID),
  });
});

test('a wrong method answers 405, OPTIONS 204, both with Allow', async () => {
  const refused = await request(createApp()).delete('/health');
  expect([refused.status, refused.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
  expect(refused.body.error.code).toBe('method_not_allowed');
  const options = await request(createApp()).options('/health');
  expect([options.status, options.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS']);
});

test.each(['{"name":', '', 'nope'])('the body %j is malformed JSON', async (text) => {
  const { status, body } = await postJson(text).set('Content-Length', String(text.length));
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
  const missing = await request(createApp()).post('/t');
  expect(missing.body.error.message).toMatch(/^Invalid request: body: /);
  expect(missing.body.error.issues).toEqual([{ path: 'body', message: expect.any(String) }]);
});

test('application/*+json is JSON', async () => {
  expect((await postJson('{"name":"a"}', 'application/vnd.api+json')).body).toEqual({ name: 'a' });
});

test.each([
  ['application/json; charset=iso-8859-1', undefined],
  ['application/json', 'compress'],
])('type %s with encoding %s answers 415', async (type, encoding) => {
  const sent = postJson('{}', type);
  if (encoding !== undefined) sent.set('Content-Encoding', encoding);
  const { status, body } = await sent;
  expect([status, body.error.code]).toEqual([415, 'unsupported_media_type']);
});

test('a body over the limit answers 413, compressed or not', async () => {
  const json = JSON.stringify({ name: 'a'.repeat(200_000) });
  expect((await postJson(json)).status).toBe(413);
  const zipped = request(createApp()).post('/t').type('json').set('Content-Encoding', 'gzip');
  const { status, body } = await zipped.serialize((data) => data).send(gzipSync(json));
  expect([status, body.error.code]).toEqual([413, 'payload_too_large']);
});

test('a corrupt gzip body answers 400 without text of the library', async () => {
  const { status, body } = await postJson('not gzip').set('Content-Encoding', 'gzip');
  expect([status, body.error.message]).toEqual([400, 'Bad Request']);
});

test('a path that cannot be decoded answers 400', async () => {
  expect((await request(createApp()).get('/t/params/%ff')).status).toBe(400);
});

test('__proto__ in a body pollutes nothing', async () => {
  const { body } = await postJson('{"name":"a","__proto__":{"polluted":true}}');
  expect(body).toEqual({ name: 'a' });
  expect({}).not.toHaveProperty('polluted');
});

test('an HttpError keeps status, code, message and headers', async () => {
  const failure = () => new HttpError(409, 'Taken', { code: 'taken', headers: { 'Retry-After': '1' } });
  const { status, headers, body } = await request(createApp(failure)).get('/t/fail');
  expect([status, headers['retry-after']]).toEqual([409, '1']);
  expect(body.error).toMatchObject({ status: 409, code: 'taken', message: 'Taken' });
});

test.each([
  ['an error', new Error('secret')],
  ['a text', 'secret'],
  ['an error with status 200', Object.assign(new Error('secret'), { status: 200 })],
  ['an error with status 999', Object.assign(new Error('secret'), { status: 999 })],
  ['a ZodError, which no input of the client caused,', Input.safeParse({ secret: 1 }).error],
])('%s answers 500 and reveals nothing, in production and elsewhere', async (_name, thrown) => {
  for (const NODE_ENV of ['development', 'test', 'production']) {
    const { status, body } = await request(createApp(() => thrown, { NODE_ENV })).get('/t/fail');
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
    const { status, body } = await request(createApp(teapot(more))).get('/t/fail');
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
    const { headers } = await request(createApp(() => new Error('x'))).get(path);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'SAMEORIGIN' });
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers).not.toHaveProperty('x-powered-by');
  }
});

test('the request id of the client is kept when it is harmless', async () => {
  const ask = (id: string) => request(createApp()).get('/nowhere').set('X-Request-Id', id);
  const kept = await ask('a.b:c-1');
  expect([kept.headers['x-request-id'], kept.body.error.requestId]).toEqual(['a.b:c-1', 'a.b:c-1']);
  for (const id of ['two words', 'a'.repeat(129)]) {
    expect((await ask(id)).headers['x-request-id']).toMatch(UUID);
  }
});

test('CORS is off by default', async () => {
  const { headers } = await request(createApp()).get('/health').set('Origin', 'https://app.example');
  expect(headers).not.toHaveProperty('access-control-allow-origin');
});

test('CORS admits exactly the origins that are set, on errors too', async () => {
  const app = createApp(undefined, { CORS_ORIGINS: 'https://app.example' });
  const preflight = await request(app)
    .options('/t')
    .set({ Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' });
  expect(preflight.status).toBe(204);
  const allowed = await request(app).get('/nowhere').set('Origin', 'https://app.example');
  expect(allowed.headers).toMatchObject({ 'access-control-allow-origin': 'https://app.example', vary: 'Origin' });
  expect(allowed.headers['access-control-expose-headers']).toMatch(/Retry-After, WWW-Authenticate, X-Request-Id$/);
  expect(allowed.headers).not.toHaveProperty('access-control-allow-credentials');
  const other = await request(app).get('/health').set('Origin', 'https://other.example');
  expect(other.headers).not.toHaveProperty('access-control-allow-origin');
});

test('CORS admits cookies of these origins when it is set', async () => {
  const app = createApp(undefined, { CORS_ORIGINS: 'https://app.example', CORS_CREDENTIALS: 'on' });
  const allowed = await request(app).get('/health').set('Origin', 'https://app.example');
  expect(allowed.headers['access-control-allow-credentials']).toBe('true');
  const other = await request(app).get('/health').set('Origin', 'https://other.example');
  expect(other.headers).not.toHaveProperty('access-control-allow-credentials');
});
