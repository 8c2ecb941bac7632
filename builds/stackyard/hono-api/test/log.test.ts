import { Hono } from 'hono';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { AppEnv } from '../src/http/context.js';
import { requestLog } from '../src/http/log.js';
import { ask, buildTestApp } from './test-app.js';

const HEADERS = { Authorization: 'secret', 'X-Request-Id': 'id-1', 'X-Forwarded-For': '192.0.2.1' };

/** Sends requests to an application and returns the lines of its log. */
async function logOf(...paths: readonly string[]): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const logger = pino(
    { base: null },
    { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const router = new Hono<AppEnv>();
  router.get('/own', (c) => {
    requestLog(c).info({ count: 1 }, 'own line');
    return c.json({});
  });
  router.get('/fail', () => {
    throw new Error('broken');
  });
  const checks = { database: () => Promise.reject(new Error('no database')) };
  const module = { name: 't', routes: [{ prefix: '/t', router }], checks };
  const app = buildTestApp([module], { TRUST_PROXY: '1' }, { logger });
  for (const path of paths) await ask(app, `GET ${path}`, { headers: HEADERS });
  return lines;
}

test('a request is one line with its path, without query and headers', async () => {
  const lines = await logOf('/t/own?token=secret');
  const req = { id: 'id-1', method: 'GET', url: '/t/own', remoteAddress: '192.0.2.1' };
  expect(lines).toEqual([
    { level: 30, time: expect.any(Number), req, count: 1, msg: 'own line' },
    {
      level: 30,
      time: expect.any(Number),
      req,
      res: { statusCode: 200 },
      responseTime: expect.any(Number),
      msg: 'GET /t/own 200',
    },
  ]);
});

test('successes of /health are not logged, failures of /health and /ready are', async () => {
  const lines = await logOf('/health', '/health/', '/ready', '/health/x');
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [50, 'GET /ready 503'],
    [40, 'GET /health/x 404'],
  ]);
  expect(JSON.stringify(lines[0])).toContain('no database');
});

test('an unexpected error is logged with its stack', async () => {
  const [line] = await logOf('/t/fail');
  expect(line).toMatchObject({
    level: 50,
    err: { message: 'broken', stack: expect.stringContaining('log.test.ts') },
    msg: 'GET /t/fail 500',
  });
});
