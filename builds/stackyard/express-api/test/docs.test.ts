import { Router } from 'express';
import request from 'supertest';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Operations } from '../src/http/docs.js';
import { buildTestApp } from './test-app.js';

const Thing = z.object({ name: z.string(), size: z.coerce.number().default(1) });

const operations: Operations = {
  '/': { post: { summary: 'Add', body: Thing, answers: { 201: Thing, 409: 'It exists' }, needsToken: true } },
  '/{id}': { get: { summary: 'Read', query: z.object({ full: z.string().optional() }), answers: { 304: 'The same' } } },
};

function createApp(env: NodeJS.ProcessEnv = {}) {
  const documented = { prefix: '/things', router: Router(), operations };
  return buildTestApp([{ name: 'things', routes: [documented, { prefix: '/other', router: Router() }] }], env);
}

test('/openapi.json has the operations of the routes, with the schemas of input and answers', async () => {
  const { body } = await request(createApp()).get('/openapi.json');
  expect(body).toMatchObject({
    openapi: '3.1.0',
    info: { title: expect.any(String), version: expect.any(String) },
    components: { schemas: { Error: { type: 'object' } }, securitySchemes: { bearer: { scheme: 'bearer' } } },
  });
  expect(Object.keys(body.paths)).toEqual(['/things', '/things/{id}']);
  const { post } = body.paths['/things'];
  expect(post.security).toEqual([{ bearer: [] }]);
  // What has a default need not be sent, and is in every answer.
  expect(post.requestBody.content['application/json'].schema.required).toEqual(['name']);
  expect(post.responses[201].content['application/json'].schema.required).toEqual(['name', 'size']);
  expect(Object.keys(post.responses)).toEqual(['201', '409', 'default']);
  expect(body.paths['/things/{id}'].get).toEqual({
    summary: 'Read',
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'full', in: 'query', required: false, schema: { type: 'string' } },
    ],
    responses: { 304: { description: 'The same' }, default: { $ref: '#/components/responses/Error' } },
  });
});

test('/docs loads its parts from this server only', async () => {
  const app = createApp();
  const { status, headers, text } = await request(app).get('/docs');
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const sources = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, source]) => source ?? '');
  expect(sources).toHaveLength(3);
  for (const source of sources) expect((await request(app).get(source)).status).toBe(200);
  expect(headers['content-security-policy']).not.toMatch(/https?:|\*|unsafe-eval/);
  expect((await request(app).get('/docs/swagger-ui.js')).status).toBe(404);
});

test('/docs and /openapi.json are off in production unless DOCS is on', async () => {
  for (const path of ['/docs', '/openapi.json', '/docs/start.js']) {
    const statuses = [{}, { DOCS: 'on' }].map(async (env) => {
      return (await request(createApp({ NODE_ENV: 'production', ...env })).get(path)).status;
    });
    expect(await Promise.all(statuses)).toEqual([404, 200]);
  }
});
