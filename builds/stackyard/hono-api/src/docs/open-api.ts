// Describes the API in OpenAPI 3.1, from the schemas that also check its input.

import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { Route } from '../routes.js';
import type { Operation } from './operation.js';

/** The one error body of the API, written by http/error-handler.ts. */
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

/** Makes the document of the routes that have operations. */
export function createOpenApi(info: { title: string; version: string }, routes: readonly Route[]): object {
  const entries = routes.flatMap(({ prefix, operations = {} }) => {
    return Object.entries(operations).map(([path, methods]) => [joinPath(prefix, path), methods] as const);
  });
  const paths = entries.map(([path, methods]) => {
    const described = Object.entries(methods).map(([method, operation]) => [method, describe(path, operation)]);
    return [path, Object.fromEntries(described)];
  });
  const needsToken = entries.some(([, methods]) => Object.values(methods).some((one) => one.needsToken));
  return {
    openapi: '3.1.0',
    info,
    paths: Object.fromEntries(paths),
    components: {
      schemas: { Error: toSchema(ErrorBody, 'output') },
      responses: { Error: jsonAnswer('An error', { $ref: '#/components/schemas/Error' }) },
      ...(needsToken && { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } }),
    },
  };
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
