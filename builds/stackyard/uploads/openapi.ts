// The routes as OpenAPI 3.1.

const text = { type: 'string' };
const file = {
  type: 'object',
  properties: { id: text, name: text, type: text, size: { type: 'integer' }, created_at: text, url: text },
};
const one = json({ type: 'object', properties: { file } });
const page = json({ type: 'object', properties: { files: { type: 'array', items: file }, next: { type: 'string' } } });
const bytes = { content: { '*/*': { schema: { type: 'string', format: 'binary' } } } };
const query = (name: string) => ({ name, in: 'query', schema: text });
const header = (name: string) => ({ name, in: 'header', schema: text });

export const openapi = {
  paths: {
    '/': {
      get: describe('Lists the files of the user, newest first', { 200: page }, [query('limit'), query('after')]),
      post: {
        ...describe('Stores the body as a file', { 201: one, 200: one }, [query('name'), header('Idempotency-Key')]),
        requestBody: { required: true, ...bytes },
      },
    },
    '/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
      get: describe('What is known of a file', { 200: one }),
      delete: describe('Deletes a file', { 204: {} }),
    },
    '/{id}/content': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
      get: describe('The bytes of a file', { 200: bytes, 206: bytes, 302: {}, 304: {} }, [query('download')]),
    },
  },
};

function json(schema: object) {
  return { content: { 'application/json': { schema } } };
}

function describe(summary: string, answers: Readonly<Record<number, object>>, parameters: readonly object[] = []) {
  const all = Object.entries({ ...answers, 401: {} });
  const responses = Object.fromEntries(all.map(([status, body]) => [status, { description: summary, ...body }]));
  return { summary, tags: ['files'], security: [{ bearer: [] }], parameters, responses };
}
