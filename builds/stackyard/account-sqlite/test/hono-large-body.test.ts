// Answers to bodies that are too large, over raw sockets: clients that read nothing before they have sent everything.

import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from './hono-app.js';

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
        async (c, next) => {
          c.header('Connection', 'close');
          await next();
        },
      ],
    });
    expect(statuses(await exchange(app.port, [head([LENGTH]), ...bodyPieces()]))).toEqual(['413']);
  });
});
