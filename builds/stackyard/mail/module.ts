// The module of an application: its settings, the sender that runs between start and stop, and the one function that others call.

import { createSql, type PgPool, type SqliteDatabase } from '../sql/index.js';
import { createInboxRoute, type InboxRoute } from './inbox.js';
import { type Address, checkMail, type Mail, MailError, parseMailbox } from './mail.js';
import { type ListOptions, mailMigrations, Outbox, type OutboxMail, type SendOptions } from './outbox.js';
import { type MailLog, Sender, type SenderOptions } from './sender.js';
import { createSmtpTransport, findUrlFault, type Transport } from './smtp.js';

type Environment = Readonly<Record<string, string | undefined>>;

export interface MailModuleOptions extends SenderOptions {
  /** `database` of the build that provides the database. */
  readonly database: () => SqliteDatabase | PgPool;
  /** In place of SMTP, such as the interface of a provider. An error with `permanent: true` ends the attempts. Not used in tests. */
  readonly transport?: Transport;
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** A `Module` of src/module.ts in a foundation. */
export interface MailModule {
  readonly name: 'mail';
  readonly migrations: readonly unknown[];
  checkSettings(env: Environment): readonly { readonly name: string; readonly message: string }[];
  start(host: { readonly env: Environment; readonly log: MailLog }): void;
  stop(): Promise<void>;
  readonly checks: { readonly mail: () => void };
  /** The development inbox where NODE_ENV is exactly `development` or `test`, else none. */
  readonly routes: readonly InboxRoute[];
  /** As `sendMail`, of this module. */
  send(mail: Mail, options?: SendOptions): Promise<string | undefined>;
  /** Mails, the newest first: `list({ status: 'dead' })` are the dead letters. */
  list(options?: ListOptions): Promise<OutboxMail[]>;
  /** Queues a dead letter again. Resolves with whether there is one of this id. */
  sendAgain(id: string): Promise<boolean>;
}

const DEVELOPMENT_FROM: Address = { name: 'App', address: 'app@localhost' };

let current: MailModule | undefined;

/**
 * Puts a mail into the outbox, which the background sends: with `on` it is part of the transaction there. Resolves with the id, or
 * `undefined` where a mail with this `key` exists. Throws `MailError` at once: `ERR_MAIL_INVALID`, or `ERR_MAIL_NOT_STARTED` before
 * the start of the module.
 */
export function sendMail(mail: Mail, options: SendOptions = {}): Promise<string | undefined> {
  if (current === undefined) throw notStarted();
  return current.send(mail, options);
}

/** The module, of which an application has one. */
export function createMailModule(options: MailModuleOptions): MailModule {
  const { now = Date.now } = options;
  const outbox = new Outbox(createSql(options.database), now);
  let running: { readonly sender: Sender; readonly env: Environment; readonly from: Address } | undefined;
  // Before the start too, as where an application is built without being started.
  const isOpen = () => isDevelopment(running?.env ?? process.env);
  const inbox = createInboxRoute(() => outbox, isOpen);

  const module: MailModule = {
    name: 'mail',
    migrations: [mailMigrations],
    checkSettings: (env) => checkSettings(env, options.transport !== undefined),
    start({ env, log }) {
      const transport = chooseTransport(env, options.transport);
      const from = env['MAIL_FROM'] ? parseMailbox('MAIL_FROM', env['MAIL_FROM']) : DEVELOPMENT_FROM;
      const sender = new Sender({ ...options, outbox, transport, log, now, keepsContent: isDevelopment(env) });
      running = { sender, env, from };
      current = module;
      sender.start();
      if (transport === keepInInbox && env['NODE_ENV'] === 'development') log.info('No SMTP_URL: mails are not sent, and shown at /dev/mail');
    },
    async stop() {
      const { sender } = running ?? {};
      await sender?.stop();
      running = undefined;
      if (current === module) current = undefined;
    },
    checks: {
      mail() {
        if (!running) throw notStarted();
        running.sender.check();
      },
    },
    get routes() {
      return isOpen() ? [inbox] : [];
    },
    send(mail, given = {}) {
      if (!running) throw notStarted();
      const { sender, from } = running;
      const added = outbox.add(checkMail(mail, from), given);
      // Of a transaction that is still open the next look finds it.
      return added.then((id) => {
        sender.wake();
        return id;
      });
    },
    list: (given) => outbox.list(given),
    sendAgain: (id) => outbox.sendAgain(id),
  };
  return module;
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

function notStarted(): MailError {
  return new MailError('ERR_MAIL_NOT_STARTED', 'Cannot send the mail: the module of mail is not started. Add "mailModule" to the modules of the application');
}
