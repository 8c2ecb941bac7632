/** Requests of any method and path, byte for byte: what a client library would not send. */
import { connect } from 'node:net';

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'BREW',
  'get',
  'M-SEARCH',
];

const PATHS = [
  '/',
  '//',
  '//health',
  '///',
  '/./',
  '/../',
  '/..//..',
  '/%2e%2e/',
  '/%00',
  '/%ff',
  '/%',
  '/%zz',
  '/health',
  '/health/',
  '/health//',
  '//example',
  '/example',
  '/example/1',
  '/example/%00',
  '/example/%ff',
  `/example/${'9'.repeat(5000)}`,
  '/docs',
  '/docs/',
  '/docs/oauth2-redirect',
  '/openapi.json',
  '/static-offline-docs',
  '/static-offline-docs/',
  '/static-offline-docs/%00',
  '/static-offline-docs/%ff',
  '/static-offline-docs/../core.py',
  '/static-offline-docs/%2e%2e/core.py',
  '/static-offline-docs//etc/passwd',
  `/static-offline-docs/${'a'.repeat(300)}`,
  '/?',
  '/?a=%ff&%00',
  '/health?x=%',
  '*',
  'http://x/health',
  'http://x',
  'host:443',
  `/${'a'.repeat(9000)}`,
  '/;a=1',
  '/\\',
  '/a|b',
  '/[',
  '/ready',
  '/%F0%9F%98%80',
  '/\'"<>',
  '/probe/taken',
  '//probe/taken',
  '/probe/%2e%2e/health',
  '/probe//',
  '/example//1',
  '/example/1/',
  '/EXAMPLE',
  '/example?',
  '/.env',
  '/app/../.env',
];

export interface RawAnswer {
  readonly request: string;
  /** 0 where there was none. */
  readonly status: number;
  readonly body: string;
}

/** Sends every method with every path, without a body and with one, some at a time; returns all answers. */
export async function sendAll(port: number): Promise<readonly RawAnswer[]> {
  const requests = METHODS.flatMap((method) =>
    PATHS.flatMap((path) => [
      [`${method} ${path}`, ''] as const,
      [`${method} ${path}`, '{}'] as const,
    ]),
  );
  const answers: RawAnswer[] = [];
  const queue = requests[Symbol.iterator]();
  const work = async () => {
    for (const [line, body] of queue) answers.push(await send(port, line, body));
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return answers;
}

function send(port: number, line: string, body: string): Promise<RawAnswer> {
  const length = body === '' ? '' : `Content-Length: ${body.length}\r\n`;
  const text = `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${length}\r\n${body}`;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    socket.setTimeout(20_000, () => socket.destroy(new Error(`No answer to ${line}`)));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('error', reject);
    socket.once('close', () => {
      const [head = '', ...rest] = Buffer.concat(chunks).toString('latin1').split('\r\n\r\n');
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0);
      resolve({ request: `${line} ${body}`, status, body: rest.join('\r\n\r\n') });
    });
  });
}
