// The store runs on real databases in tests/auth/account-drizzle.test.ts.

import { getTableConfig } from 'drizzle-orm/pg-core';
import { getTableConfig as getSqliteConfig } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import * as postgresTables from './postgres-schema.js';
import * as sqliteTables from './sqlite-schema.js';

test('the tables have names that carry the build, and deleting an account deletes what belongs to it', () => {
  const tables = [
    ...Object.values(postgresTables).map((table) => getTableConfig(table as never)),
    ...Object.values(sqliteTables).map((table) => getSqliteConfig(table as never)),
  ];
  expect(tables).toHaveLength(10);
  for (const { name, columns, foreignKeys } of tables) {
    expect(name).toMatch(/^account_/);
    expect(foreignKeys.map(({ onDelete }) => onDelete)).toEqual(columns.some((each) => each.name === 'user_id') ? ['cascade'] : []);
  }
});
