// /openapi.json, from the schemas that also check the input, and a page at /docs to read and try it, without a CDN.

import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { createRequire } from 'node:module';
import { type RequestHandler, Router } from 'express';
import { z } from 'zod';
import type { ModuleRoute, Route } from '../module.js';
import { allowMethods } from './errors.js';

type AnyRoute = Route | ModuleRoute;

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export interface Operation {
  /** A few words, for lists. */
  readonly summary: string;
  readonly description?: string;
  /** Schemas of objects: each property is a parameter. */
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  /** The JSON body. */
  readonly body?: z.ZodType;
  /** By status: the schema of the JSON body, or a text about an answer without one of its own. */
  readonly answers: Readonly<Record<number, z.ZodType | string>>;
  /** Whether it needs a bearer token. */
  readonly needsToken?: boolean;
}

/** By path after the prefix of the feature, such as `/` or `/{id}`. Parameters of the path are texts. */
export type Operations = Readonly<Record<string, Readonly<Partial<Record<Method, Operation>>>>>;

const PACKAGE = new URL('../../package.json', import.meta.url);

/** Files of swagger-ui-dist that the page loads. */
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** For the page only, which needs its own files and inline styles. It still loads nothing of other origins. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/docs/swagger-ui.css"></head><body><div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>
`;

const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null });\n`;

/** Routes of the description of `routes`. Files are read when they are asked for. */
export function createDocsRouter(routes: readonly AnyRoute[]): Router {
  const router = Router();
  const get = (path: string, handle: RequestHandler) => router.route(path).get(handle).all(allowMethods('GET'));
  get('/openapi.json', (_req, res) => void res.json(createOpenApi(readInfo(), routes)));
  get('/docs', (_req, res) => void res.set('Content-Security-Policy', PAGE_POLICY).type('html').send(PAGE));
  get('/docs/start.js', (_req, res) => void res.type('js').send(START));
  for (const file of FILES) {
    get(`/docs/${file}`, (_req, res) => {
      res.sendFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`), { dotfiles: 'allow' });
    });
  }
  return router;
}

function readInfo(): { title: string; version: string } {
  const { name, version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { name: string; version: string };
  return { title: name, version };
}

/** The one error body of the API, written by errors.ts. */
const ErrorBody = z.object({
  error: z.object({
    status: z.int(),
    code: z.string().describe('A stable word for programs'),
    message: z.string(),
    requestId: z.string(),
    issues: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe('What is wrong with the request'),
  }),
});

/** Makes the document of the routes that are described. */
function createOpenApi(info: { title: string; version: string }, routes: readonly AnyRoute[]): object {
  const paths = Object.fromEntries(routes.flatMap(describeRoute));
  const schemas = routes.map((route) => ('openapi' in route && route.openapi?.schemas) || {});
  const needsToken = JSON.stringify(paths).includes('"bearer":[]');
  return {
    openapi: '3.1.0',
    info,
    paths,
    components: {
      schemas: { ...Object.assign({}, ...schemas), Error: toSchema(ErrorBody, 'output') },
      responses: { Error: jsonAnswer('An error', { $ref: '#/components/schemas/Error' }) },
      ...(needsToken && { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } }),
    },
  };
}

/** The path items of a route, with their paths. */
function describeRoute(route: AnyRoute): [string, object][] {
  const { prefix } = route;
  if ('node' in route) {
    return Object.entries(route.openapi?.paths ?? {}).map(([path, item]) => [joinPath(prefix, path), item]);
  }
  return Object.entries(route.operations ?? {}).map(([below, methods]) => {
    const path = joinPath(prefix, below);
    const described = Object.entries(methods).map(([method, operation]) => [method, describe(path, operation)]);
    return [path, Object.fromEntries(described)];
  });
}

function joinPath(prefix: string, path: string): string {
  return path === '/' ? prefix : prefix + path;
}

function describe(path: string, { query, headers, body, answers, needsToken, ...texts }: Operation): object {
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
      return { name, in: 'path', required: true, schema: { type: 'string' } };
    }),
    ...toParameters('query', query),
    ...toParameters('header', headers),
  ];
  const responses = Object.entries(answers).map(([status, answer]) => [status, toAnswer(Number(status), answer)]);
  return {
    ...texts,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: toSchema(body, 'input') } } },
    }),
    responses: { ...Object.fromEntries(responses), default: { $ref: '#/components/responses/Error' } },
    ...(needsToken && { security: [{ bearer: [] }] }),
  };
}

function toParameters(place: 'query' | 'header', schema: z.ZodObject | undefined): object[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = toSchema(schema, 'input');
  return Object.entries(properties).map(([name, value]) => {
    return { name, in: place, required: required.includes(name), schema: value };
  });
}

function toAnswer(status: number, answer: z.ZodType | string): object {
  if (typeof answer !== 'string') return jsonAnswer(STATUS_CODES[status] ?? 'Answer', toSchema(answer, 'output'));
  if (status < 400) return { description: answer };
  return jsonAnswer(answer, { $ref: '#/components/schemas/Error' });
}

function jsonAnswer(description: string, schema: object): object {
  return { description, content: { 'application/json': { schema } } };
}

/** The schema of what clients send (`input`) or get (`output`). */
function toSchema(schema: z.ZodType, io: 'input' | 'output'): z.core.JSONSchema.BaseSchema {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
