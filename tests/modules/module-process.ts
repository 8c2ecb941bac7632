/**
 * A process that tests kill: orders with a mail or a job each, committed together, and the module that does the rest. It prints a
 * line when it has started, and ends at a signal, in order.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  createJobsModule,
  defineJob,
  enqueue,
  jobsMigrations,
  schedule,
} from '../../builds/stackyard/jobs/index.ts';
import { createMailModule, sendMail } from '../../builds/stackyard/mail/index.ts';
import { migrate as migratePostgres } from '../../builds/stackyard/postgres/migrate.ts';
import { createSql, type Sql } from '../../builds/stackyard/sql/index.ts';
import { openDatabase } from '../../builds/stackyard/sqlite/database.ts';
import { migrate as migrateSqlite } from '../../builds/stackyard/sqlite/migrate.ts';
import type { ProcessTask } from './process-fixture.ts';

const task = JSON.parse(process.argv[2] ?? '') as ProcessTask;
const name = randomUUID();
const FAST = { pollMs: 10, leaseMs: task.leaseMs, stopTimeoutMs: 5000 };
const migrations = [
  ...jobsMigrations,
  ...[
    'CREATE TABLE orders (id TEXT PRIMARY KEY)',
    // What the jobs did: one row for each run, and at most one in the other table at a time.
    'CREATE TABLE runs (order_id TEXT NOT NULL, attempt BIGINT NOT NULL)',
    'CREATE TABLE single (one BIGINT PRIMARY KEY)',
  ].map((up, index) => ({ id: `000${index + 1}_test`, up, sql: up })),
];

const log = { info() {}, warn() {}, error() {} };
const { database, sql, order } = await open();

const jobs = createJobsModule({
  database,
  ...FAST,
  ...(task.nowOffsetMs !== undefined && { now: () => Date.now() + task.nowOffsetMs! }),
});
if (task.what === 'mail') {
  const mail = createMailModule({ database });
  const env = { SMTP_URL: `${task.smtpUrl}?name=${name}`, MAIL_FROM: 'a@shop.example' };
  jobs.start({ env, log });
  await mail.start({ env, log });
} else {
  defineJob<{ order: string }>('single', ({ order: id }, { attempt }) => runAlone(id, attempt), {
    concurrency: 1,
    attempts: 1000,
    firstPauseMs: 1,
    maxPauseMs: 5,
  });
  defineJob('poison', () => process.kill(process.pid, 'SIGKILL'), { attempts: 3, firstPauseMs: 1 });
  schedule('* * * * *', 'single', { data: { order: 'scheduled' }, key: 'minutely' });
  jobs.start({ env: {}, log });
  if (task.poison === true) {
    await enqueue('single', { order: 'poison-was-here' });
    await enqueue('poison');
  }
}
process.once('SIGTERM', () => void jobs.stop().then(() => process.exit()));
console.log('started');

// Ends no earlier than the signal.
setInterval(() => {}, 60_000);
for (let count = 0; count < task.orders; count++) {
  // The disk may be full: an order that is not stored has no mail and no job.
  await order(randomUUID()).catch(() => sleep(10));
  await sleep(1);
}

async function runAlone(id: string, attempt: number): Promise<void> {
  // Left by a process that was killed; a second one that runs at the same time would violate the key.
  if (attempt > 1) await sql.query('DELETE FROM single');
  await sql.query('INSERT INTO single VALUES (1)');
  await sleep(2);
  await sql.query('INSERT INTO runs VALUES ($1, $2)', [id, attempt]);
  await sql.query('DELETE FROM single');
}

/** The database, and what stores an order with its mail or job in one transaction. */
async function open(): Promise<{
  database: () => never;
  sql: Sql;
  order: (id: string) => Promise<void>;
}> {
  const cause = (id: string, on: never) =>
    task.what === 'mail'
      ? sendMail({ to: `${id}@example.com`, subject: id, text: id }, { on })
      : enqueue('single', { order: id }, { on });
  if (task.sqlite !== undefined) {
    const db = openDatabase(task.sqlite);
    migrateSqlite(db, migrations);
    const insert = db.prepare('INSERT INTO orders VALUES (?)');
    const order = async (id: string): Promise<void> =>
      db.transaction(() => {
        insert.run(id);
        void cause(id, db as never);
      })();
    return { database: () => db as never, sql: createSql(() => db), order };
  }
  const pool = new pg.Pool({ connectionString: task.postgres });
  pool.on('error', () => {});
  await migratePostgres(pool, migrations);
  const order = async (id: string): Promise<void> => {
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query('INSERT INTO orders VALUES ($1)', [id]);
    await cause(id, client as never);
    await client.query('COMMIT');
    client.release();
  };
  return { database: () => pool as never, sql: createSql(() => pool), order };
}
