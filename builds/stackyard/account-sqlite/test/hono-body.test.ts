// How bodies are read, over HTTP and without: alone, and after the host has read them.

import { once } from 'node:events';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { afterEach, describe, expect, test } from 'vitest';
import { readFetchBody } from '../../account-core/fetch-adapter.js';
import { startApp, type TestApp } from './hono-app.js';

type Body = NonNullable<RequestInit['body']>;

let app: TestApp;

afterEach(() => app.close());

const GOOD = '{"email":"a@x.co","password":"12345678"}';
const JSON_TYPE = { 'content-type': 'application/json' };
const send = (body?: string | Buffer, headers = {}) => app.send('POST', '/auth/register', body, headers);

const textOf = async (body?: string | Buffer, headers = {}) => (await send(body, headers)).text;
const INVALID_JSON = '{"error":{"status":400,"code":"invalid_json","message":"Invalid JSON body"}}';

const BROKEN: readonly (string | Buffer | undefined)[] = [
  undefined,
  '',
  ' ',
  '{',
  GOOD.slice(0, -1),
  GOOD.replace('}', ',}'),
  GOOD + GOOD,
  `${GOOD};`,
  "{'email':'a@x.co'}",
  '{email:"a@x.co"}',
  'email=a%40x.co&password=12345678',
  'NaN',
  '['.repeat(16_384),
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
  Buffer.from(GOOD.replace('12345678', '1234567\u00e9'), 'latin1'),
  Buffer.from(GOOD, 'utf16le'),
];

describe('a body that nobody has read', () => {
  test.each(BROKEN)('is refused when it is no JSON: %#', async (body) => {
    app = await startApp();
    expect(await textOf(body, JSON_TYPE)).toBe(INVALID_JSON);
    expect(await textOf(body)).toBe(INVALID_JSON);
  });

  test.each([
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/vnd.api+json' },
    { 'content-type': 'application/json; charset=iso-8859-1' },
    { 'content-type': ';;;' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'transfer-encoding': 'chunked' },
    { 'content-encoding': 'identity' },
  ])('is read whatever the headers are: %j', async (headers) => {
    app = await startApp();
    expect((await send(GOOD, headers)).status).toBe(201);
  });

  test('may begin with a byte order mark and hold white space', async () => {
    app = await startApp();
    expect((await send(`\ufeff\r\n ${GOOD}\n`)).status).toBe(201);
  });

  test.each([
    ['gzip', gzipSync(GOOD)],
    ['GZIP', gzipSync(GOOD)],
    ['deflate', deflateSync(GOOD)],
    ['br', brotliCompressSync(GOOD)],
  ])('is decompressed from %s', async (encoding, body) => {
    app = await startApp();
    expect((await send(body, { 'content-encoding': encoding })).status).toBe(201);
  });

  test.each([
    ['gzip', Buffer.from(GOOD)],
    ['gzip', gzipSync(GOOD).subarray(0, -9)],
    ['br', gzipSync(GOOD)],
    ['compress', Buffer.from(GOOD)],
    ['gzip, gzip', gzipSync(gzipSync(GOOD))],
  ])('is refused when it is not %s', async (encoding, body) => {
    app = await startApp();
    expect(await textOf(body, { 'content-encoding': encoding })).toBe(INVALID_JSON);
  });

  test('has at most 16384 bytes, before and after decompression', async () => {
    app = await startApp();
    const ofLength = (length: number) => GOOD + ' '.repeat(length - GOOD.length);
    const large = { status: 413, code: 'payload_too_large', message: 'Request body is too large' };
    const chunked = { 'transfer-encoding': 'chunked' };
    const gzip = { 'content-encoding': 'gzip' };
    expect((await send(ofLength(16_385))).json().error).toEqual(large);
    expect((await send(ofLength(16_385), chunked)).json().error).toEqual(large);
    expect((await send(ofLength(3_000_000), chunked)).json().error).toEqual(large);
    expect((await send(gzipSync(ofLength(10_000_000)), gzip)).json().error).toEqual(large);
    expect((await send(ofLength(16_384))).status).toBe(201);
    expect((await send(gzipSync(ofLength(16_384)), gzip)).status).toBe(409);
  });

  test('comes to an end when the client goes away', async () => {
    app = await startApp();
    const socket = connect(app.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"email"');
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await send(GOOD)).status).toBe(201);
    expect([app.hostErrors, app.logged]).toEqual([[], []]);
  });
});

// All of these leave the body to `c.req`.
const READERS: readonly [name: string, read: MiddlewareHandler][] = [
  ['json()', async (c, next) => void (await c.req.json().catch(() => undefined), await next())],
  ['text()', async (c, next) => void (await c.req.text(), await next())],
  ['arrayBuffer()', async (c, next) => void (await c.req.arrayBuffer(), await next())],
  ['bodyLimit', bodyLimit({ maxSize: 100_000 })],
];

describe('a body that the host has read', () => {
  test.each(READERS)('is taken from %s', async (_name, read) => {
    app = await startApp({ before: [read] });
    expect((await send(GOOD, JSON_TYPE)).status).toBe(201);
    expect((await send(GOOD, { ...JSON_TYPE, 'transfer-encoding': 'chunked' })).status).toBe(409);
    expect(await textOf('', { ...JSON_TYPE, 'content-length': '0' })).toBe(INVALID_JSON);
    expect(await textOf(undefined, {})).toBe(INVALID_JSON);
    expect(await textOf('{', JSON_TYPE)).toBe(INVALID_JSON);
    expect((await send('{}', JSON_TYPE)).json().error['code']).toBe('invalid_request');
    expect((await send(GOOD + ' '.repeat(16_384), JSON_TYPE)).status).toBe(413);
    expect((await send(GOOD + ' '.repeat(16_384), { 'transfer-encoding': 'chunked' })).status).toBe(413);
    expect((await app.get('/auth/me')).status).toBe(401);
  });

  test('is refused when it was a form', async () => {
    app = await startApp({ before: [async (c, next) => void (await c.req.parseBody(), await next())] });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await textOf('email=a%40x.co&password=12345678', form)).toBe(INVALID_JSON);
  });
});

describe('a body that the host has consumed without a trace', () => {
  test.each<[string, MiddlewareHandler]>([
    ['wholly', async (c, next) => void (await c.req.raw.text(), await next())],
    ['in part', async (c, next) => void (await c.req.raw.body?.getReader().read(), await next())],
  ])('is a mistake of the host, %s', async (_name, middleware) => {
    app = await startApp({ before: [middleware] });
    expect((await send(GOOD, JSON_TYPE)).text).toBe('host 500');
    expect(String(app.hostErrors[0])).toContain('Cannot read the request body');
  });
});

describe('without a server', () => {
  const post = (body?: Body) => app.app.request('/auth/register', { method: 'POST', ...streamed(body) });

  test('a body is read from the standard request', async () => {
    app = await startApp();
    expect((await post(GOOD)).status).toBe(201);
    expect((await post(streamOf(GOOD.slice(0, 9), GOOD.slice(9)))).status).toBe(409);
    for (const body of [undefined, '', '{', streamOf('{')]) expect((await post(body)).status).toBe(400);
    for (const body of [' '.repeat(16_385), streamOf(' '.repeat(10_000), ' '.repeat(10_000))])
      expect((await post(body)).status).toBe(413);
    expect(app.events[0]).toMatchObject({ type: 'registered', address: '' });
  });

  test('a body that fails is refused', async () => {
    app = await startApp();
    const failing = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
    expect((await post(failing)).status).toBe(400);
  });
});

describe('the rest of a body that is too large', () => {
  const refuse = async (limits: { maxBytes: number; maxMs: number }, body: Body) => {
    const host = new Hono().post('/', async (c) => {
      const error: unknown = await readFetchBody(c.req, 10, limits).catch((thrown: unknown) => thrown);
      return c.text(error instanceof Error ? error.message : 'none');
    });
    return (await host.request('/', { method: 'POST', ...streamed(body) })).text();
  };
  const endless = (text: string, ms: number) =>
    new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, ms));
        controller.enqueue(new TextEncoder().encode(text));
      },
    });

  test.each([
    ['bytes', { maxBytes: 1000, maxMs: 600_000 }, endless('x'.repeat(100), 0)],
    ['milliseconds', { maxBytes: 1000, maxMs: 1 }, endless('x'.repeat(11), 5)],
  ])('is read no further than it may, in %s', async (_name, limits, body) => {
    expect(await refuse(limits, body)).toBe('Request body is too large');
  });
});

function streamed(body: Body | undefined): RequestInit {
  return { ...(body !== undefined && { body }), ...(body instanceof ReadableStream && { duplex: 'half' }) };
}

function streamOf(...texts: string[]): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const text of texts) controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
}
