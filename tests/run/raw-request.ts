/** A request as bytes: `fetch` corrects or refuses what hostile clients send. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';

/** @returns the first line of the answer; empty where the connection was closed without one */
export async function statusLine(
  base: string,
  first: string,
  headers = '',
  host = 'localhost',
): Promise<string> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  // The server may close before it has read everything.
  socket.on('error', () => {});
  // What the headers announce may never be sent.
  socket.setTimeout(500, () => socket.end());
  socket.write(`${first}\r\nHost: ${host}\r\n${headers}Connection: close\r\n\r\n`);
  return (await text(socket)).split('\r\n')[0] ?? '';
}

const METHODS = ['', ...'GET HEAD POST PUT DELETE OPTIONS TRACE QUERY M-SEARCH x'.split(' ')];
const NAMES =
  `Range If-Range If-None-Match If-Modified-Since Accept Accept-Encoding Authorization Content-Type Content-Length
  Transfer-Encoding Expect Upgrade Cookie X-Request-Id X-Forwarded-For Forwarded`.split(/\s+/);
const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.stringMatching(/^[\u0020-\u007E]{0,40}$/),
  fc.constantFrom(
    '%',
    '%00',
    '%E0%A4%A',
    '../',
    '\u0000',
    'bytes=5-1',
    'gzip;q=x',
    'Bearer ',
    '-1',
    '1e9',
    'chunked',
    '100-continue',
    'x'.repeat(5000),
  ),
);
const target = fc
  .tuple(fc.constantFrom('/', '', '*', 'http://x', 'http://', '//', '/%', '/.'), word)
  .map((parts) => parts.join(''));
const headers = fc.array(fc.tuple(fc.constantFrom(...NAMES), word), { maxLength: 4 });

/** Sends hostile requests to the paths of a server, and checks that it answers none with a fault of its own. */
export async function expectToSurvive(
  base: string,
  paths: readonly string[],
  runs = 150,
): Promise<void> {
  const inPath = fc.constantFrom(...paths);
  const any = fc.oneof(
    target,
    inPath,
    fc.tuple(inPath, target).map((parts) => parts.join('?')),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...METHODS), any, headers, async (method, url, list) => {
      const lines = list.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      const line = await statusLine(base, `${method} ${url} HTTP/1.1`, lines);
      if (line.startsWith('HTTP/1.1 5'))
        throw new Error(`${JSON.stringify([method, url, list])}: ${line}`);
    }),
    { numRuns: runs },
  );
}
