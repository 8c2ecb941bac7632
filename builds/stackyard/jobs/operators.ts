// What operators see and do over HTTP, below /ops/jobs. It is never open: without a token or a rule for users nobody gets in.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { schedules } from './define.js';
import type { JobStatus, JobStore } from './store.js';

/** What is used of a context of Hono. */
export interface OperatorContext {
  readonly req: { readonly raw: Request; readonly bodyCache?: object; arrayBuffer(): Promise<ArrayBuffer>; header(name: string): string | undefined };
  readonly env: unknown;
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  newResponse(text: string | null, init: { status: never; headers: Record<string, string> }): Response;
}

/** `requireAuth` of the build that provides `auth`: middleware of Express and connect, and of Hono. */
export interface RequireAuth {
  (c: OperatorContext, next: () => Promise<void>): Promise<Response | void>;
  (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void): void;
}

/** The users that may see and change jobs. */
export interface Operators {
  readonly requireAuth: RequireAuth;
  isOperator(user: { readonly id: number; readonly email: string }): boolean | Promise<boolean>;
}

export interface OperatorRoute {
  readonly prefix: string;
  node(req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void): void;
  fetch(request: Request, info: { readonly prefix: string; readonly requestId?: string }): Promise<Response | undefined>;
  readonly openapi: { readonly paths: Record<string, object>; readonly schemas: Record<string, object> };
}

interface Answer {
  readonly status: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const PREFIX = '/ops/jobs';
const STATUSES: ReadonlySet<string> = new Set<JobStatus>(['queued', 'running', 'done', 'dead']);
const ITEM = /^\/items\/([0-9a-f-]{36})(\/retry)?$/;

export interface OperatorParts {
  readonly store: JobStore;
  readonly operators: Operators | undefined;
  /** JOBS_TOKEN; empty without one. */
  token(): string;
  /** Called where a job was queued again. */
  wake(): void;
}

/** The routes. */
export function createOperatorRoute(parts: OperatorParts): OperatorRoute {
  const { operators } = parts;
  const allowed = async (user: unknown): Promise<Answer | undefined> => {
    const isOperator = user !== undefined && (await operators?.isOperator(user as { readonly id: number; readonly email: string }));
    return isOperator === true ? undefined : refusal(403, 'forbidden', 'This account may not see jobs');
  };
  return {
    prefix: PREFIX,
    node(req, res, next) {
      const { pathname, searchParams } = new URL(req.url ?? '/', 'http://jobs');
      const run = async (refused: Answer | undefined): Promise<void> => {
        const { status, body, headers } = refused ?? (await answer(parts, req.method ?? 'GET', pathname, searchParams));
        const id = res.getHeader('X-Request-Id');
        res.statusCode = status;
        for (const [name, value] of Object.entries(headersOf(body, headers))) res.setHeader(name, value);
        res.end(body && req.method !== 'HEAD' ? encode(body, typeof id === 'string' ? id : undefined) : undefined);
      };
      const hasToken = isToken(parts.token(), req.headers.authorization);
      if (hasToken || !operators) return void passErrors(() => run(hasToken ? undefined : unauthorized()), next);
      operators.requireAuth(req, res, (error) => {
        if (error !== undefined) return next(error);
        void passErrors(async () => run(await allowed((req as { user?: unknown }).user)), next);
      });
    },
    async fetch(request, { prefix, requestId }) {
      const { pathname, searchParams } = new URL(request.url);
      const run = async (refused: Answer | undefined): Promise<Response> => {
        const { status, body, headers } = refused ?? (await answer(parts, request.method, pathname.slice(prefix.length) || '/', searchParams));
        return new Response(body && request.method !== 'HEAD' ? encode(body, requestId) : null, { status, headers: headersOf(body, headers) });
      };
      const hasToken = isToken(parts.token(), request.headers.get('authorization') ?? undefined);
      if (hasToken || !operators) return run(hasToken ? undefined : unauthorized());
      const context = contextOf(request, requestId);
      let passed: Response | undefined;
      const refused = await operators.requireAuth(context, async () => {
        passed = await run(await allowed(context.get('user')));
      });
      return passed ?? (refused as Response);
    },
    openapi: describeRoutes(),
  };
}

async function passErrors(work: () => Promise<void>, next: (error?: unknown) => void): Promise<void> {
  try {
    await work();
  } catch (error) {
    next(error);
  }
}

async function answer({ store, wake }: OperatorParts, method: string, path: string, query: URLSearchParams): Promise<Answer> {
  const isRead = method === 'GET' || method === 'HEAD';
  const refuse = (allow: string): Answer => ({ ...refusal(405, 'method_not_allowed', `Method ${method} is not allowed here`), headers: { Allow: allow } });
  if (path === '/') {
    if (!isRead) return refuse('GET, HEAD');
    const [jobs, stored] = await Promise.all([store.count(), store.readSchedules()]);
    const times = [...schedules.values()].map(({ key, job, cron, zone }) => {
      const at = stored.get(key)?.nextAt;
      return { key, job, cron, zone, nextAt: at === undefined ? null : new Date(at).toISOString() };
    });
    return { status: 200, body: { jobs, schedules: times } };
  }
  if (path === '/items') {
    if (!isRead) return refuse('GET, HEAD');
    const [status, name, limit] = [query.get('status'), query.get('name'), Number(query.get('limit') ?? 100)];
    if ((status !== null && !STATUSES.has(status)) || !Number.isInteger(limit) || limit < 1) {
      return refusal(400, 'invalid_request', 'Invalid request: "status" is queued, running, done or dead, "limit" a whole number from 1');
    }
    return { status: 200, body: { items: await store.list({ limit, ...(status !== null && { status: status as JobStatus }), ...(name !== null && { name }) }) } };
  }
  const [, id = '', isRetry] = ITEM.exec(path) ?? [];
  if (id === '') return refusal(404, 'not_found', 'Not found');
  if (isRetry !== undefined) {
    if (method !== 'POST') return refuse('POST');
    if (!(await store.retry(id))) return refusal(409, 'not_dead', 'There is no dead job of this id, or another one of its key is queued');
    wake();
    return { status: 202, body: { queued: true } };
  }
  if (method !== 'DELETE') return refuse('DELETE');
  return (await store.remove(id)) ? { status: 204 } : refusal(404, 'job_not_found', 'There is no job of this id that is not running');
}

/** Whether the header has the token, compared in a time that says nothing about it. */
function isToken(token: string, authorization: string | undefined): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (token === '' || given === undefined) return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(token), digest(given));
}

function unauthorized(): Answer {
  return { ...refusal(401, 'missing_token', 'Missing or wrong token'), headers: { 'WWW-Authenticate': 'Bearer realm="jobs"' } };
}

function refusal(status: number, code: string, message: string): Answer {
  return { status, body: { error: { status, code, message } } };
}

function headersOf(body: object | undefined, headers: Answer['headers']): Record<string, string> {
  return { 'Cache-Control': 'no-store', ...(body && { 'Content-Type': 'application/json; charset=utf-8' }), ...headers };
}

function encode(body: object, requestId: string | undefined): string {
  const { error } = body as { readonly error?: object };
  return JSON.stringify(error && requestId !== undefined ? { error: { ...error, requestId } } : body);
}

/** A request as `requireAuth` takes it in an application on Hono. */
function contextOf(request: Request, requestId: string | undefined): OperatorContext {
  const values = new Map<string, unknown>([['requestId', requestId]]);
  return {
    req: { raw: request, arrayBuffer: () => request.arrayBuffer(), header: (name) => request.headers.get(name) ?? undefined },
    env: {},
    get: (name) => values.get(name),
    set: (name, value) => void values.set(name, value),
    newResponse: (text, init) => new Response(text, init),
  };
}

function describeRoutes(): OperatorRoute['openapi'] {
  const text = { type: 'string' };
  const time = { type: ['string', 'null'], format: 'date-time' };
  const object = (properties: object) => ({ type: 'object', properties, required: Object.keys(properties) });
  const list = (items: object) => ({ type: 'array', items });
  const status = { enum: [...STATUSES] };
  const item = object({
    id: text, name: text, status, attempts: { type: 'integer' }, runAt: time, singletonKey: { type: ['string', 'null'] },
    error: { type: ['string', 'null'] }, createdAt: time, finishedAt: time,
  });
  const count = object({ name: text, status, count: { type: 'integer' } });
  const scheduled = object({ key: text, job: text, cron: text, zone: text, nextAt: time });
  const error = object({ error: object({ status: { type: 'integer' }, code: text, message: text }) });
  const json = (description: string, schema: object) => ({ description, content: { 'application/json': { schema } } });
  const operation = (summary: string, answers: object, refusals: Readonly<Record<string, string>> = {}) => ({
    summary,
    tags: ['jobs'],
    security: [{ bearer: [] }],
    responses: {
      ...answers,
      ...Object.fromEntries(
        Object.entries({ 401: 'There is no valid token', 403: 'The account is not that of an operator', ...refusals }).map(([code, why]) => [code, json(why, { $ref: '#/components/schemas/JobsError' })]),
      ),
    },
  });
  const id = { name: 'id', in: 'path', required: true, schema: text };
  const query = (name: string, schema: object) => ({ name, in: 'query', schema });
  return {
    paths: {
      '/': { get: operation('Jobs by name and status, and schedules', { 200: json('Jobs and schedules', object({ jobs: list(count), schedules: list(scheduled) })) }) },
      '/items': {
        get: {
          ...operation('The newest jobs', { 200: json('Jobs', object({ items: list({ $ref: '#/components/schemas/Job' }) })) }, { 400: 'A parameter is wrong' }),
          parameters: [query('status', status), query('name', text), query('limit', { type: 'integer', minimum: 1, maximum: 1000 })],
        },
      },
      '/items/{id}': { parameters: [id], delete: operation('Deletes a job that is not running', { 204: { description: 'Deleted' } }, { 404: 'There is no such job' }) },
      '/items/{id}/retry': {
        parameters: [id],
        post: operation('Queues a dead job again', { 202: json('Queued', object({ queued: { type: 'boolean' } })) }, { 409: 'The job is not dead' }),
      },
    },
    schemas: { Job: item, JobsError: error },
  };
}
