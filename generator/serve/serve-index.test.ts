import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveIndex } from './serve-index.ts';

async function serve(): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), 'stackyard-serve-'));
  mkdirSync(join(out, 'builds/a/x'), { recursive: true });
  writeFileSync(join(out, 'index.html'), '<!doctype html>');
  writeFileSync(join(out, 'builds/a/x.json'), '{}');
  writeFileSync(join(out, 'builds/a/x/1.0.0+b.tgz'), '0123456789');
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
      ['/', 'text/html;charset=utf-8', 'public, max-age=60, s-maxage=60'],
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

  it('honours ETags and ranges', async () => {
    const base = await serve();
    const etag = (await fetch(`${base}/builds/a/x.json`)).headers.get('etag') ?? '';
    const again = { headers: { 'if-none-match': etag } };
    expect((await fetch(`${base}/builds/a/x.json`, again)).status).toBe(304);
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

  it('answers 405 to what is not a read', async () => {
    const answer = await fetch(await serve(), { method: 'POST', body: 'x' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
