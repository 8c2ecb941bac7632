import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { expectToSurvive, statusLine } from '../../tests/run/raw-request.ts';
import { serveIndex } from './serve-index.ts';

/** More than streams keep at once. */
const LARGE_PAGE = Array.from({ length: 100_000 }, (_, at) => `<p>${at}`).join('');
const TARBALL = 'builds/a/x/1.0.0+b.tgz';
const FILE = '0123456789';

async function serve(): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), 'stackyard-serve-'));
  mkdirSync(join(out, 'builds/a/x'), { recursive: true });
  writeFileSync(join(out, 'index.html'), '<!doctype html>');
  writeFileSync(join(out, 'large.html'), LARGE_PAGE);
  writeFileSync(join(out, 'builds/a/x.json'), '{}');
  writeFileSync(join(out, TARBALL), FILE);
  writeFileSync(join(out, 'empty.txt'), '');
  mkdirSync(join(out, 'owners/a'), { recursive: true });
  writeFileSync(join(out, 'owners/a/index.html'), '<p>a');
  const server = await serveIndex(out, 0);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(out, { recursive: true });
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('serveIndex()', () => {
  it('answers with the cache rule and type of each path', async () => {
    const base = await serve();
    const cases = [
      ['/', 'text/html; charset=utf-8', 'public, max-age=60, s-maxage=60'],
      ['/builds/a/x.json', 'application/json', 'public, max-age=60, s-maxage=60'],
      ['/builds/a/x/1.0.0%2Bb.tgz', 'application/gzip', 'public, max-age=31536000, immutable'],
    ];
    for (const [path, type, cache] of cases) {
      const { status, headers } = await fetch(base + path);
      expect([path, status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        path,
        200,
        type,
        cache,
      ]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('compresses what pages load, and leaves documents as they are', async () => {
    const base = await serve();
    const answer = async (path: string, init?: RequestInit): Promise<unknown[]> => {
      const response = await fetch(base + path, init);
      const length = response.headers.get('content-length');
      return [response.headers.get('content-encoding'), length, await response.text()];
    };
    const page = '<!doctype html>';
    expect(await answer('/')).toEqual(['gzip', null, page]);
    expect(await answer('/large.html')).toEqual(['gzip', null, LARGE_PAGE]);
    expect(await answer('/builds/a/x.json')).toEqual([null, '2', '{}']);
    const plain = { headers: { 'accept-encoding': 'identity' } };
    expect(await answer('/', plain)).toEqual([null, String(page.length), page]);
    expect((await answer('/', { method: 'HEAD' }))[1]).toBe(String(page.length));
  });

  it('honours ETags and ranges', async () => {
    const base = await serve();
    const etag = (await fetch(`${base}/builds/a/x.json`)).headers.get('etag') ?? '';
    const again = { headers: { 'if-none-match': etag } };
    expect((await fetch(`${base}/builds/a/x.json`, again)).status).toBe(304);
    const several = { headers: { 'if-none-match': `"other", ${etag.slice(2)}` } };
    expect((await fetch(`${base}/builds/a/x.json`, several)).status).toBe(304);
    const part = await fetch(`${base}/builds/a/x/1.0.0%2Bb.tgz`, {
      headers: { range: 'bytes=2-4' },
    });
    expect([part.status, await part.text()]).toEqual([206, '234']);
  });

  it.each(['/nothing', '/%', '/builds', '/.stage/x', '/..%2f..%2fetc/passwd'])(
    'answers 404 to %s and lives on',
    async (path) => {
      const base = await serve();
      expect((await fetch(base + path)).status).toBe(404);
      expect((await fetch(`${base}/`)).status).toBe(200);
    },
  );

  it.each([
    ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
    ['bytes=3-', 206, '3456789', 'bytes 3-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-30', 206, FILE, 'bytes 0-9/10'],
    ['BYTES=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=99999999999999999999-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=5-1', 200, FILE, null],
    ['bytes=1-2,4-5', 200, FILE, null],
    ['bytes=', 200, FILE, null],
    ['bytes=-', 200, FILE, null],
    ['bytes=0x1-2', 200, FILE, null],
    ['lines=1-2', 200, FILE, null],
  ])('answers the range %s with %i', async (range, status, body, part) => {
    const answer = await fetch(`${await serve()}/${TARBALL}`, { headers: { range } });
    expect([answer.status, await answer.text(), answer.headers.get('content-range')]).toEqual([
      status,
      body,
      part,
    ]);
  });

  it('ignores ranges of HEAD, with If-Range, and of what is empty', async () => {
    const base = await serve();
    const head = { method: 'HEAD', headers: { range: 'bytes=1-2' } };
    const condition = { headers: { range: 'bytes=1-2', 'if-range': '"x"' } };
    const last = { headers: { range: 'bytes=-1' } };
    expect((await fetch(`${base}/${TARBALL}`, head)).status).toBe(200);
    expect((await fetch(`${base}/${TARBALL}`, condition)).status).toBe(200);
    expect((await fetch(`${base}/empty.txt`, last)).status).toBe(200);
    expect((await fetch(`${base}/empty.txt`, { headers: { range: 'bytes=0-' } })).status).toBe(416);
  });

  it('answers any Range with 200, 206 or 416, and the bytes that it states', async () => {
    const base = await serve();
    const number = fc.oneof(fc.nat(12), fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.constant(''));
    const near = fc.tuple(number, number).map(([from, to]) => `bytes=${from}-${to}`);
    const any = fc.stringMatching(/^[\u0020-\u007E]{0,40}$/);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          near,
          any,
          any.map((one) => `bytes=${one}`),
        ),
        async (range) => {
          const answer = await fetch(`${base}/${TARBALL}`, { headers: { range } });
          const body = await answer.text();
          if (answer.status === 416) {
            expect([body, answer.headers.get('content-range')]).toEqual(['', 'bytes */10']);
            return;
          }
          const stated = /^bytes (\d+)-(\d+)\/10$/.exec(answer.headers.get('content-range') ?? '');
          expect([200, 206]).toContain(answer.status);
          expect(stated === null).toBe(answer.status === 200);
          const [from, to] = stated === null ? [0, 9] : [Number(stated[1]), Number(stated[2])];
          expect(body).toBe(FILE.slice(from, to + 1));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('answers any first line of a request, and lives on', async () => {
    const base = await serve();
    const send = (target: string): Promise<string> => statusLine(base, `GET ${target} HTTP/1.1`);
    expect(await send(`http://localhost:1/${TARBALL}?x#y`)).toBe('HTTP/1.1 200 OK');
    expect(await send(`http://any.example/${TARBALL}`)).toBe('HTTP/1.1 421 Misdirected Request');
    expect(await send(`/${TARBALL}?x=1`)).toBe('HTTP/1.1 200 OK');
    const missing = [
      '/%00',
      '/%E0%A4%A',
      `/${'x'.repeat(5000)}`,
      `/${'x/'.repeat(5000)}`,
      '/../serve-index.ts',
      '/builds/..%5c..%5cx',
      '//other.example/..',
      'http://',
      '*',
      '/index.html/x',
    ];
    for (const target of missing) {
      expect([target, await send(target)]).toEqual([target, 'HTTP/1.1 404 Not Found']);
    }
    expect(await send(`/${'x'.repeat(50_000)}`)).toBe(
      'HTTP/1.1 431 Request Header Fields Too Large',
    );
    await expectToSurvive(base, ['/', `/${TARBALL}`, '/owners/a', '/empty.txt']);
    expect((await fetch(`${base}/`)).status).toBe(200);
  });

  it('sends an address without its slash to the page', async () => {
    const base = await serve();
    const answer = await fetch(`${base}/owners/a?tab=1`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([301, './a/?tab=1']);
    expect(await (await fetch(`${base}/owners/a`)).text()).toBe('<p>a');
  });

  it.each([
    ['localhost', 200],
    ['LOCALHOST:80', 200],
    ['127.0.0.1:4173', 200],
    ['[::1]:9', 200],
    ['registry.example', 421],
    ['registry.example:4173', 421],
    ['localhost.example', 421],
    ['127.0.0.1.example:4173', 421],
    ['localhost:4173.example', 421],
    ['x@localhost', 421],
    ['127.0.0.2', 421],
    ['', 421],
  ])('answers the host "%s" with %i', async (host, status) => {
    const line = await statusLine(await serve(), 'GET /builds/a/x.json HTTP/1.1', '', host);
    expect(line).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it('lets no page of another origin read an answer', async () => {
    const base = await serve();
    for (const path of ['/', '/builds/a/x.json', '/nothing']) {
      const { headers } = await fetch(base + path, { headers: { origin: 'https://a.example' } });
      expect(headers.get('access-control-allow-origin')).toBe(null);
    }
  });

  it('answers 405 to what is not a read', async () => {
    const answer = await fetch(await serve(), { method: 'POST', body: 'x' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
