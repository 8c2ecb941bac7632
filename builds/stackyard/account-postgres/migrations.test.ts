// What needs no server: the store runs in tests/auth/postgres-account-store.test.ts.

import { expect, test } from 'vitest';
import { accountMigrations, accountModule } from './index.js';

test('accountMigrations have ids in order that carry the name of the build, and SQL', () => {
  const ids = accountMigrations.map(({ id }) => id);
  expect(ids).toEqual([...ids].sort());
  expect(ids.every((id) => /^\d{4}_account_/.test(id))).toBe(true);
  expect(accountMigrations.every(({ up }) => typeof up === 'string')).toBe(true);
});

test('accountModule has its migrations as one list, and opens nothing before the start', () => {
  expect(accountModule.migrations).toEqual([accountMigrations]);
  expect(accountModule.checkSettings({ NODE_ENV: 'test' })).toEqual([]);
  expect(accountModule.checkSettings({}).map(({ name }) => name)).toEqual(['JWT_SECRET']);
});
