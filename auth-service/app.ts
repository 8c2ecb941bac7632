import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import express, { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import { dictionary } from '@zxcvbn-ts/language-common';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import helmet from 'helmet';
import {
  createAccounts,
  createPasswords,
  createTokens,
  noThrottle,
  type PasswordRule,
  type Throttle,
  type Tokens,
} from '../builds/stackyard/account-core/index.ts';
import { createRecovery } from '../builds/stackyard/account-recovery/index.ts';
import {
  answerFailure,
  answerNotFound,
  answerOtherMethods,
  answerUnavailable,
  sendError,
  createRequestLog,
  tryParseTrace,
} from './answer.ts';
import type { ServiceConfig } from './config.ts';
import { createHealthRouter, createReadiness, type Readiness } from './health.ts';
import {
  createRateLimit,
  toCounter,
  type CounterRule,
  type CreateCounter,
} from './limits/counter.ts';
import { createLog, logEvent } from './log.ts';
import { createSendMail } from './mail.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createOpenApi } from './openapi.ts';
import { type AuthStore, openStore } from './store/store.ts';

// Assembles the service without opening a port: as an application, or as a router for another application.

interface AuthAppOptions {
  /** Default: JSON lines on standard output. */
  readonly log?: Logger;
  /** Where `app` mounts the account routes. Default: `/auth`. */
  readonly prefix?: string;
}

export interface AuthApp {
  /** The whole service: account routes, `/health`, `/ready`, `/openapi.json`, request ids, logs and headers. */
  readonly app: RequestListener;
  /** The account routes alone: mount them in another application with `app.use('/accounts', auth.router)`. */
  readonly router: Router;
  /** Protects a route of another application. */
  readonly requireAuth: RequestHandler;
  readonly metrics: Metrics;
  readReadiness(): Promise<Readiness>;
  /** Rejects while the database cannot be used, see `AuthStore`. */
  checkStore(): Promise<void>;
  /** From now on `/ready` answers 503 and connections are not kept. */
  beginShutdown(): void;
  /** Closes the database. */
  close(): Promise<void>;
}

const DEFAULT_PREFIX = '/auth';

/**
 * Opens the store and builds the application. Throws `DatabaseError` when a SQLite file cannot be opened; while
 * PostgreSQL is unavailable, requests are answered with 503.
 */
export async function createAuthApp(
  config: ServiceConfig,
  options: AuthAppOptions = {},
): Promise<AuthApp> {
  const { log = createLog(config.logLevel), prefix = DEFAULT_PREFIX } = options;
  for (const { level, message } of config.notices) log[level](message);
  const store = openStore(config.database, log);
  const tokens = createServiceTokens(config);
  let isStopping = false;
  const accounts = createAccounts({
    store,
    tokens,
    passwords: createPasswords({
      ...(config.hashConcurrency !== undefined && { maxRunning: config.hashConcurrency }),
      maxWaitMs: config.hashWaitMs,
    }),
    throttle: createThrottle(config, store, log),
    ...(config.refusesCommonPasswords && { refusePassword: createCommonPasswordRule() }),
    log,
    onEvent(event) {
      metrics.countEvent(event);
      logEvent(log, event);
    },
  });
  const { mail } = config;
  const recovery =
    mail && createRecovery(accounts, { sendMail: createSendMail(mail), link: mail.link });
  const openApi = createOpenApi(prefix, accounts.openapi);
  const metrics = createMetrics(
    Object.keys(openApi.paths),
    async () => void (await readReadiness()),
  );

  const router = Router();
  router.use(accounts.node, answerUnavailable);

  const readReadiness = createReadiness({
    checkDatabase: () => store.check(),
    canIssue: tokens.canIssue,
    isStopping: () => isStopping,
    onChange(isUp, error) {
      metrics.setDatabaseUp(isUp);
      if (isUp) log.info('The database is back');
      else log.error({ err: error }, 'Database unavailable');
    },
  });

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.trustProxy);
  app.use(createHealthRouter(readReadiness));
  app
    .route('/openapi.json')
    .get((_req, res) => void res.json(openApi))
    .all(answerOtherMethods);
  app.use(prefix, router);
  const { requireAuth } = accounts;
  app.use(answerNotFound, answerFailure);

  const prepare = createRequestFront(log, metrics);
  const mePath = `${prefix}/me`;

  return {
    app(req, res) {
      prepare(req, res);
      if (hasSeveralHosts(req)) {
        return sendError(res, 400, 'several_hosts', 'Send exactly one Host header');
      }
      if (isStopping) res.shouldKeepAlive = false;
      if (req.method === 'GET' && req.url === mePath) askRouter(router, '/me', req, res);
      else app(req, res);
    },
    router,
    requireAuth,
    metrics,
    readReadiness,
    checkStore: () => store.check(),
    beginShutdown() {
      isStopping = true;
    },
    async close() {
      await recovery?.settled();
      await store.close();
    },
  };
}

// Express routers work without an application, whose work for a request takes as long as all of `/me`, which does not
// need it. Errors get the same responses as with the application.
function askRouter(router: Router, path: string, req: IncomingMessage, res: ServerResponse): void {
  const request = req as Request;
  const response = res as Response;
  request.originalUrl = req.url ?? '';
  req.url = path;
  router(request, response, (error: unknown) => {
    answerFailure(error, request, response, () => res.destroy());
  });
}

function createThrottle({ rateLimit }: ServiceConfig, store: AuthStore, log: Logger): Throttle {
  if (!rateLimit) return noThrottle;
  return createRateLimit(store.createCounter ?? createMemoryCounters(), rateLimit, log);
}

// Refuses requests with several Host headers. Proxies and servers differ in which one they take, so such a request can
// reach another site than the one that was checked (RFC 9112 section 3.2: a server must respond with 400).

/** Whether the request names its host more than once. Node.js itself refuses a request of HTTP/1.1 that names none. */
export function hasSeveralHosts({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0;
  // Names and values in turn, as they arrived.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

// The login tokens of the service. To rotate the secret: put the new one into JWT_SECRET and the old one into
// JWT_SECRET_PREVIOUS; after JWT_TTL_SECONDS, remove the old one. The header `kid` of a token names the secret that signed it.

type TokenConfig = Pick<ServiceConfig, 'account' | 'previousSecrets' | 'issuer' | 'audience'>;

/** Signs with the current secret, and also accepts tokens of the previous ones. */
export function createServiceTokens(config: TokenConfig): Tokens {
  const { account, previousSecrets, issuer, audience } = config;
  const { secret, ttlSeconds } = account;
  const reason = account.notices.find(({ level }) => level === 'error')?.message;
  return createTokens({ secret, reason, ttlSeconds, previousSecrets, issuer, audience });
}

// Refuses passwords that are among the most common ones, before anybody hashes them. The account module has no such list:
// its rules are those of the specification.

const MIN_PASSWORD_LENGTH = 8;

/** The rule for new passwords: compares without regard to case, after NFC, as passwords are hashed. */
export function createCommonPasswordRule(): PasswordRule {
  // Shorter ones are refused anyway.
  const common = new Set(
    dictionary['passwords-common'].filter((text) => text.length >= MIN_PASSWORD_LENGTH),
  );
  return (password) =>
    common.has(password.normalize('NFC').toLowerCase())
      ? 'Password is too common: choose another one'
      : undefined;
}

// Counters in the memory of this process, with a bound on their number: clients choose the keys.

const MAX_KEYS = 100_000;

/** Counters that a restart clears. At `maxKeys` keys, the least recently used one is dropped. */
export function createMemoryCounters(maxKeys = MAX_KEYS): CreateCounter {
  return (rule: CounterRule) => {
    const { name: keyPrefix, limit: points, windowSeconds: duration } = rule;
    const limiter = new RateLimiterMemory({ keyPrefix, points, duration });
    const keys = new Set<string>();
    return toCounter(limiter, rule, (key) => {
      keys.delete(key);
      keys.add(key);
      const [oldest] = keys;
      if (keys.size <= maxKeys || oldest === undefined) return;
      keys.delete(oldest);
      void limiter.delete(oldest);
    });
  };
}

// Work for each request before its route: an id and security headers, and at the end a log line and metrics. It uses
// the requests of Node directly, because every request pays for it.

// An interface for programs: no page may frame, load or run what it answers.
const SECURITY_HEADERS = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  referrerPolicy: { policy: 'no-referrer' },
  frameguard: { action: 'deny' },
} as const;

/** Prepares a request and its response. Call it before anything answers or changes the URL. */
export function createRequestFront(
  log: Logger,
  metrics: Metrics,
): (req: IncomingMessage, res: ServerResponse) => void {
  const logRequest = createRequestLog(log);
  const headers = listSecurityHeaders();
  return (req, res) => {
    const begin = performance.now();
    const id = assignRequestId(req, res);
    const { method = '', url = '' } = req;
    const trace = tryParseTrace(req.headers['traceparent']);
    for (const [name, value] of headers) res.setHeader(name, value);
    // Not `finish`, which is not emitted when the client disconnects.
    res.on('close', () => {
      const durationMs = performance.now() - begin;
      const path = pathOf(url);
      metrics.observeRequest(method, path, res.statusCode, durationMs / 1000);
      logRequest({ id, method, path, durationMs, trace }, res);
    });
  };
}

/** The path in the first line of a request, without its query. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

// They are the same on every response, so helmet computes them once.
function listSecurityHeaders(): readonly (readonly [name: string, value: string])[] {
  const headers: [string, string][] = [];
  const response = {
    setHeader: (name: string, value: string) => void headers.push([name, value]),
    removeHeader: () => {},
  };
  helmet(SECURITY_HEADERS)(
    {} as IncomingMessage,
    response as unknown as ServerResponse,
    (error) => {
      if (error) throw error;
    },
  );
  return headers;
}

// The request id, which identifies a request in the logs of every system that handled it.

// Clients choose it: only characters that are safe in a log, a header and JSON are accepted.
const REQUEST_ID = /^[A-Za-z0-9_.:-]{1,64}$/;

/** Uses `X-Request-Id` of a proxy or creates one, and sets it on the response. */
export function assignRequestId(req: IncomingMessage, res: ServerResponse): string {
  const given = req.headers['x-request-id'];
  const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
  res.setHeader('X-Request-Id', id);
  return id;
}
