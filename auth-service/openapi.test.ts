// The description of the interface, and whether the answers have its form.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { createAuthApp } from './app.ts';
import { readServiceConfig } from './config.ts';
import { createLog } from './log.ts';
import { OPENAPI } from './openapi.ts';
import { openSqliteStore } from './store/sqlite-store.ts';

test('OPENAPI is a valid document of 3.1', async () => {
  const validator = new Validator();
  // The validator writes into what it is given.
  expect(await validator.validate(structuredClone(OPENAPI))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { content: { 'application/json': { schema: object } } }>
  >;
}

const PATHS: Readonly<Record<string, Readonly<Record<string, Operation>>>> = OPENAPI.paths as never;

test('every documented operation is there, and every answer has a documented status and form', async () => {
  const store = openSqliteStore(':memory:');
  const config = readServiceConfig({ NODE_ENV: 'test' });
  const { app } = createAuthApp(config, store, createLog('silent'));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const seen = new Set<string>();
  let token = '';
  const call = async (method: string, path: string, body?: unknown, bearer?: string) => {
    const answer = await fetch(url + path, {
      method,
      headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const value = (await answer.json()) as { token?: string };
    token = value.token ?? token;
    const what = `${method} ${path} ${answer.status}`;
    const schema = PATHS[path]?.[method.toLowerCase()]?.responses[answer.status]?.content;
    expect(schema, what).toBeDefined();
    const { components } = OPENAPI;
    const valid = ajv.validate({ ...schema?.['application/json'].schema, components }, value);
    expect(valid, `${what}: ${ajv.errorsText()}`).toBe(true);
    seen.add(what);
  };
  const account = { email: 'a@example.com', password: 'correct horse' };
  await call('POST', '/auth/register', account);
  await call('POST', '/auth/register', account);
  await call('POST', '/auth/register', { email: 'no', password: 'short' });
  await call('POST', '/auth/register', { email: 'x'.repeat(20_000) });
  await call('POST', '/auth/login', account);
  await call('POST', '/auth/login', { ...account, password: 'wrong' });
  await call('POST', '/auth/login', []);
  await call('GET', '/auth/me');
  await call('GET', '/auth/me', undefined, token);
  await call('GET', '/health');
  await call('GET', '/ready');
  await call('GET', '/openapi.json');
  server.close();
  server.closeAllConnections();
  await store.close();
  expect(seen.size).toBe(12);
  for (const [path, operations] of Object.entries(PATHS)) {
    for (const method of Object.keys(operations)) {
      const prefix = `${method.toUpperCase()} ${path} `;
      expect(
        [...seen].some((what) => what.startsWith(prefix)),
        prefix,
      ).toBe(true);
    }
  }
});
