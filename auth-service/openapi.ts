// The description of the HTTP interface, made from the schemas when the service starts.

import { z } from 'zod';
import {
  ErrorBody,
  Health,
  Login,
  Me,
  PasswordChange,
  Ready,
  Registration,
  Session,
  User,
} from './schemas.ts';

type OpenApi = Readonly<Record<string, unknown>> & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

interface Operation {
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
  readonly summary: string;
  readonly needsToken?: boolean;
  readonly body?: SchemaName;
  /** Status and schema of each answer; `undefined` for one without a body. */
  readonly answers: Readonly<Record<number, SchemaName | undefined>>;
}

const SCHEMAS = {
  Registration,
  Login,
  PasswordChange,
  User,
  Session,
  Me,
  Error: ErrorBody,
  Health,
  Ready,
} as const;
type SchemaName = keyof typeof SCHEMAS;

const VERSION = '1.0.0';

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  200: 'Success',
  201: 'The account was created',
  204: 'Success, without a body',
  400: 'The body is not JSON or breaks a rule',
  401: 'The token or the credentials are not valid',
  403: 'The current password is wrong, or the login was too long ago',
  409: 'The e-mail is registered already, or the account was changed at the same time',
  413: 'The body is too large',
  429: 'Too many attempts; see the header Retry-After',
  500: 'Something went wrong',
  503: 'Too many requests, or the database is unavailable; see the header Retry-After',
};

const TOKEN_ERRORS = { 401: 'Error', 500: 'Error', 503: 'Error' } as const;
const BODY_ERRORS = {
  400: 'Error',
  413: 'Error',
  429: 'Error',
  500: 'Error',
  503: 'Error',
} as const;

const ACCOUNT_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/register',
    summary: 'Create an account and log in',
    body: 'Registration',
    answers: { 201: 'Session', 409: 'Error', ...BODY_ERRORS },
  },
  {
    method: 'post',
    path: '/login',
    summary: 'Log in',
    body: 'Login',
    answers: { 200: 'Session', 401: 'Error', ...BODY_ERRORS },
  },
  {
    method: 'get',
    path: '/me',
    summary: 'Show the account',
    needsToken: true,
    answers: { 200: 'Me', ...TOKEN_ERRORS },
  },
  {
    method: 'delete',
    path: '/me',
    summary: 'Delete the account; the login must be recent',
    needsToken: true,
    answers: { 204: undefined, 403: 'Error', ...TOKEN_ERRORS },
  },
  {
    method: 'post',
    path: '/logout',
    summary: 'End this session',
    needsToken: true,
    answers: { 204: undefined, ...TOKEN_ERRORS },
  },
  {
    method: 'post',
    path: '/logout-all',
    summary: 'End all sessions of the account',
    needsToken: true,
    answers: { 204: undefined, ...TOKEN_ERRORS },
  },
  {
    method: 'post',
    path: '/password',
    summary: 'Change the password, end all sessions and log in',
    needsToken: true,
    body: 'PasswordChange',
    answers: { 200: 'Session', 401: 'Error', 403: 'Error', 409: 'Error', ...BODY_ERRORS },
  },
];

const ROOT_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/health',
    summary: 'Whether the process answers',
    answers: { 200: 'Health' },
  },
  {
    method: 'get',
    path: '/ready',
    summary: 'Whether the service can do its work',
    answers: { 200: 'Ready', 503: 'Ready' },
  },
  {
    method: 'get',
    path: '/openapi.json',
    summary: 'This document',
    answers: { 200: undefined },
  },
];

/** The document (OpenAPI 3.1) of a service whose account routes are mounted at `prefix`. */
export function createOpenApi(prefix: string): OpenApi {
  const mounted = ACCOUNT_OPERATIONS.map((operation) => ({
    ...operation,
    path: `${prefix}${operation.path}`,
  }));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Accounts',
      version: VERSION,
      description: 'Accounts with e-mail and password, and bearer tokens (JWT, HS256).',
    },
    paths: toPaths([...mounted, ...ROOT_OPERATIONS]),
    components: {
      schemas: toJsonSchemas(),
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}

function toPaths(operations: readonly Operation[]): OpenApi['paths'] {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method] = describe(operation);
  }
  return paths;
}

function describe({ method, path, summary, needsToken, body, answers }: Operation): object {
  const name = path.split('/').at(-1)?.replace('.', '-') ?? '';
  return {
    operationId: `${method}-${name}`,
    summary,
    security: needsToken ? [{ token: [] }] : [],
    ...(body && { requestBody: { required: true, ...toContent(body) } }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, schema]) => [
        status,
        { description: STATUS_TEXTS[Number(status)], ...(schema && toContent(schema)) },
      ]),
    ),
  };
}

function toContent(name: SchemaName): object {
  return { content: { 'application/json': { schema: { $ref: refTo(name) } } } };
}

function toJsonSchemas(): object {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: refTo, io: 'input' });
  // The position of a schema in the document implies its dialect and address.
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [id, withoutAddress(schema)]),
  );
}

function withoutAddress(schema: object): object {
  const isKept = ([name]: [string, unknown]) => name !== '$schema' && name !== '$id';
  return Object.fromEntries(Object.entries(schema).filter(isKept));
}

function refTo(name: string): string {
  return `#/components/schemas/${name}`;
}
