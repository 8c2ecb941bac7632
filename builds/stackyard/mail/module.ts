// The module of an application: its settings, and the one function that others call. A mail is a job: it is committed
// with the change that causes it, and the worker of stackyard/jobs claims it, sends it and tries again.

import { createHash } from 'node:crypto';
import { defineJob, enqueue, type Job, type JobContext, listJobs, retryJob } from '../jobs/index.js';
import { type Connection, createSql, type PgPool, type SqliteDatabase } from '../sql/index.js';
import { createInbox } from './inbox.js';
import {
  type Address, checkMail, type ListOptions, type Mail, type MailContent, MailError, parseMailbox, type StoredMail,
} from './mail.js';
import { createSmtpTransport, explainFailure, findUrlFault, type Transport } from './smtp.js';

type Environment = Readonly<Record<string, string | undefined>>;

export interface MailModuleOptions {
  /** `database` of the build that provides the database. */
  readonly database: () => SqliteDatabase | PgPool;
  /** In place of SMTP, such as the interface of a provider. An error with `permanent: true` ends the attempts. */
  readonly transport?: Transport;
}

export interface SendOptions {
  /** The connection on which a transaction is open: the mail is committed with it, or not at all. As of `enqueue`. */
  readonly on?: Connection;
  /** A mail with a key that was used in the last day is not sent a second time: for requests that are sent twice. */
  readonly key?: string;
  /** When the mail has become useless, such as a link that has expired: it is dead then. */
  readonly expiresAt?: Date;
}

/** What a job has. Times are milliseconds since 1970. */
interface QueuedMail extends MailContent {
  readonly at: number;
  readonly expiresAt?: number | undefined;
}

/** A `Module` of src/module.ts in a foundation. */
export type MailModule = ReturnType<typeof createMailModule>;

const NAME = 'mail.send';
/** Two days, with a pause of at most 15 minutes. SMTP servers may take ten minutes for an answer. */
const JOB = { attempts: 200, firstPauseMs: 10_000, maxPauseMs: 900_000, timeoutMs: 900_000, concurrency: 5 };
const MAX_KEY = 200;
const MAX_LISTED = 1000;
const DEVELOPMENT_FROM: Address = { name: 'App', address: 'app@localhost' };

let current: { readonly transport: Transport; readonly from: Address; readonly keepsData: boolean } | undefined;
let job: Job<QueuedMail> | undefined;

/**
 * Queues a mail: with `on` it is part of the transaction there. Resolves with the id, or `undefined` where a mail with
 * this `key` exists. Throws at once: `MailError` for the mail and before the start, `JobsError` where jobs have
 * stopped.
 */
export function sendMail(mail: Mail, { on, key, expiresAt }: SendOptions = {}): Promise<string | undefined> {
  const data: QueuedMail = { ...checkMail(mail, started().from), at: Date.now(), expiresAt: expiresAt?.getTime() };
  return enqueue(NAME, data, { ...(on && { on }), ...(key !== undefined && { id: idOf(key) }) });
}

/** The module, of which an application has one. Its start comes behind that of jobs. */
export function createMailModule({ database, transport }: MailModuleOptions) {
  let running: Environment | undefined;
  // Before the start too, as where an application is built without being started.
  const isOpen = () => isDevelopment(running ?? process.env);
  const inbox = createInbox(list, isOpen);
  return {
    name: 'mail' as const,
    checkSettings: (env: Environment) => checkSettings(env, transport !== undefined),
    async start({ env, log }: { readonly env: Environment; readonly log: { info(message: string): void } }) {
      running = env;
      const from = env['MAIL_FROM'] ? parseMailbox('MAIL_FROM', env['MAIL_FROM']) : DEVELOPMENT_FROM;
      const chosen = chooseTransport(env, transport);
      current = { transport: chosen, from, keepsData: isDevelopment(env) };
      // Not before: the worker of jobs, which has started, would find no transport.
      job ??= defineJob<QueuedMail>(NAME, deliver, JOB);
      await takeOver(database);
      if (chosen === keepInInbox && env['NODE_ENV'] === 'development') {
        log.info('No SMTP_URL: mails are not sent, and shown at /dev/mail');
      }
    },
    /** The development inbox where NODE_ENV is exactly `development` or `test`, else none. */
    get routes() {
      return isOpen() ? [inbox] : [];
    },
    /** Mails, the newest first: `list({ status: 'dead' })` are those that were given up. */
    list,
    /** Queues a dead mail again. Resolves with whether there is one of this id. */
    sendAgain: retryJob,
  };
}

async function deliver(mail: QueuedMail, { id, signal, keepData }: JobContext): Promise<void> {
  const { transport, keepsData } = started();
  const { at, expiresAt, ...content } = mail;
  if (expiresAt !== undefined && expiresAt <= Date.now()) {
    throw Object.assign(new Error('It was not sent before it expired'), { permanent: true });
  }
  try {
    await transport({ id, messageId: messageIdOf(id, content), createdAt: at, content }, signal);
  } catch (error) {
    throw explainFailure(error);
  }
  if (keepsData) keepData();
}

async function list({ status, to, limit = 100 }: ListOptions = {}): Promise<StoredMail[]> {
  const jobs = await listJobs({ name: NAME, limit: MAX_LISTED });
  const mails = jobs.map(({ id, status: of, attempts, error, createdAt, finishedAt, data }): StoredMail => {
    const known = of === 'done' ? 'sent' : of === 'dead' ? 'dead' : 'queued';
    const facts = { id, status: known, attempts, error, createdAt, finishedAt } as const;
    if (data === null) return facts;
    const { at: _at, expiresAt: _expiresAt, ...content } = data as QueuedMail;
    return { ...facts, messageId: messageIdOf(id, content), content };
  });
  const isWanted = (mail: StoredMail) =>
    (status === undefined || mail.status === status) && (to === undefined || mail.content?.to.address === to);
  return mails.filter(isWanted).slice(0, limit);
}

/** Version 1 had a table of its own: the mails that wait there become jobs, with their ids. */
async function takeOver(database: MailModuleOptions['database']): Promise<void> {
  const sql = createSql(database);
  const table =
    sql.dialect === 'sqlite'
      ? "SELECT 1 AS found FROM sqlite_master WHERE name = 'mail_outbox'"
      : "SELECT 1 AS found WHERE to_regclass('mail_outbox') IS NOT NULL";
  if ((await sql.query(table)).length === 0) return;
  type Row = { readonly id: string; readonly content: string; readonly at: number; readonly expires: number | null };
  const text = `SELECT id, content, created_at AS at, expires_at AS expires FROM mail_outbox WHERE status = 'queued'`;
  for (const { id, content, at, expires } of await sql.query<Row>(text)) {
    const data: QueuedMail = { ...(JSON.parse(content) as MailContent), at, expiresAt: expires ?? undefined };
    await enqueue(NAME, data, { id });
    await sql.query('DELETE FROM mail_outbox WHERE id = $1', [id]);
  }
}

/** A UUID for each key, so that the table of jobs has one mail of it. */
function idOf(key: string): string {
  const isKey = key !== '' && key.length <= MAX_KEY;
  if (!isKey) throw new RangeError(`Option "key" is not a text of 1 to ${MAX_KEY} characters`);
  const hex = createHash('sha256').update(`mail ${key}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

function messageIdOf(id: string, { from: { address } }: MailContent): string {
  return `<${id}${address.slice(address.lastIndexOf('@'))}>`;
}

/** Exactly these: a server where the variable is not set is one that strangers may reach. */
function isDevelopment(env: Environment): boolean {
  return env['NODE_ENV'] === 'development' || env['NODE_ENV'] === 'test';
}

// A transport of its own for the inbox: the mail has arrived where it is shown.
const keepInInbox: Transport = async () => {};

function chooseTransport(env: Environment, own: Transport | undefined): Transport {
  // A test sends nothing to anybody, whatever the file .env of the developer says.
  if (env['NODE_ENV'] === 'test') return keepInInbox;
  if (own) return own;
  return env['SMTP_URL'] ? createSmtpTransport(env['SMTP_URL']) : keepInInbox;
}

function checkSettings(env: Environment, hasTransport: boolean): { readonly name: string; readonly message: string }[] {
  const problems: { readonly name: string; readonly message: string }[] = [];
  const url = env['SMTP_URL'] ?? '';
  const isNeeded = !isDevelopment(env) && !hasTransport;
  const fault = url === '' && !isNeeded ? undefined : findUrlFault(url);
  if (fault !== undefined) problems.push({ name: 'SMTP_URL', message: fault });
  const from = env['MAIL_FROM'] ?? '';
  if (from === '' && isDevelopment(env)) return problems;
  try {
    parseMailbox('MAIL_FROM', from);
  } catch {
    problems.push({ name: 'MAIL_FROM', message: 'Expected a mailbox such as "App <no-reply@example.com>"' });
  }
  return problems;
}

function started() {
  if (current) return current;
  const message = 'Cannot send the mail: the module is not started. Add "mailModule" to the modules of the application';
  throw new MailError('ERR_MAIL_NOT_STARTED', message);
}
