// The description of the interface.

import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { createOpenApi } from './openapi.ts';

test('createOpenApi() is a valid document', async () => {
  const validator = new Validator();
  // The validator writes into what it is given.
  const result = await validator.validate(structuredClone(createOpenApi('/auth')));
  expect(result).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('createOpenApi() mounts the account routes at the prefix', () => {
  expect(Object.keys(createOpenApi('/api/accounts').paths)).toEqual([
    '/api/accounts/register',
    '/api/accounts/login',
    '/api/accounts/me',
    '/api/accounts/logout',
    '/api/accounts/logout-all',
    '/api/accounts/password',
    '/health',
    '/ready',
    '/openapi.json',
  ]);
});

test('createOpenApi() gives each operation a name of its own', () => {
  const operations = Object.values(createOpenApi('/auth').paths).flatMap((path) =>
    Object.values(path),
  );
  const ids = operations.map((operation) => (operation as { operationId: string }).operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('createOpenApi() describes bodies by what clients send', () => {
  const { components } = createOpenApi('/auth') as unknown as {
    components: {
      schemas: Record<string, { required: string[]; properties: Record<string, object> }>;
    };
  };
  expect(components.schemas['Registration']).toMatchObject({
    required: ['email', 'password'],
    properties: { email: { format: 'email' }, password: { minLength: 8, maxLength: 200 } },
  });
  expect(components.schemas['Session']?.properties['user']).toEqual({
    $ref: '#/components/schemas/User',
  });
});
