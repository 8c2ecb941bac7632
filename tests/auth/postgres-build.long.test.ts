// The build stackyard/postgres on a real PostgreSQL.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  checkDatabase,
  closeDatabase,
  createPool,
  createPostgresModule,
  createTestDatabase,
  type Database,
  database,
  isUniqueViolation,
  migrate,
  type Migration,
  type PoolOptions,
  query,
  readMigrationStatus,
  runDatabaseCommand,
  transaction,
  useDatabase,
} from '../../builds/stackyard/postgres/index.js';
import { type PostgresServer, startPostgres } from './postgres-fixture.ts';

let server: PostgresServer;
let databases = 0;
const pools: Database[] = [];

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server?.remove());

afterEach(async () => {
  vi.unstubAllEnvs();
  useDatabase(undefined);
  for (const pool of pools.splice(0)) await closeDatabase(pool);
});

const createUrl = () => server.createDatabase(`b${++databases}`);
const open = (url: string, options: PoolOptions = {}): Database => {
  const pool = createPool({ url, ...options });
  pools.push(pool);
  return pool;
};
const NOTES: Migration = {
  id: '0001_app_create_notes',
  up: 'CREATE TABLE notes (id INT PRIMARY KEY, text TEXT NOT NULL); CREATE INDEX notes_text ON notes (text)',
};
const openNotes = async (options?: PoolOptions): Promise<Database> => {
  const db = open(await createUrl(), options);
  await migrate(db, [NOTES]);
  return db;
};
const addNote = (db: Database, id: number) =>
  query('INSERT INTO notes VALUES ($1, $2)', [id, `note ${id}`], db);
const countNotes = async (db: Database) =>
  (await query<{ count: string }>('SELECT count(*) FROM notes', [], db))[0]?.count;
const unavailable = { code: 'ERR_DATABASE_UNAVAILABLE', status: 503 };

describe('database()', () => {
  test('refuses to be opened by a test, which could write to the data of the developer', () => {
    vi.stubEnv('DATABASE_URL', 'postgres://127.0.0.1/app');
    expect(() => database()).toThrow(expect.objectContaining({ code: 'ERR_DATABASE_URL' }));
  });
});

describe('query()', () => {
  test('gives a unique violation as pg does, and the connection stays in use', async () => {
    const db = await openNotes({ max: 1 });
    const pid = () => query('SELECT pg_backend_pid() AS pid', [], db);
    const before = await pid();
    await addNote(db, 1);
    const error: unknown = await addNote(db, 1).catch((reason: unknown) => reason);
    expect(isUniqueViolation(error)).toBe(true);
    expect(await pid()).toEqual(before);
  });

  test('a statement that takes too long ends with an error, and its connection is replaced', async () => {
    const db = await openNotes({ max: 1, statementTimeoutMs: 200 });
    await expect(query('SELECT pg_sleep(60)', [], db)).rejects.toMatchObject({
      code: 'ERR_DATABASE_TIMEOUT',
      status: 503,
    });
    expect(await countNotes(db)).toBe('0');
  });

  test('without a free connection it ends within the time given', async () => {
    const db = await openNotes({ max: 1, connectTimeoutMs: 300 });
    const taken = await db.connect();
    await expect(countNotes(db)).rejects.toMatchObject({ code: 'ERR_DATABASE_BUSY', status: 503 });
    taken.release();
    expect(await countNotes(db)).toBe('0');
  });

  test('a connection that the server ends is replaced', async () => {
    const lost: string[] = [];
    const db = await openNotes({ onConnectionLost: ({ message }) => void lost.push(message) });
    await query('SELECT pg_terminate_backend(pg_backend_pid())', [], db).catch((error: unknown) =>
      expect(error).toMatchObject(unavailable),
    );
    expect(await countNotes(db)).toBe('0');
    const other = open(await createUrl());
    const name = (await query<{ name: string }>('SELECT current_database() AS name', [], db))[0];
    await query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
      [name?.name],
      other,
    );
    await expect.poll(() => lost).toHaveLength(1);
    expect(await countNotes(db)).toBe('0');
  });

  test('a wrong password, an absent database and a read-only one are unavailable', async () => {
    const url = await createUrl();
    for (const wrong of [url.replace(/:[^:@]*@/, ':wrong@'), `${url}_absent`]) {
      const error: unknown = await checkDatabase(open(wrong)).catch((reason: unknown) => reason);
      expect(error).toMatchObject(unavailable);
      expect(String(error)).not.toContain('wrong@');
    }
    const readOnly = open(`${url}?options=-cdefault_transaction_read_only%3Don`);
    await expect(checkDatabase(readOnly)).rejects.toMatchObject(unavailable);
    await expect(query('CREATE TABLE t (id INT)', [], readOnly)).rejects.toMatchObject(unavailable);
  });
});

describe('transaction()', () => {
  test('keeps all or nothing, and passes the error of the work on', async () => {
    const db = await openNotes({ max: 1 });
    const failure = new Error('an error of the application');
    const failing = transaction(
      async (connection) => {
        await connection.query("INSERT INTO notes VALUES (1, 'a')");
        throw failure;
      },
      { db },
    );
    await expect(failing).rejects.toBe(failure);
    expect(await countNotes(db)).toBe('0');
    const result = await transaction(
      async (connection) => {
        await connection.query("INSERT INTO notes VALUES (1, 'a')");
        return 'done';
      },
      { db },
    );
    expect([result, await countNotes(db)]).toEqual(['done', '1']);
  });

  test('serializable transactions that meet are repeated until each has its effect', async () => {
    const db = await openNotes();
    await addNote(db, 0);
    let runs = 0;
    const { promise: allHaveRead, resolve: goOn } = Promise.withResolvers<void>();
    const next = () =>
      transaction(
        async (connection) => {
          runs++;
          const { rows } = await connection.query<{ max: number }>('SELECT max(id) FROM notes');
          if (runs === 3) goOn();
          await allHaveRead;
          await connection.query("INSERT INTO notes VALUES ($1, 'next')", [
            (rows[0]?.max ?? 0) + 1,
          ]);
        },
        { db, isolation: 'serializable' },
      );
    await Promise.all([next(), next(), next()]);
    expect(await countNotes(db)).toBe('4');
    expect(runs).toBeGreaterThan(3);
  });

  test('two that lock each other both end', async () => {
    const db = await openNotes();
    await addNote(db, 1);
    await addNote(db, 2);
    const change = (first: number, second: number) =>
      transaction(
        async (connection) => {
          await connection.query("UPDATE notes SET text = text || '+' WHERE id = $1", [first]);
          await sleep(100);
          await connection.query("UPDATE notes SET text = text || '+' WHERE id = $1", [second]);
        },
        { db },
      );
    await Promise.all([change(1, 2), change(2, 1)]);
    const rows = await query('SELECT text FROM notes ORDER BY id', [], db);
    expect(rows).toEqual([{ text: 'note 1++' }, { text: 'note 2++' }]);
  });

  test('a caught error of a statement is not taken for a success', async () => {
    const db = await openNotes({ max: 1 });
    const swallowing = transaction(
      async (connection) => {
        await connection.query("INSERT INTO notes VALUES (1, 'a')");
        await connection.query("INSERT INTO notes VALUES (1, 'b')").catch(() => {});
      },
      { db },
    );
    await expect(swallowing).rejects.toMatchObject({ code: 'ERR_DATABASE_ROLLED_BACK' });
    expect(await countNotes(db)).toBe('0');
  });

  test('a connection that breaks in the middle leaves nothing', async () => {
    const db = await openNotes();
    const breaking = transaction(
      async (connection) => {
        await connection.query("INSERT INTO notes VALUES (1, 'a')");
        await connection.query('SELECT pg_terminate_backend(pg_backend_pid())');
      },
      { db },
    );
    await expect(breaking).rejects.toMatchObject(unavailable);
    expect(await countNotes(db)).toBe('0');
  });
});

describe('migrate()', () => {
  test('applies in order what is missing, and records it with its digest', async () => {
    const db = open(await createUrl());
    const filled: Migration = {
      id: '0002_app_fill_notes',
      up: (connection) => connection.query("INSERT INTO notes VALUES (1, 'a')"),
    };
    expect(await migrate(db, [[NOTES], filled])).toEqual([NOTES.id, filled.id]);
    expect(await migrate(db, [[NOTES], filled])).toEqual([]);
    const late: Migration = { id: '0001_zoo_create_cats', up: 'CREATE TABLE cats (id INT)' };
    expect(await migrate(db, [late, NOTES, filled])).toEqual([late.id]);
    const rows = await query(
      'SELECT id, length(checksum) FROM _migrations ORDER BY applied_at',
      [],
      db,
    );
    expect(rows).toEqual([
      { id: NOTES.id, length: 64 },
      { id: filled.id, length: 'function'.length },
      { id: late.id, length: 64 },
    ]);
  });

  test('of many processes that start at once one applies each', async () => {
    const url = await createUrl();
    const slow: Migration = {
      id: '0002_app_wait',
      up: 'SELECT pg_sleep(2.2); CREATE TABLE waited (id INT)',
    };
    const applied = await Promise.all(
      Array.from({ length: 8 }, () =>
        migrate(open(url, { statementTimeoutMs: 2_000 }), [NOTES, slow]),
      ),
    );
    expect(applied.flat().sort((a, b) => (a < b ? -1 : 1))).toEqual([NOTES.id, slow.id]);
  });

  test('one that fails in the middle leaves nothing, and the next start tries it again', async () => {
    const db = open(await createUrl());
    const failing = { id: '0002_app_fail', up: 'CREATE TABLE half (id INT); SELECT 1/0' };
    const error: unknown = await migrate(db, [NOTES, failing]).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'ERR_MIGRATION_FAILED', status: 500 });
    expect(String(error)).toContain('"0002_app_fail" failed and was rolled back: division by zero');
    expect(await query("SELECT to_regclass('half') AS half", [], db)).toEqual([{ half: null }]);
    expect(await readMigrationStatus(db, [NOTES, failing])).toMatchObject([
      { id: NOTES.id, state: 'applied' },
      { id: failing.id, state: 'pending' },
    ]);
    const thrown = new Error('an error of the function');
    const throwing: Migration = {
      id: failing.id,
      up: async (connection) => {
        await connection.query('CREATE TABLE half (id INT)');
        throw thrown;
      },
    };
    await expect(migrate(db, [NOTES, throwing])).rejects.toBe(thrown);
    expect(await migrate(db, [NOTES, { ...failing, up: 'CREATE TABLE half (id INT)' }])).toEqual([
      failing.id,
    ]);
  });

  test('is refused for an edited one before any other is applied; line ends do not count', async () => {
    const db = open(await createUrl());
    const lines = {
      id: '0002_app_lines',
      up: 'CREATE TABLE a (id INT);\nCREATE TABLE b (id INT);',
    };
    await migrate(db, [lines]);
    const edited = migrate(db, [NOTES, { ...lines, up: `${lines.up} ` }]);
    await expect(edited).rejects.toMatchObject({ code: 'ERR_MIGRATION_EDITED' });
    const windows = { ...lines, up: lines.up.replace('\n', '\r\n') };
    expect(await migrate(db, [NOTES, windows])).toEqual([NOTES.id]);
  });

  test.each([
    'CREATE TABLE t (id INT); COMMIT; CREATE TABLE u (id INT)',
    'BEGIN; CREATE TABLE t (id INT); COMMIT',
    'CREATE TABLE t (id INT); /* ; */ ROLLBACK',
    'CREATE TABLE t (id INT); SAVEPOINT s',
  ])('is refused for SQL that ends its transaction: %s', async (up) => {
    const db = open(await createUrl());
    const migrating = migrate(db, [{ id: '0001_app_end', up }]);
    await expect(migrating).rejects.toMatchObject({ code: 'ERR_MIGRATION_SQL' });
    expect(await query("SELECT to_regclass('t') AS t", [], db)).toEqual([{ t: null }]);
  });

  test('is refused for a function that ends its transaction', async () => {
    const db = open(await createUrl());
    const up = (connection: { query(text: string): Promise<unknown> }) =>
      connection.query('COMMIT; BEGIN');
    const migrating = migrate(db, [{ id: '0001_app_end', up }]);
    await expect(migrating).rejects.toMatchObject({ code: 'ERR_MIGRATION_SQL' });
  });

  test.each([
    ['ERR_MIGRATION_ID', [{ ...NOTES, id: '1_app' }]],
    ['ERR_MIGRATION_DUPLICATE', [NOTES, [NOTES]]],
    ['ERR_MIGRATION_SQL', [{ ...NOTES, up: ' ' }]],
    ['ERR_MIGRATION_SQL', [{ id: NOTES.id, sql: 'of another database' } as unknown as Migration]],
  ])('is refused with %s before anything is applied', async (code, migrations) => {
    const db = open(await createUrl());
    await expect(migrate(db, migrations)).rejects.toMatchObject({ code });
    expect(await query("SELECT to_regclass('_migrations') AS t", [], db)).toEqual([{ t: null }]);
  });

  test('a table of another tool is named', async () => {
    const db = open(await createUrl());
    await query('CREATE TABLE _migrations (name TEXT)', [], db);
    await expect(migrate(db, [NOTES])).rejects.toMatchObject({ code: 'ERR_MIGRATION_TABLE' });
  });

  test('needs no right to create tables that are there', async () => {
    const url = await createUrl();
    const owner = open(url);
    await query("CREATE ROLE reader LOGIN PASSWORD 'secret'", [], owner);
    const limited = open(url.replace(/\/\/[^@]*@/, '//reader:secret@'));
    await expect(migrate(limited, [NOTES])).rejects.toMatchObject({
      code: 'ERR_MIGRATION_FAILED',
      message: expect.stringContaining('db:migrate') as string,
    });
    await migrate(owner, [NOTES]);
    await query('GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader', [], owner);
    expect(await migrate(limited, [NOTES])).toEqual([]);
  });
});

describe('runDatabaseCommand()', () => {
  const run = async (url: string, ...args: string[]) => {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line.replace(/ {2}\d{4}-\S+$/, '  TIME'));
    const status = await runDatabaseCommand(args, [NOTES], { url, print, printError: print });
    return [status, ...lines];
  };

  test('lists and applies migrations', async () => {
    const url = await createUrl();
    expect(await run(url, 'status')).toEqual([
      1,
      `pending   ${NOTES.id}`,
      '1 of 1 migrations are pending or edited',
    ]);
    expect(await run(url, 'migrate')).toEqual([0, `applied   ${NOTES.id}`]);
    expect(await run(url, 'migrate')).toEqual([0, 'Nothing is pending']);
    expect(await run(url, 'status')).toEqual([
      0,
      `applied   ${NOTES.id}  TIME`,
      'Nothing is pending',
    ]);
    expect((await run(url, 'drop'))[0]).toBe(2);
    expect(await run(`${url}_absent`, 'status')).toEqual([
      1,
      expect.stringMatching(/^error: The database is unavailable: database ".*" does not exist/),
    ]);
  });
});

describe('createTestDatabase()', () => {
  test('gives each test file a database of its own, which database() opens', async () => {
    const url = await createUrl();
    vi.stubEnv('DATABASE_URL', url);
    const [one, two] = [
      await createTestDatabase({ migrations: [NOTES] }),
      await createTestDatabase(),
    ];
    await addNote(one.db, 1);
    expect(database()).toBe(two.db);
    await migrate(two.db, [NOTES]);
    expect(await query('SELECT id FROM notes')).toEqual([]);
    const names = () =>
      server.query(url, "SELECT datname FROM pg_database WHERE datname LIKE 'stackyard_test_%'");
    expect(await names()).toHaveLength(2);
    await one.drop();
    await two.drop();
    expect(await names()).toEqual([]);
  });

  test('deletes what killed runs have left, but nothing of today', async () => {
    const url = await createUrl();
    await server.createDatabase('stackyard_test_1700000000000_00000000000a');
    await server.createDatabase(`stackyard_test_${Date.now()}_00000000000b`);
    const { drop } = await createTestDatabase({ url });
    await drop();
    const rows = await server.query(
      url,
      "SELECT datname FROM pg_database WHERE datname LIKE 'stackyard_test_%'",
    );
    expect(rows).toEqual([{ datname: expect.stringMatching(/_00000000000b$/) as string }]);
  });
});

// Last, since it stops the server of all.
describe('createPostgresModule()', () => {
  const host = (env: Record<string, string>, migrations: readonly unknown[] = [[NOTES]]) => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    return { env, migrations, lines, log: { info: write, warn: write } };
  };

  test('applies the migrations of all modules before the server listens', async () => {
    const own = { id: '0001_app_fill_notes', up: "INSERT INTO notes VALUES (7, 'own')" };
    const module = createPostgresModule([[NOTES], own]);
    const started = host({ NODE_ENV: 'production', DATABASE_URL: await createUrl() });
    expect(module.checkSettings(started.env)).toEqual([]);
    await module.start(started);
    const applied = [NOTES.id, own.id].map((id) => `Migration "${id}" was applied`);
    expect(started.lines).toEqual(applied);
    await module.checks.database();
    await addNote(database(), 1);
    await module.stop();
  });

  test('in tests makes a database of its own, and deletes it', async () => {
    const url = await createUrl();
    for (let starts = 1; starts <= 2; starts++) {
      const module = createPostgresModule();
      await module.start(host({ NODE_ENV: 'test', DATABASE_URL: url }));
      await addNote(database(), 1);
      await module.stop();
    }
    expect(await server.query(url, "SELECT to_regclass('notes') AS notes")).toEqual([
      { notes: null },
    ]);
  });

  test('waits for a database that is away at the start, and works again when it is back', async () => {
    const url = await createUrl();
    server.stop('fast');
    const module = createPostgresModule();
    const started = host({ NODE_ENV: 'production', DATABASE_URL: url });
    const starting = module.start(started);
    await expect
      .poll(() => started.lines.join('\n'))
      .toContain('Waiting for the database: The database is unavailable');
    server.start();
    await starting;

    server.stop('immediate');
    await expect(module.checks.database()).rejects.toMatchObject(unavailable);
    await expect(addNote(database(), 1)).rejects.toMatchObject(unavailable);
    await expect(transaction(async () => {})).rejects.toMatchObject(unavailable);
    server.start();
    await module.checks.database();
    await addNote(database(), 1);
    await module.stop();
  });

  test('ends the start at once where waiting does not help', async () => {
    const url = await createUrl();
    const begin = Date.now();
    for (const wrong of [url.replace(/:[^:@]*@/, ':wrong@'), `${url}_absent`]) {
      const module = createPostgresModule([], { startTimeoutMs: 3_600_000 });
      const starting = module.start(host({ NODE_ENV: 'production', DATABASE_URL: wrong }));
      await expect(starting).rejects.toMatchObject(unavailable);
    }
    const failing = host({ NODE_ENV: 'production', DATABASE_URL: url }, [
      { id: '0001_app_fail', up: 'SELECT 1/0' },
    ]);
    await expect(createPostgresModule().start(failing)).rejects.toMatchObject({
      code: 'ERR_MIGRATION_FAILED',
    });
    expect(Date.now() - begin).toBeLessThan(3_600_000);
    const away = createPostgresModule([], { startTimeoutMs: 300 });
    const nowhere = host({ NODE_ENV: 'production', DATABASE_URL: 'postgres://127.0.0.1:1/app' });
    await expect(away.start(nowhere)).rejects.toMatchObject(unavailable);
  });
});
