import { expect, test } from 'vitest';
import { ask, createTestApp } from '../../../test/test-app.js';
import { createExampleModule } from './module.js';

/** An application with these items. */
async function createApp(...names: readonly string[]) {
  const app = await createTestApp([createExampleModule()]);
  for (const name of names) await ask(app, 'POST /example', { json: { name } });
  return app;
}

test('POST /example adds an item', async () => {
  const app = await createApp();
  const added = await ask(app, 'POST /example', { json: { name: ' Lamp ' } });
  expect([added.status, added.headers['location'], added.headers['etag']]).toEqual([201, '/example/1', '"1"']);
  const item = { id: 1, name: 'Lamp', note: '' };
  expect(added.body).toEqual({ item });
  expect((await ask(app, 'GET /example')).body).toEqual({ items: [item], nextCursor: null });
  expect((await ask(app, 'GET /example/1')).body).toEqual({ item });
});

test('POST /example refuses a body without a name', async () => {
  const { status, body } = await ask(await createApp(), 'POST /example', { json: {} });
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: 'invalid_request', issues: [{ path: 'name' }] });
});

test('POST and PATCH refuse a name that is taken', async () => {
  const app = await createApp('Lamp', 'Chair');
  const taken = { code: 'name_taken', message: 'An item with this name exists' };
  const added = await ask(app, 'POST /example', { json: { name: 'Lamp' } });
  expect([added.status, added.body.error]).toEqual([409, expect.objectContaining(taken)]);
  const changed = await ask(app, 'PATCH /example/2', { json: { name: 'Lamp' } });
  expect([changed.status, changed.body.error]).toEqual([409, expect.objectContaining(taken)]);
  expect((await ask(app, 'PATCH /example/2', { json: { name: 'Chair' } })).status).toBe(200);
});

test.each(['7', '01', '1e0', 'x'])('/example/%s is unknown', async (id) => {
  const app = await createApp('Lamp');
  expect((await ask(app, `GET /example/${id}`)).status).toBe(404);
  for (const method of ['PATCH', 'DELETE']) {
    expect((await ask(app, `${method} /example/${id}`, { json: { name: 'a' } })).status).toBe(404);
  }
});

test('GET /example answers pages', async () => {
  const app = await createApp('A', 'B', 'C', 'D', 'E');
  const names: string[][] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await ask(app, `GET /example?limit=2${cursor && `&cursor=${cursor}`}`);
    names.push(body.items.map(({ name }: { name: string }) => name));
    cursor = body.nextCursor as string | null;
  }
  expect(names).toEqual([['A', 'B'], ['C', 'D'], ['E']]);
});

test('GET /example searches in names', async () => {
  const { body } = await ask(await createApp('Desk lamp', 'Chair', 'LAMP'), 'GET /example?search=lamp');
  expect(body.items.map(({ id }: { id: number }) => id)).toEqual([1, 3]);
});

test.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=', 'limit'],
  ['limit=1&limit=2', 'limit'],
  ['cursor=7', 'cursor'],
  ['cursor=MDE', 'cursor'],
  ['cursor=LTE', 'cursor'],
  ['cursor=MQ==', 'cursor'],
  ['search=', 'search'],
])('GET /example?%s is refused', async (query, path) => {
  const { status, body } = await ask(await createApp(), `GET /example?${query}`);
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: 'invalid_request', issues: [{ path }] });
});

test('GET /example/:id answers 304 for the version that the client has', async () => {
  const app = await createApp('Lamp');
  const get = (tag = '"1"') => ask(app, 'GET /example/1', { headers: { 'If-None-Match': tag } });
  for (const tag of ['"1"', 'W/"1"', '"7", "1"', '*']) {
    const same = await get(tag);
    expect([same.status, same.text, same.headers['etag']]).toEqual([304, '', '"1"']);
  }
  await ask(app, 'PATCH /example/1', { json: { note: 'new' } });
  const other = await get();
  expect([other.status, other.headers['etag']]).toEqual([200, '"2"']);
});

test('PATCH changes what the body has', async () => {
  const app = await createApp('Lamp');
  const { status, headers, body } = await ask(app, 'PATCH /example/1', { json: { note: 'red' } });
  expect([status, headers['etag'], body]).toEqual([200, '"2"', { item: { id: 1, name: 'Lamp', note: 'red' } }]);
  expect((await ask(app, 'PATCH /example/1', { json: {} })).status).toBe(400);
});

test('PATCH and DELETE refuse a version that is no longer the last', async () => {
  const app = await createApp('Lamp');
  const send = (method: 'PATCH' | 'DELETE', tag: string) => {
    return ask(app, `${method} /example/1`, { headers: { 'If-Match': tag }, json: { note: 'red' } });
  };
  expect((await send('PATCH', '"1"')).status).toBe(200);
  for (const method of ['PATCH', 'DELETE'] as const) {
    for (const tag of ['"1"', 'W/"2"', '2']) expect((await send(method, tag)).status).toBe(412);
  }
  expect((await send('PATCH', '"9", "2"')).status).toBe(200);
  expect((await send('DELETE', '*')).status).toBe(204);
  expect((await ask(app, 'GET /example/1')).status).toBe(404);
});

test('the description has the methods that the routes have', async () => {
  const app = await createApp();
  const { body } = await ask(app, 'GET /openapi.json');
  expect(Object.keys(body.paths)).toEqual(['/example', '/example/{id}']);
  for (const [path, methods] of Object.entries<object>(body.paths)) {
    const { headers } = await ask(app, `OPTIONS ${path.replace('{id}', '1')}`);
    const described = Object.keys(methods).map((method) => method.toUpperCase());
    expect(headers['allow']).toBe([...described, 'HEAD', 'OPTIONS'].join(', '));
  }
});
