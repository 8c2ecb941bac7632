import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestApp } from '../../../test/test-app.js';
import { createExampleRouter } from './router.js';

function createApp() {
  return createTestApp([{ prefix: '/example', router: createExampleRouter() }]);
}

test('POST /example adds an item', async () => {
  const app = createApp();
  const added = await request(app).post('/example').send({ name: ' Lamp ' });
  expect(added.status).toBe(201);
  expect(added.body).toEqual({ item: { id: 1, name: 'Lamp' } });
  expect((await request(app).get('/example')).body).toEqual({ items: [{ id: 1, name: 'Lamp' }] });
  expect((await request(app).get('/example/1')).body).toEqual({ item: { id: 1, name: 'Lamp' } });
});

test('POST /example refuses a body without a name', async () => {
  const { status, body } = await request(createApp()).post('/example').send({});
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: 'invalid_request', issues: [{ path: 'name' }] });
});

test('POST /example refuses a name that is taken', async () => {
  const app = createApp();
  await request(app).post('/example').send({ name: 'Lamp' });
  const { status, body } = await request(app).post('/example').send({ name: 'Lamp' });
  expect(status).toBe(409);
  expect(body.error).toMatchObject({ code: 'name_taken', message: 'An item with this name exists' });
});

test('GET /example/:id answers 404 for an unknown id', async () => {
  expect((await request(createApp()).get('/example/7')).status).toBe(404);
});
