// The description of the HTTP interface: the routes of the account module, and the routes of the service itself.

import {
  object,
  operation,
  ref,
  type OpenApiPart,
} from '../builds/stackyard/account-core/index.ts';

type Json = Readonly<Record<string, unknown>>;

export type OpenApi = Json & { readonly paths: Readonly<Record<string, Json>> };

const VERSION = '1.0.0';

const choice = (...values: string[]): Json => ({ type: 'string', enum: values });

const READY = object({
  status: choice('ready', 'unavailable'),
  checks: object({
    database: choice('ok', 'unavailable'),
    secret: choice('ok', 'missing'),
    shutdown: choice('no', 'in_progress'),
  }),
});

const own = (name: string, summary: string, answers: Readonly<Record<number, Json>>): Json => ({
  get: { operationId: `get-${name}`, ...operation(summary, [], answers, undefined, true) },
});

const OWN_PATHS: OpenApi['paths'] = {
  '/health': own('health', 'Whether the process answers', {
    200: object({ status: choice('ok') }),
  }),
  '/ready': own('ready', 'Whether the service can do its work', { 200: READY, 503: READY }),
  '/openapi.json': own('openapi-json', 'This document', { 200: { type: 'object' } }),
};

const UNAVAILABLE = {
  description: 'Too many requests, or the database is unavailable; see Retry-After',
  content: { 'application/json': { schema: ref('AccountError') } },
};

/** The document (OpenAPI 3.1) of a service whose account routes are mounted at `prefix`. */
export function createOpenApi(prefix: string, { paths, schemas }: OpenApiPart): OpenApi {
  const mounted = Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, described]) => [
      method,
      method === 'parameters' ? described : withName(`${method}${path}`, described as Json),
    ]);
    return [`${prefix}${path}`, Object.fromEntries(operations)] as const;
  });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Accounts',
      version: VERSION,
      description: 'Accounts with e-mail and password, and bearer tokens (JWT, HS256).',
    },
    paths: { ...Object.fromEntries(mounted), ...OWN_PATHS },
    components: {
      schemas,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}

function withName(text: string, described: Json): Json {
  const operationId = text.replaceAll(/[{}]/g, '').replaceAll('/', '-');
  const responses = { ...(described['responses'] as Json), 503: UNAVAILABLE };
  return { operationId, ...described, responses };
}
