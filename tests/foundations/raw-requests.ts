/** Requests of any method and path, byte for byte: what a client library would not send. */
import { connect } from 'node:net';

const METHODS =
  'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT PROPFIND QUERY M-SEARCH BREW get'.split(
    ' ',
  );

/** Usual ones, and what scanners and broken clients send. */
const TARGETS = [
  ...'/ // /// /./ /../ /..//.. /%2e%2e/ /% /%zz /%00 /%ff /? /?% /?a=%ff&%00 /?a[b]=1&a[]=2 //? * ? x'.split(
    ' ',
  ),
  ...'/health /health/ /health// //health /health/. /health;a /HEALTH /health?x=% /ready /.env /;a=1 /{'.split(
    ' ',
  ),
  ...'/example /example/ /example// //example /example/1 /example/1/ /example//1 /example/%00 /example/%ff'.split(
    ' ',
  ),
  ...'/docs /docs/ /docs// /docs/oauth2-redirect /openapi.json /static-offline-docs/%2e%2e/core.py'.split(
    ' ',
  ),
  ...'/static-offline-docs//etc/passwd /probe/ip //probe/ip /probe/%2e%2e/health /example/__proto__'.split(
    ' ',
  ),
  ...'http://x http://x/health https://x:99999/ http://[::1 foo://bar host:443 //evil.example/x /@evil.example'.split(
    ' ',
  ),
  '/\\',
  '/a b',
  '/"<>^`',
  '/\x01',
  `/example/${'9'.repeat(5000)}`,
  `/${'a'.repeat(9000)}`,
];

export interface RawAnswer {
  readonly request: string;
  /** 0 where there was none. */
  readonly status: number;
  /** Up to the empty line. */
  readonly head: string;
  readonly body: string;
}

/** Sends every method with every path, without a body and with one, some at a time; returns all answers. */
export async function sendAll(port: number): Promise<readonly RawAnswer[]> {
  const requests = METHODS.flatMap((method) =>
    TARGETS.flatMap((path) => [
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
      resolve({ request: `${line} ${body}`, status, head, body: rest.join('\r\n\r\n') });
    });
  });
}
