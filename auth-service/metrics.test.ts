// The metrics.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Server } from 'node:http';
import { createMetrics } from './metrics.ts';
import { createMetricsServer } from './server.ts';

const metrics = createMetrics(['/auth/me']);
let servers: Server[];

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeEach(() => {
  servers = [];
});

afterEach(() => {
  for (const server of servers) server.close();
});

test('createMetrics() has no label that a stranger chooses', async () => {
  for (const path of ['/auth/me', '/auth/me/', '/auth/me', '/S2', '/auth/S3'])
    metrics.observeRequest('GET', path, 200, 0.1);
  metrics.observeRequest('PATCH', '/auth/me', 200, 0.1);
  metrics.countEvent({ type: 'logged_in', at: 'x', address: 'S4', email: 'S5', userId: 7 });
  metrics.setDatabaseUp(false);
  const { text } = await metrics.render();
  expect(text).not.toMatch(/S[1-5]/);
  expect(text).toContain('_count{method="GET",route="/auth/me",status="200"} 3');
  expect(text).toContain('_count{method="any",route="other",status="200"} 2');
  expect(text).toContain('_count{method="other",route="/auth/me",status="200"} 1');
  expect(text).toContain('auth_account_events_total{type="logged_in"} 1');
  expect(text).toContain('auth_database_up 0');
});

test('createMetricsServer() serves /metrics and nothing else', async () => {
  const url = await listen(createMetricsServer(() => metrics.render()).listen(0, '127.0.0.1'));
  const answer = await fetch(`${url}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=/);
  expect(await answer.text()).toContain('process_cpu_seconds_total');
  expect((await fetch(`${url}/auth/me`)).status).toBe(404);
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
});
