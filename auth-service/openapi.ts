// The description of the HTTP interface (OpenAPI 3.1), served as /openapi.json.

type Json = Readonly<Record<string, unknown>>;

const text: Json = { type: 'string' };
const USER = ref('User');
const SESSION = object({ user: USER, token: text });
const READINESS = object({
  status: { enum: ['ready', 'unavailable'] },
  checks: object({
    database: { enum: ['ok', 'unavailable'] },
    shutdown: { enum: ['no', 'in_progress'] },
  }),
});
const ERROR = {
  type: 'object',
  properties: {
    status: { type: 'integer' },
    code: text,
    message: text,
    requestId: text,
    issues: { type: 'array', items: object({ path: text, message: text }) },
  },
  required: ['status', 'code', 'message'],
};

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The body is not JSON, or breaks a rule',
  401: 'There is no valid token, or e-mail and password do not match',
  409: 'The e-mail is registered',
  413: 'The body is too large',
  429: 'Too many attempts; see Retry-After',
  503: 'Too many requests, or the database is unavailable; see Retry-After',
};

export const OPENAPI = {
  openapi: '3.1.0',
  info: {
    title: 'Accounts',
    version: '2.0.0',
    description: 'Accounts with e-mail and password, and bearer tokens (JWT, HS256).',
  },
  paths: {
    '/auth/register': {
      post: operation(
        'register',
        'Registers an account',
        { 201: SESSION },
        [400, 409, 413, 429, 503],
        {
          email: { type: 'string', format: 'email', maxLength: 254 },
          password: { type: 'string', format: 'password', minLength: 8, maxLength: 200 },
        },
      ),
    },
    '/auth/login': {
      post: operation('login', 'Logs in', { 200: SESSION }, [400, 401, 413, 429, 503], {
        email: text,
        password: { type: 'string', format: 'password' },
      }),
    },
    '/auth/me': {
      get: {
        ...operation('me', 'The account of the token', { 200: object({ user: USER }) }, [401, 503]),
        security: [{ bearer: [] }],
      },
    },
    '/health': {
      get: operation('health', 'Whether the process answers', {
        200: object({ status: { const: 'ok' } }),
      }),
    },
    '/ready': {
      get: operation('ready', 'Whether the service can do its work', {
        200: READINESS,
        503: READINESS,
      }),
    },
    '/openapi.json': {
      get: operation('openapi', 'This document', { 200: { type: 'object' } }),
    },
  },
  components: {
    schemas: {
      User: object({
        id: { type: 'integer', minimum: 1 },
        email: text,
        created_at: { type: 'string', format: 'date-time' },
      }),
      Error: object({ error: ERROR }),
    },
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
  },
};

/** An operation: its answers and refusals by status, and the fields of its body. */
function operation(
  operationId: string,
  summary: string,
  answers: Readonly<Record<number, Json>>,
  refusals: readonly number[] = [],
  body?: Readonly<Record<string, Json>>,
): Json {
  const responses: Record<string, Json> = {};
  for (const [status, schema] of Object.entries(answers)) {
    responses[status] = { description: summary, ...json(schema) };
  }
  for (const status of refusals) {
    responses[status] = { description: REFUSALS[status], ...json(ref('Error')) };
  }
  const requestBody = body && { required: true, ...json(object(body)) };
  return { operationId, summary, ...(requestBody && { requestBody }), responses };
}

/** An object with these members, all required. */
function object(properties: Readonly<Record<string, Json>>): Json {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function ref(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function json(schema: Json): Json {
  return { content: { 'application/json': { schema } } };
}
