// Bodies of requests of Node.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import express, { type RequestHandler } from 'express';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../account/test-app.js';
import { drainRequest } from './node-adapter.js';

describe('json body', () => {
  // How bodies are read, over HTTP: alone, and behind parsers of the host.
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
      await setTimeout(50);
      socket.destroy();
      await setTimeout(50);
      expect((await send(GOOD)).status).toBe(201);
      expect([app.hostErrors, app.logged]).toEqual([[], []]);
    });
  });

  // Express has had parsers of its own since 4.17; reading their names fails before 4.16.
  function hasParsers(): boolean {
    try {
      return typeof express.text === 'function';
    } catch {
      return false;
    }
  }

  describe.runIf(hasParsers())('a body that a parser of the host has read', () => {
    test.each([
      ['json', () => express.json()],
      ['json of any type', () => express.json({ type: () => true })],
      ['json, not strict', () => express.json({ strict: false })],
      ['text', () => express.text({ type: () => true })],
      ['raw', () => express.raw({ type: () => true })],
    ])('is taken from %s', async (_name, createParser) => {
      app = await startApp({ before: [createParser()] });
      expect((await send(GOOD, JSON_TYPE)).status).toBe(201);
      expect((await send(GOOD, JSON_TYPE)).status).toBe(409);
      expect(await textOf('', { ...JSON_TYPE, 'content-length': '0' })).toBe(INVALID_JSON);
      expect(await textOf(undefined, {})).toBe(INVALID_JSON);
      const empty = await send('{}', JSON_TYPE);
      expect(empty.json().error['code']).toBe('invalid_request');
      expect((await app.get('/auth/me')).status).toBe(401);
    });

    test('is read here when the parser passed it over', async () => {
      app = await startApp({ before: [express.json(), express.urlencoded({ extended: false })] });
      expect((await send(GOOD, { 'content-type': 'text/plain' })).status).toBe(201);
      expect(await textOf('x', { 'content-type': 'text/plain' })).toBe(INVALID_JSON);
    });

    test('is refused when it was a form', async () => {
      app = await startApp({ before: [express.urlencoded({ extended: false })] });
      expect(
        await textOf('email=a%40x.co&password=12345678', {
          'content-type': 'application/x-www-form-urlencoded',
        }),
      ).toBe(INVALID_JSON);
    });

    test('is a JSON string, or the text of broken JSON', async () => {
      app = await startApp({ before: [express.json({ strict: false })] });
      const answer = await send('"s"', JSON_TYPE);
      expect(answer.json().error['message']).toBe('Invalid request: body: Expected a JSON object');
      await app.close();
      app = await startApp({ before: [express.text({ type: () => true })] });
      expect(await textOf('s', { 'content-type': 'text/plain' })).toBe(INVALID_JSON);
    });
  });

  describe('a body that the host has consumed without a trace', () => {
    test.each<[string, RequestHandler]>([
      ['wholly', (req, _res, next) => void req.resume().once('end', () => next())],
      ['in part', (req, _res, next) => void req.once('data', () => next())],
    ])('is a mistake of the host, %s', async (_name, middleware) => {
      app = await startApp({ before: [middleware] });
      expect((await send(GOOD, JSON_TYPE)).text).toBe('host 500');
      expect(String(app.hostErrors[0])).toContain('Cannot read the request body');
    });
  });
});

describe('drain request', () => {
  // Answers to bodies that are too large, over raw sockets: clients that read nothing before they have sent everything.
  const BODY_BYTES = 3_000_000;
  const PIECE_BYTES = 100_000;

  /** Writes the pieces one after the other, then reads to the end. Rejects when the connection is reset. */
  async function exchange(port: number, pieces: Iterable<string | Buffer>): Promise<string> {
    const socket = connect(port, '127.0.0.1').pause();
    const failed = new Promise<never>((_resolve, reject) => void socket.once('error', reject));
    const talk = async (): Promise<string> => {
      await once(socket, 'connect');
      for (const piece of pieces) {
        await new Promise((resolve) => void socket.write(piece, resolve));
        // Gives the server time to answer, and to close if it is going to, before the next piece.
        if (piece.length > 1) await setTimeout(2);
      }
      let text = '';
      socket.setEncoding('latin1').on('data', (data) => (text += String(data))).resume();
      await once(socket, 'end');
      socket.destroy();
      return text;
    };
    return Promise.race([talk(), failed]);
  }

  function head(headers: readonly string[], version = '1.1'): string {
    return [`POST /auth/login HTTP/${version}`, 'Host: x', ...headers, '', ''].join('\r\n');
  }

  function* bodyPieces(): Iterable<Buffer> {
    for (let sent = 0; sent < BODY_BYTES; sent += PIECE_BYTES) yield Buffer.alloc(PIECE_BYTES, 'x');
  }

  function* chunkedPieces(): Iterable<string> {
    for (const piece of bodyPieces()) yield `${piece.length.toString(16)}\r\n${piece.toString()}\r\n`;
    yield '0\r\n\r\n';
  }

  const LENGTH = `Content-Length: ${BODY_BYTES}`;
  const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);

  describe('a body that is too large is answered 413', () => {
    let app: TestApp;
    beforeEach(async () => {
      app = await startApp();
    });
    afterEach(() => app.close());

    test.each([
      ['Connection: close', head([LENGTH, 'Connection: close']), bodyPieces],
      ['Connection: Close, and chunks', head(['Transfer-Encoding: chunked', 'Connection: Close']), chunkedPieces],
      ['HTTP/1.0', head([LENGTH], '1.0'), bodyPieces],
    ])('with %s', async (_name, first, rest) => {
      const text = await exchange(app.port, [first, ...rest()]);
      expect(statuses(text)).toEqual(['413']);
      expect(text).toContain('"code":"payload_too_large"');
    });

    test('when its head comes byte by byte', async () => {
      const text = await exchange(app.port, [...head([LENGTH, 'Connection: close']), ...bodyPieces()]);
      expect(statuses(text)).toEqual(['413']);
    });

    test('behind another one on the same connection', async () => {
      const pieces = [head([LENGTH]), ...bodyPieces(), head([LENGTH, 'Connection: close']), ...bodyPieces()];
      expect(statuses(await exchange(app.port, pieces))).toEqual(['413', '413']);
    });

    test('when the host is about to close its connections', async () => {
      await app.close();
      app = await startApp({
        before: [
          (_req, res, next) => {
            res.setHeader('Connection', 'close');
            next();
          },
        ],
      });
      expect(statuses(await exchange(app.port, [head([LENGTH]), ...bodyPieces()]))).toEqual(['413']);
    });

    test('at once where the connection stays open', async () => {
      const socket = connect(app.port, '127.0.0.1');
      socket.write(head([LENGTH]));
      const [data] = await once(socket, 'data');
      expect(String(data)).toContain('HTTP/1.1 413');
      socket.destroy();
    });
  });

  describe('drainRequest() waits no longer than it may', () => {
    test.each([
      ['bytes', { maxBytes: 10, maxMs: 600_000 }, 'x'.repeat(11)],
      ['milliseconds', { maxBytes: 10, maxMs: 1 }, ''],
    ])('in %s', async (_name, limits, sent) => {
      const server = createServer((req, res) => {
        req.resume();
        void drainRequest(req, res, limits).then(() => res.end('answered'));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.write(head([LENGTH, 'Connection: close']) + sent);
      const [data] = await once(socket, 'data');
      expect(String(data)).toContain('answered');
      socket.destroy();
      server.close();
    });

    test('for a client that goes away', async () => {
      let goAway = (): void => {};
      const server = createServer();
      const drained = new Promise<void>((resolve) => {
        server.once('request', (req, res) => {
          req.once('error', () => {}).resume();
          void drainRequest(req, res, { maxBytes: 10, maxMs: 600_000 }).then(resolve);
          goAway();
        });
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      goAway = () => void socket.destroy();
      socket.write(head([LENGTH, 'Connection: close']));
      await drained;
      server.close();
    });
  });
});
