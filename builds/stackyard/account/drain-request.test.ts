// Answers to bodies that are too large, over raw sockets: clients that read nothing before they have sent everything.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { drainRequest } from './drain-request.js';
import { startApp, type TestApp } from './test-app.js';

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
