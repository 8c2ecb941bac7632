// The front: what every answer carries and every request leaves behind.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import helmet from 'helmet';
import { afterEach, expect, test } from 'vitest';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { createRequestFront, pathOf } from './request-front.ts';

let servers: Server[] = [];

afterEach(() => {
  for (const server of servers) server.close();
  servers = [];
});

async function listen(server: Server): Promise<string> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ['/auth/me', '/auth/me'],
  ['/auth/me?token=x?y', '/auth/me'],
  ['?', ''],
  ['', ''],
])('pathOf() of %j is %j', (url, path) => {
  expect(pathOf(url)).toBe(path);
});

test('createRequestFront() sets the headers of helmet, an id, and counts and logs without the query', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const metrics = createMetrics(['/auth/me']);
  const prepare = createRequestFront(log, metrics);
  const url = await listen(
    createServer((req, res) => {
      prepare(req, res);
      req.url = '/changed';
      res.statusCode = 204;
      res.end();
    }),
  );
  const helmets = await listen(
    createServer((req, res) => {
      const policy = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };
      const set = helmet({
        contentSecurityPolicy: { useDefaults: false, directives: policy },
        referrerPolicy: { policy: 'no-referrer' },
        frameguard: { action: 'deny' },
      });
      set(req, res, () => void res.end());
    }),
  );
  const wanted = new Headers((await fetch(helmets)).headers);
  const { headers } = await fetch(`${url}/auth/me?token=S1`, {
    headers: { 'x-request-id': 'id-1' },
  });
  for (const name of ['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])
    wanted.delete(name);
  expect([...wanted.keys()].length).toBeGreaterThan(10);
  expect(Object.fromEntries(headers)).toMatchObject(Object.fromEntries(wanted));
  expect(headers.get('x-request-id')).toBe('id-1');
  await expect.poll(() => lines.length).toBe(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    req: { id: 'id-1', method: 'GET', path: '/auth/me' },
    res: { status: 204 },
  });
  expect((await metrics.render()).text).toContain(
    '_count{method="GET",route="/auth/me",status="204"} 1',
  );
});
