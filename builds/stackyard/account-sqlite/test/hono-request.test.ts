// What the routes read of a request, without a server: the bindings are those of @hono/node-server.

import { Hono, type MiddlewareHandler } from 'hono';
import { describe, expect, test } from 'vitest';
import type { AccountRequest, AccountDependencies } from '../../account-core/index.js';
import { jsonAnswer } from '../../account-core/errors.js';
import { createContextHandler } from '../../account-core/fetch-adapter.js';
import { RouteTable } from '../../account-core/core.js';

const set = (name: string, value: unknown): MiddlewareHandler<{ Variables: Record<string, unknown> }> => {
  return async (c, next) => {
    c.set(name, value);
    await next();
  };
};

/** What is read of a request to `/sessions/x`. */
async function read(
  env: object | undefined,
  init: RequestInit = {},
  middleware: MiddlewareHandler = async (_c, next) => next(),
): Promise<Record<string, unknown>> {
  const table = new RouteTable();
  const show = async ({ method, address, authorization, userAgent, requestId }: AccountRequest, id: string) =>
    jsonAnswer(200, { method, address, authorization, userAgent, requestId, id });
  table.add([{ path: '/sessions/:id', handlers: { GET: show, DELETE: show } }]);
  const app = new Hono();
  app.use('/auth/*', middleware, createContextHandler({ realm: 'account' } as AccountDependencies, table, '/auth'));
  const response = await app.request('/auth/sessions/x', init, env);
  return (await response.json()) as Record<string, unknown>;
}

const incoming = (remoteAddress: string, rawHeaders: string[] = []) => ({ socket: { remoteAddress }, rawHeaders });

test('the adapter reads method, header and path', async () => {
  const headers = { 'User-Agent': 'a browser', Authorization: 'Bearer x' };
  expect(await read(undefined, { method: 'DELETE', headers })).toEqual({
    method: 'DELETE',
    address: '',
    authorization: ['Bearer x'],
    userAgent: 'a browser',
    id: 'x',
  });
});

describe('the address', () => {
  test.each([
    ['of the connection', { incoming: incoming('::ffff:203.0.113.7') }, '203.0.113.7'],
    ['of a network', { incoming: incoming('2001:db8:1:2:3::4') }, '2001:db8:1:2::/64'],
    ['in bindings of a server', { server: { incoming: incoming('203.0.113.8') } }, '203.0.113.8'],
    ['unknown', {}, ''],
  ])('is that %s', async (_name, env, address) => {
    expect((await read(env))['address']).toBe(address);
  });

  test('is the context value "clientAddress" where the host sets it', async () => {
    const env = { incoming: incoming('10.0.0.1') };
    expect((await read(env, {}, set('clientAddress', '203.0.113.9')))['address']).toBe('203.0.113.9');
    expect((await read(env, {}, set('clientAddress', undefined)))['address']).toBe('10.0.0.1');
  });

  test('is not taken from a header', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.9', Forwarded: 'for=203.0.113.9' };
    expect((await read({ incoming: incoming('10.0.0.1') }, { headers }))['address']).toBe('10.0.0.1');
  });
});

describe('the Authorization headers', () => {
  test('are all of them where the server is Node', async () => {
    const rawHeaders = ['Host', 'x', 'Authorization', 'Basic a', 'AUTHORIZATION', 'Bearer b'];
    const env = { incoming: incoming('10.0.0.1', rawHeaders) };
    const headers = { Authorization: 'Basic a, Bearer b' };
    expect((await read(env, { headers }))['authorization']).toEqual(['Basic a', 'Bearer b']);
    expect((await read(undefined, { headers }))['authorization']).toEqual(['Basic a', 'Bearer b']);
  });

  test('are none without one', async () => {
    expect((await read({ incoming: incoming('10.0.0.1') }))['authorization']).toEqual([]);
  });
});

test('the id of the request is the context value "requestId"', async () => {
  expect((await read({}, {}, set('requestId', 'id-1')))['requestId']).toBe('id-1');
  expect((await read({}, {}, set('requestId', 1)))['requestId']).toBeUndefined();
});
