import { Router } from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { expect, test } from 'vitest';
import { buildTestApp } from './test-app.js';

/** Sends requests to an application and returns the lines of its log. */
async function logOf(...paths: readonly string[]): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const logger = pino(
    { base: null },
    { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const router = Router();
  router.get('/own', (req, res) => {
    req.log.info({ count: 1 }, 'own line');
    res.json({});
  });
  router.get('/whole', (req, res) => {
    req.log.info({ req }, 'whole request');
    res.json({});
  });
  router.get('/fail', () => {
    throw new Error('broken');
  });
  const checks = { database: () => Promise.reject(new Error('no database')) };
  const app = buildTestApp([{ name: 't', routes: [{ prefix: '/t', router }], checks }], {}, { logger });
  for (const path of paths) await request(app).get(path).set({ Authorization: 'secret', 'X-Request-Id': 'id-1' });
  return lines;
}

test('a request is one line with its path, without query and headers', async () => {
  const lines = await logOf('/t/own?token=secret');
  const req = { id: 'id-1', method: 'GET', url: '/t/own', remoteAddress: expect.stringContaining('127.0.0.1') };
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

test('a request that a handler logs as a whole has no headers', async () => {
  expect(JSON.stringify(await logOf('/t/whole'))).not.toContain('secret');
});

test('successes of /health are not logged, failures of /health and /ready are', async () => {
  const lines = await logOf('/health', '/health/', '/ready', '/health/%ff');
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [50, 'GET /ready 503'],
    [40, 'GET /health/%ff 404'],
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
