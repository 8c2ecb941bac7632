import { expect, test } from 'vitest';
import type { Module } from '../src/module.js';
import { ask, buildTestApp } from './test-app.js';

function getReady(...checks: Module['checks'][]) {
  const modules = checks.map((one = {}, index) => ({ name: `m${index}`, checks: one }));
  return ask(buildTestApp(modules), 'GET /ready');
}

test('GET /ready answers when all checks succeed', async () => {
  const { status, headers, body } = await getReady({ database: () => 1 }, { mail: async () => 'ok' });
  expect([status, headers['cache-control'], body]).toEqual([200, 'no-store', { status: 'ready' }]);
});

test('GET /ready answers 503 with the names of the checks that fail, and without their reasons', async () => {
  const checks = {
    database: () => {
      throw new Error('secret');
    },
    mail: () => Promise.reject(new Error('secret')),
    cache: () => true,
  };
  const { status, text, body } = await getReady(checks);
  expect(status).toBe(503);
  expect(body.error).toMatchObject({ code: 'not_ready', message: 'Not ready: database, mail' });
  expect(text).not.toContain('secret');
});

test('GET /ready does not wait for a check that does not end', async () => {
  const { status, body } = await getReady({ database: () => new Promise(() => undefined) });
  expect([status, body.error.message]).toEqual([503, 'Not ready: database']);
});

test('GET /ready answers 503 while the server shuts down, and GET /health answers ok', async () => {
  const parts = { isDraining: () => true };
  const app = buildTestApp([], {}, parts);
  const { status, body } = await ask(app, 'GET /ready');
  expect([status, body.error.code]).toEqual([503, 'draining']);
  expect((await ask(app, 'GET /health')).status).toBe(200);
});
