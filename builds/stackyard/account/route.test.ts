// The answers of a route that no handler gives.

import { expect, test } from 'vitest';
import { jsonAnswer } from './answer.js';
import type { AccountDependencies } from './dependencies.js';
import { accountRoute, answerRoute } from './route.js';
import type { AccountRequest } from './request.js';

const deps = { realm: 'account' } as AccountDependencies;
const route = accountRoute('/x', { GET: async () => jsonAnswer(200, { ok: true }), DELETE: () => Promise.reject(new Error('disk full')) });
const ask = (method: string) => answerRoute(deps, route, { method, requestId: 'r1' } as AccountRequest);

test('answerRoute() answers HEAD as GET', async () => {
  expect([await ask('GET'), await ask('HEAD')]).toMatchObject([{ status: 200 }, { status: 200 }]);
});

test.each(['PUT', 'get', 'constructor', '__proto__', ''])('answerRoute() refuses the method %j', async (method) => {
  expect(await ask(method)).toMatchObject({
    status: 405,
    body: { error: { code: 'method_not_allowed', requestId: 'r1' } },
    headers: { Allow: 'GET, HEAD, DELETE, OPTIONS' },
  });
});

test('answerRoute() answers OPTIONS, and leaves other errors to the host', async () => {
  expect(await ask('OPTIONS')).toMatchObject({ status: 204, headers: { Allow: 'GET, HEAD, DELETE, OPTIONS' } });
  await expect(ask('DELETE')).rejects.toThrow('disk full');
});
