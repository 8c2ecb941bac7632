// The mails that are to be sent, in the database of the application. A row is written with the change that causes it, claimed by
// one sender with a lease that it renews, and kept for a while after it was sent.
//
//   queued -> sent      accepted by the server
//   queued -> dead      refused for good, too many attempts, too late; `sendAgain` makes it queued again

import { randomUUID } from 'node:crypto';
import { type Connection, portableMigrations, type Sql, type SqliteDatabase, statement } from '../sql/index.js';
import type { MailContent } from './mail.js';

export const mailMigrations = portableMigrations([
  {
    id: '0001_mail_create_outbox',
    up: `CREATE TABLE mail_outbox (
  id TEXT PRIMARY KEY,
  message_id TEXT NOT NULL,
  mail_key TEXT UNIQUE,
  status TEXT NOT NULL,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  content TEXT,
  attempts BIGINT NOT NULL,
  due_at BIGINT NOT NULL,
  expires_at BIGINT,
  lease TEXT,
  lease_until BIGINT NOT NULL,
  error TEXT,
  created_at BIGINT NOT NULL,
  finished_at BIGINT
);
CREATE INDEX mail_outbox_due ON mail_outbox (status, due_at);
CREATE INDEX mail_outbox_recipient ON mail_outbox (recipient, created_at);`,
  },
]);

export interface SendOptions {
  /**
   * The connection on which a transaction is open: the mail is committed with it, or not at all. A client of pg; or the database
   * of better-sqlite3, inside of `transaction(...)`: what is wrong is thrown there at once.
   */
  readonly on?: Connection;
  /** A mail with a key that was used in the last days is not sent a second time: for requests that are sent twice. */
  readonly key?: string;
  /** When the mail has become useless, such as a link that has expired: it goes to the dead letters instead. */
  readonly expiresAt?: Date;
}

/** A mail in the outbox. */
export interface OutboxMail {
  readonly id: string;
  /** The header `Message-ID`, the same in each attempt. */
  readonly messageId: string;
  readonly status: 'queued' | 'sent' | 'dead';
  readonly to: string;
  readonly subject: string;
  readonly attempts: number;
  /** Of the last attempt that failed. */
  readonly error: string | null;
  readonly createdAt: string;
  /** When it was sent, or became a dead letter. */
  readonly finishedAt: string | null;
  /** Absent after it was sent, but in development and tests. */
  readonly content?: MailContent;
}

/** A mail that this process sends. */
export interface ClaimedMail {
  readonly id: string;
  readonly messageId: string;
  readonly createdAt: number;
  /** This one included. */
  readonly attempts: number;
  readonly expiresAt: number | null;
  readonly content: MailContent;
}

interface Row {
  readonly id: string;
  readonly message_id: string;
  readonly status: OutboxMail['status'];
  readonly recipient: string;
  readonly subject: string;
  readonly content: string | null;
  readonly attempts: number;
  readonly expires_at: number | null;
  readonly error: string | null;
  readonly created_at: number;
  readonly finished_at: number | null;
}

const MAX_KEY = 200;
const MAX_ERROR = 1000;
const MAX_LISTED = 1000;

/** The statements on the table. Times are milliseconds since 1970. */
export class Outbox {
  readonly #sql: Sql;
  /** Of this process: what another one has claimed is left to it. */
  readonly #lease = randomUUID();
  readonly #now: () => number;

  constructor(sql: Sql, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  /** Stores a mail. Resolves with its id, or `undefined` where the key is in use. On SQLite it has happened when this returns. */
  add(content: MailContent, { on, key, expiresAt }: SendOptions): Promise<string | undefined> {
    if (key !== undefined && (key === '' || key.length > MAX_KEY)) throw new RangeError(`Option "key" is not a text of 1 to ${MAX_KEY} characters`);
    const id = randomUUID();
    const domain = content.from.address.slice(content.from.address.lastIndexOf('@') + 1);
    const now = this.#now();
    const text = `INSERT INTO mail_outbox
  (id, message_id, mail_key, status, recipient, subject, content, attempts, due_at, expires_at, lease_until, created_at)
  VALUES ($1, $2, $3, 'queued', $4, $5, $6, 0, $7, $8, 0, $7) ON CONFLICT (mail_key) DO NOTHING RETURNING id`;
    const values = [id, `<${id}@${domain}>`, key ?? null, content.to.address, content.subject, JSON.stringify(content), now, expiresAt?.getTime() ?? null];
    if (on !== undefined && isSqlite(on)) {
      // Not by `on.query`: in a transaction of SQLite nothing waits for a promise, so a failure has to be thrown.
      const rows = on.prepare(text).all(Object.fromEntries(values.map((value, index) => [index + 1, value])));
      return Promise.resolve(rows.length > 0 ? id : undefined);
    }
    return (on === undefined ? this.#sql : this.#sql.on(on)).query(text, values).then((rows) => (rows.length > 0 ? id : undefined));
  }

  /** Claims the mails that are due, at most `limit`, for `leaseMs`. Two processes never claim the same ones. */
  async claim(limit: number, leaseMs: number): Promise<ClaimedMail[]> {
    const now = this.#now();
    const locked = this.#sql.dialect === 'postgres' ? ' FOR UPDATE SKIP LOCKED' : '';
    const rows = await this.#sql.query<Row>(
      `UPDATE mail_outbox SET lease = $1, lease_until = $2, attempts = attempts + 1 WHERE id IN (
  SELECT id FROM mail_outbox WHERE status = 'queued' AND due_at <= $3 AND lease_until <= $3 ORDER BY due_at LIMIT $4${locked}) RETURNING *`,
      [this.#lease, now + leaseMs, now, limit],
    );
    return rows.map((row) => ({
      id: row.id,
      messageId: row.message_id,
      createdAt: row.created_at,
      attempts: row.attempts,
      expiresAt: row.expires_at,
      content: JSON.parse(row.content ?? '{}') as MailContent,
    }));
  }

  async renew(ids: readonly string[], leaseMs: number): Promise<void> {
    const list = ids.map((_, index) => `$${index + 3}`).join(', ');
    await this.#sql.query(`UPDATE mail_outbox SET lease_until = $1 WHERE lease = $2 AND id IN (${list})`, [this.#now() + leaseMs, this.#lease, ...ids]);
  }

  /** Whoever holds the lease now: the server has accepted it. */
  async markSent(id: string, keepsContent: boolean): Promise<void> {
    const content = keepsContent ? '' : ', content = NULL';
    await this.#sql.query(
      `UPDATE mail_outbox SET status = 'sent', lease = NULL, lease_until = 0, error = NULL, finished_at = $1${content} WHERE id = $2`,
      [this.#now(), id],
    );
  }

  /** Ends an attempt that failed: the next one is after `delayMs`, and there is none without it. */
  async markFailed(id: string, error: string, delayMs: number | undefined): Promise<void> {
    const now = this.#now();
    const status = delayMs === undefined ? 'dead' : 'queued';
    await this.#sql.query(
      `UPDATE mail_outbox SET status = $1, due_at = $2, finished_at = $3, error = $4, lease = NULL, lease_until = 0 WHERE id = $5 AND lease = $6`,
      [status, now + (delayMs ?? 0), delayMs === undefined ? now : null, storable(error), id, this.#lease],
    );
  }

  /** Gives a claimed mail back, as if there had been no attempt. */
  async release(id: string): Promise<void> {
    await this.#sql.query('UPDATE mail_outbox SET lease = NULL, lease_until = 0, attempts = attempts - 1 WHERE id = $1 AND lease = $2', [id, this.#lease]);
  }

  /** Queues a dead letter once more, with all its attempts. Resolves with whether there is such a dead letter. */
  async sendAgain(id: string): Promise<boolean> {
    const rows = await this.#sql.query(
      `UPDATE mail_outbox SET status = 'queued', attempts = 0, due_at = $1, expires_at = NULL, finished_at = NULL WHERE id = $2 AND status = 'dead' RETURNING id`,
      [this.#now(), id],
    );
    return rows.length > 0;
  }

  /** The newest first. */
  async list({ status, to, limit = 100 }: ListOptions = {}): Promise<OutboxMail[]> {
    const conditions = [...(status === undefined ? [] : [['status', status]]), ...(to === undefined ? [] : [['recipient', to]])];
    const where = conditions.map(([column], index) => `${column} = $${index + 2}`).join(' AND ');
    const values = [Math.min(Math.max(Math.trunc(limit), 1), MAX_LISTED), ...conditions.map(([, value]) => value ?? null)];
    const rows = await this.#sql.query<Row>(
      `SELECT * FROM mail_outbox${where && ` WHERE ${where}`} ORDER BY created_at DESC, id LIMIT $1`,
      values,
    );
    return rows.map(toOutboxMail);
  }

  async find(id: string): Promise<OutboxMail | undefined> {
    const [row] = await this.#sql.query<Row>('SELECT * FROM mail_outbox WHERE id = $1', [id]);
    return row && toOutboxMail(row);
  }

  /** Deletes mails that were sent, and dead letters, that are older. */
  async prune(sentBefore: number, deadBefore: number): Promise<void> {
    await this.#sql.transaction(function* () {
      yield* statement("DELETE FROM mail_outbox WHERE status = 'sent' AND finished_at < $1", [sentBefore]);
      yield* statement("DELETE FROM mail_outbox WHERE status = 'dead' AND finished_at < $1", [deadBefore]);
    });
  }
}

export interface ListOptions {
  readonly status?: OutboxMail['status'];
  /** The address, as it was given. */
  readonly to?: string;
  /** Default: 100. */
  readonly limit?: number;
}

function isSqlite(connection: Connection): connection is SqliteDatabase {
  return 'prepare' in connection;
}

// What a server has answered may hold anything.
function storable(text: string): string {
  return text.replace(/[^\t\n\x20-\x7e]/g, '?').slice(0, MAX_ERROR);
}

function toOutboxMail(row: Row): OutboxMail {
  return {
    id: row.id,
    messageId: row.message_id,
    status: row.status,
    to: row.recipient,
    subject: row.subject,
    attempts: row.attempts,
    error: row.error,
    createdAt: new Date(row.created_at).toISOString(),
    finishedAt: row.finished_at === null ? null : new Date(row.finished_at).toISOString(),
    ...(row.content !== null && { content: JSON.parse(row.content) as MailContent }),
  };
}
