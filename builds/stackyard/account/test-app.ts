// For the tests: an Express application with the account and recovery routes on a free port, and a client that sends
// exactly what a test gives it.

import { once } from 'node:events';
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, {
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { closeDatabase, type Database, openDatabase } from '../sqlite/index.js';
import {
  type Account,
  type AccountEvent,
  type AccountOptions,
  type ConfigNotice,
  createAccount,
  createPasswords,
} from './index.js';
import { createRecovery, type Recovery, type RecoveryMail, type RecoveryOptions } from '../account-recovery/index.js';

export const SECRET = 'a test secret that is long enough for HS256';
export const PASSWORD = 'correct horse';

/** 2026-11-21T09:30:00.250Z */
export const START_MS = 1_795_253_400_250;

const TTL_SECONDS = 604_800;

export interface TestAppOptions extends AccountOptions {
  readonly secret?: string | undefined;
  readonly ttlSeconds?: number;
  readonly notices?: readonly ConfigNotice[];
  readonly recovery?: Partial<RecoveryOptions>;
  /** Middleware of the host, before the account routes. */
  readonly before?: readonly RequestHandler[];
  /** Error handler of the host, mounted with the account routes. */
  readonly after?: ErrorRequestHandler;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; fails when it is no JSON. */
  readonly json: () => {
    user: Record<string, unknown>;
    token: string;
    error: Record<string, unknown>;
    sessions: Record<string, unknown>[];
  };
}

export interface TestApp {
  readonly db: Database;
  readonly account: Account;
  readonly recovery: Recovery;
  /** What was sent. */
  readonly mails: RecoveryMail[];
  readonly port: number;
  readonly events: AccountEvent[];
  readonly logged: string[];
  /** What reached the error handler of the host. */
  readonly hostErrors: unknown[];
  readonly clock: { now: number };
  send(method: string, path: string, body?: string | Buffer, headers?: OutgoingHttpHeaders): Promise<Answer>;
  /** POST with a JSON body. */
  post(path: string, body?: unknown, token?: string): Promise<Answer>;
  get(path: string, token?: string): Promise<Answer>;
  /** Posts the body, and returns the token of the mail that it causes. */
  mailedToken(path: string, body?: unknown, token?: string): Promise<string>;
  /** Registers an account and returns its token. */
  signUp(email?: string, password?: string): Promise<string>;
  close(): Promise<void>;
}

/** Cheap hashes: what they cost is not what most tests are about. */
export const fastPasswords = () => createPasswords({ cost: { logN: 2, r: 1, p: 1 } });

export async function startApp(options: TestAppOptions = {}): Promise<TestApp> {
  const db = openTestDatabase();
  const events: AccountEvent[] = [];
  const logged: string[] = [];
  const hostErrors: unknown[] = [];
  const clock = { now: START_MS };
  const log = {
    warn: (message: string) => void logged.push(message),
    error: (message: string, error?: unknown) =>
      void logged.push(error instanceof Error ? `${message} ${error.message}` : message),
  };
  const secret = 'secret' in options ? options.secret : SECRET;
  const config = { secret, ttlSeconds: options.ttlSeconds ?? TTL_SECONDS, production: false, notices: options.notices ?? [] };
  const account = createAccount(db, config, {
    passwords: fastPasswords(),
    log,
    now: () => clock.now,
    onEvent: (event) => void events.push(event),
    ...options,
  });
  const mails: RecoveryMail[] = [];
  const recovery = createRecovery(account, {
    sendMail: (mail) => void mails.push(mail),
    link: 'https://app.example.com',
    ...options.recovery,
  });

  const app = express();
  for (const middleware of options.before ?? []) app.use(middleware);
  app.use('/auth', account.router);
  if (options.after) app.use('/auth', options.after);
  app.get('/private', account.requireAuth, (req, res) => {
    res.end(JSON.stringify({ user: req.user, locals: res.locals['user'] }));
  });
  app.get('/verified', recovery.requireVerified, (req, res) => void res.end(JSON.stringify({ user: req.user })));
  app.use((_req: Request, res: Response) => void res.status(404).end('host 404'));
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    hostErrors.push(error);
    res.status(500).end('host 500');
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const send: TestApp['send'] = async (method, path, body, headers = {}) => {
    const sent = request({ port, host: '127.0.0.1', method, path, headers, agent: false });
    sent.end(body);
    const [response] = await once(sent, 'response');
    let text = '';
    response.setEncoding('utf8');
    for await (const chunk of response) text += chunk;
    return { status: response.statusCode, headers: response.headers, text, json: () => JSON.parse(text) };
  };
  const bearer = (token: string | undefined) =>
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  const post: TestApp['post'] = (path, body, token) => {
    const headers = { 'content-type': 'application/json', ...bearer(token) };
    return send('POST', path, body === undefined ? undefined : JSON.stringify(body), headers);
  };

  return {
    db,
    account,
    recovery,
    mails,
    port,
    events,
    logged,
    hostErrors,
    clock,
    send,
    post,
    get: (path, token) => send('GET', path, undefined, bearer(token)),
    async mailedToken(path, body, token) {
      const sent = mails.length;
      const answer = await post(path, body, token);
      await recovery.settled();
      const mail = mails[sent];
      if (answer.status !== 202 || !mail) throw new Error(`No mail was sent: ${answer.text}`);
      return mail.token;
    },
    async signUp(email = 'a@example.com', password = PASSWORD) {
      const answer = await post('/auth/register', { email, password });
      if (answer.status !== 201) throw new Error(`Cannot register "${email}": ${answer.text}`);
      return answer.json().token;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      closeDatabase(db);
    },
  };
}

/** A database in memory in which `get` of a statement that writes throws: it would drop the error of the commit. */
function openTestDatabase(): Database {
  const db = openDatabase(':memory:');
  const prepare = db.prepare.bind(db);
  db.prepare = ((sql: string) => {
    const statement = prepare(sql);
    const get = statement.get.bind(statement);
    statement.get = (...values: unknown[]) => {
      if (!statement.readonly) throw new Error(`Call all() instead of get(), which drops errors of the commit: ${sql}`);
      return get(...values);
    };
    return statement;
  }) as Database['prepare'];
  return db;
}
