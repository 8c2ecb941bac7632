// The description of the interface.

import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { describeRoutes } from '../builds/stackyard/account-core/openapi.ts';
import { createOpenApi } from './openapi.ts';

const PART = describeRoutes(true);

test('createOpenApi() is a valid document', async () => {
  const validator = new Validator();
  // The validator writes into what it is given.
  const result = await validator.validate(structuredClone(createOpenApi('/auth', PART)));
  expect(result).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('createOpenApi() mounts the account routes at the prefix', () => {
  expect(Object.keys(createOpenApi('/api/accounts', PART).paths)).toEqual([
    '/api/accounts/features',
    '/api/accounts/register',
    '/api/accounts/login',
    '/api/accounts/me',
    '/api/accounts/logout',
    '/api/accounts/logout-all',
    '/api/accounts/password',
    '/api/accounts/sessions',
    '/api/accounts/sessions/{id}',
    '/health',
    '/ready',
    '/openapi.json',
  ]);
});

test('createOpenApi() gives each operation a name of its own', () => {
  const operations = Object.values(createOpenApi('/auth', PART).paths).flatMap((item) =>
    Object.keys(item).flatMap((name) => (name === 'parameters' ? [] : [item[name]])),
  );
  const ids = operations.map((operation) => (operation as { operationId: string }).operationId);
  expect(new Set(ids).size).toBe(ids.length);
});
