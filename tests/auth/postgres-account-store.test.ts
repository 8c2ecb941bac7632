// The store of stackyard/account-postgres in a real PostgreSQL.

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  accountMigrations,
  createPostgresStore,
} from '../../builds/stackyard/account-postgres/index.js';
import {
  closeDatabase,
  createPool,
  type Database,
  migrate,
  query,
} from '../../builds/stackyard/postgres/index.js';
import { describeAccountStore } from './account-store.contract.ts';
import { type PostgresServer, startPostgres } from './postgres-fixture.ts';

let server: PostgresServer;
let databases = 0;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server?.remove());

const createUrl = () => server.createDatabase(`a${++databases}`);

describe.each([
  ['PostgreSQL', ''],
  // As some databases of its protocol are always: statements that meet fail with 40001 and are tried again.
  [
    'PostgreSQL with serializable transactions',
    '?options=-cdefault_transaction_isolation%3Dserializable',
  ],
])('%s', (name, parameters) => {
  describeAccountStore(name, async () => {
    const url = `${await createUrl()}${parameters}`;
    const pools: Database[] = [];
    return {
      async open() {
        const db = createPool({ url });
        pools.push(db);
        await migrate(db, accountMigrations);
        return createPostgresStore(db);
      },
      remove: async () => void (await Promise.all(pools.map((db) => closeDatabase(db)))),
    };
  });
});

describe('accountMigrations', () => {
  const withPool = async <T>(url: string, work: (db: Database) => Promise<T>): Promise<T> => {
    const db = createPool({ url });
    try {
      return await work(db);
    } finally {
      await closeDatabase(db);
    }
  };

  test('refuse a table of something else and leave it alone', async () => {
    const url = await createUrl();
    await server.query(url, 'CREATE TABLE users (id INT, email TEXT)');
    await withPool(url, async (db) => {
      await expect(migrate(db, accountMigrations)).rejects.toMatchObject({
        code: 'ERR_MIGRATION_FAILED',
        message: expect.stringContaining(
          'no column password_hash, token_version, created_at',
        ) as string,
      });
      expect(await query("SELECT to_regclass('_migrations') AS found", [], db)).toEqual([
        { found: null },
      ]);
    });
  });

  test('keep to the schema that the URL names', async () => {
    const url = await createUrl();
    await server.query(url, 'CREATE TABLE users (name TEXT); CREATE SCHEMA auth');
    await withPool(`${url}?options=-csearch_path%3Dauth`, async (db) => {
      await migrate(db, accountMigrations);
      const user = {
        email: 'a@example.com',
        passwordHash: 'x',
        createdAt: '2026-11-21T09:30:00.250Z',
      };
      await createPostgresStore(db).users.insert(user);
      expect(await server.query(url, 'SELECT email FROM auth.users')).toEqual([
        { email: user.email },
      ]);
    });
  });

  test('take over the accounts of a database of the auth service', async () => {
    const url = await createUrl();
    // Digests as the service records them: of its statements, joined.
    await server.query(url, SERVICE_TABLES.join(';'));
    for (const [id, statements] of [
      ['0001_account_create_users', SERVICE_TABLES.slice(0, 1)],
      ['0002_account_create_revoked_tokens', SERVICE_TABLES.slice(1, 3)],
    ] as const) {
      const checksum = createHash('sha256').update(statements.join(';\n')).digest('hex');
      await server.query(
        url,
        `INSERT INTO _migrations (id, checksum) VALUES ('${id}', '${checksum}')`,
      );
    }
    await server.query(
      url,
      "INSERT INTO users (email, password_hash) VALUES ('a@example.com', 'x')",
    );
    await withPool(url, async (db) => {
      expect(await migrate(db, accountMigrations)).toEqual([
        '0000_account_check_users',
        '0003_account_create_sessions',
        '0004_account_create_recovery',
      ]);
      expect(await createPostgresStore(db).users.findByEmail('a@example.com')).toMatchObject({
        id: 1,
      });
    });
  });

  test('two starts at once and an older version beside them work on one database', async () => {
    const url = await createUrl();
    const [older, ...newer] = [accountMigrations.slice(0, 3), accountMigrations, accountMigrations];
    await withPool(url, async (db) => {
      await migrate(db, older!);
      const applied = await Promise.all(
        newer.map((list) => withPool(url, (each) => migrate(each, list))),
      );
      expect(applied.flat().sort((a, b) => (a < b ? -1 : 1))).toEqual(
        accountMigrations.slice(3).map(({ id }) => id),
      );
      expect(await migrate(db, older!)).toEqual([]);
    });
  });

  test('ids that JSON cannot carry are refused', async () => {
    const url = await createUrl();
    await withPool(url, async (db) => {
      await migrate(db, accountMigrations);
      const text =
        "INSERT INTO users (id, email, password_hash) VALUES (9007199254740993, 'big@example.com', 'x')";
      await query(text, [], db);
      await expect(createPostgresStore(db).users.findByEmail('big@example.com')).rejects.toThrow(
        RangeError,
      );
    });
  });

  test('what has expired is deleted from time to time', async () => {
    const url = await createUrl();
    await withPool(url, async (db) => {
      await migrate(db, accountMigrations);
      const { users } = createPostgresStore(db);
      await users.revokeToken('t1', 100, 50);
      await users.revokeToken('t2', 1000, 120);
      expect(await query('SELECT jti FROM revoked_tokens', [], db)).toEqual([{ jti: 't2' }]);
    });
  });
});

const SERVICE_TABLES = [
  `CREATE TABLE IF NOT EXISTS users (
        id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
        email TEXT NOT NULL CONSTRAINT users_email_key UNIQUE CHECK (char_length(email) BETWEEN 3 AND 254),
        password_hash TEXT NOT NULL,
        token_version INT4 NOT NULL DEFAULT 0,
        created_at TIMESTAMPTZ NOT NULL DEFAULT now()
      )`,
  'CREATE TABLE IF NOT EXISTS revoked_tokens (jti TEXT PRIMARY KEY, expires_at BIGINT NOT NULL)',
  'CREATE INDEX IF NOT EXISTS revoked_tokens_expires_at ON revoked_tokens (expires_at)',
  `CREATE TABLE IF NOT EXISTS _migrations (
    id TEXT PRIMARY KEY, checksum TEXT NOT NULL, applied_at TIMESTAMPTZ NOT NULL DEFAULT now()
  )`,
];
