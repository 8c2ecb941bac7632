import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveFolder, type Web } from '../src/http/web.js';
import { buildTestApp } from './test-app.js';

const HTML = { Accept: 'text/html,*/*' };
let folder: string;
let web: Web;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'web-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<h1>Page</h1>');
  writeFileSync(join(folder, 'assets/a-1b2c.js'), 'start();');
  writeFileSync(join(folder, 'assets/a-1b2c.js.map'), '{}');
  web = serveFolder(folder);
});

afterAll(() => rmSync(folder, { recursive: true }));

function get(path: string, headers: Record<string, string>) {
  return request(buildTestApp([], {}, { web }))
    .get(path)
    .set(headers)
    .buffer(true)
    .parse((res, done) => {
      let text = '';
      res.on('data', (chunk: Buffer) => (text += chunk.toString()));
      res.on('end', () => done(null, text));
    })
    .then(({ status, headers: answered, body }) => ({
      status,
      headers: answered,
      text: String(typeof body === 'string' ? body : ''),
    }));
}

test.each(['/', '/orders/5?tab=2', '/health/more'])(
  '%s is a page, whose policy forbids everything of others',
  async (path) => {
    const { status, headers, text } = await get(path, HTML);
    expect([status, text]).toEqual([200, '<h1>Page</h1>']);
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
  },
);

test('files have their types, may be kept, and are not sent twice', async () => {
  const { headers, text } = await get('/assets/a-1b2c.js', {});
  expect(text).toBe('start();');
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  const again = await get('/assets/a-1b2c.js', { 'If-None-Match': headers['etag'] ?? '' });
  expect([again.status, again.text]).toEqual([304, '']);
});

test('routes of the API come first', async () => {
  expect((await get('/health', HTML)).text).toBe('{"status":"ok"}');
});

test.each([
  ['/nowhere', { Accept: 'application/json' }],
  ['/nowhere.js', HTML],
  ['/assets/a-1b2c.js.map', HTML],
  ['/assets/..%2f..%2f..%2fetc%2fpasswd.txt', HTML],
  ['/%E0%A4%A.js', HTML],
])('%s is none of them', async (path, headers) => {
  expect((await get(path, headers)).status).toBeGreaterThanOrEqual(400);
});
